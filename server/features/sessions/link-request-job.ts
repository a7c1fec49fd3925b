import type { Core } from '#server/core.ts';
import { defineJob } from '#server/platform/jobs/define-job.ts';
import { applicationRequests, type LinkRequest, linkRequests } from './link-request.ts';
import { mailLoginLinks } from './login-mail.ts';

type LinkMailer = Pick<Core, 'config' | 'db' | 'outbox'> & {
  signUp?: { mailLink: (request: LinkRequest) => Promise<void> } | undefined;
};

/** Also for sign-ups. Those that wait when sign-up is left out get no link. */
export const linkRequestJob = defineJob({
  ...linkRequests,
  isNeeded: ({ outbox }: Pick<Core, 'outbox'>) => outbox.isAvailable,
  run: async ({ config, db, outbox, signUp }: LinkMailer, request) => {
    if (request.signUp) await signUp?.mailLink(request);
    else await mailLoginLinks(db, outbox, request.email, config.MAIL_DOMAIN);
  },
});

export const applicationRequestJob = defineJob({
  ...linkRequestJob,
  ...applicationRequests,
  whenOff: 'drop',
});

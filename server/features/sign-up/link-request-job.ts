import type { Core } from '#server/core.ts';
import { defineJob } from '#server/platform/jobs/define-job.ts';
import { applicationRequests, linkRequests } from '../sessions/link-request.ts';
import { mailLoginLinks } from '../sessions/login-mail.ts';
import { mailSignUpLink } from './sign-up-mail.ts';

type LinkMailer = Pick<Core, 'config' | 'db' | 'outbox'>;

export const linkRequestJob = defineJob({
  ...linkRequests,
  isNeeded: ({ outbox }: Pick<Core, 'outbox'>) => outbox.isAvailable,
  run: ({ config, db, outbox }: LinkMailer, { email, signUp }) => {
    if (!signUp) return mailLoginLinks(db, outbox, email, config.MAIL_DOMAIN);
    const { invitation_hash: base64, ...rest } = signUp;
    const invitationHash = base64 === null ? null : Buffer.from(base64, 'base64');
    return mailSignUpLink(db, outbox, { email, ...rest, invitation_hash: invitationHash });
  },
});

export const applicationRequestJob = defineJob({ ...linkRequestJob, ...applicationRequests });

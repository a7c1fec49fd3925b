import type { contract } from '#contract/index.ts';
import { changeForwarding } from './change-forwarding.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import type { NameState } from './forwarding.ts';
import type { App } from '#server/app.ts';

const pendingMessage = (subject: string, email: string) =>
  `${subject} will be forwarded to ${email} as soon as the mail provider has accepted the change.`;

const ENABLED_MESSAGES: Record<NameState['stage'], (subject: string, email: string) => string> = {
  settled: (subject, email) => `${subject} is forwarded to ${email}.`,
  waiting: pendingMessage,
  'waits for the provider': pendingMessage,
  'waits for confirmation': (subject, email) =>
    `${subject} will be forwarded to ${email} once its owner confirms that.`,
  'no provider': (subject, email) =>
    `${subject} would go to ${email}, but this server has no mail provider: nothing is forwarded.`,
};

export function emailForwardingRoutes(app: App): Handlers<typeof contract.emailForwarding> {
  return {
    emailForwardingToggle: async ({ accountId, credential, scope, body, db }) => {
      const {
        name,
        email,
        stage = 'waiting',
      } = await changeForwarding(db, app, {
        accountId,
        ...body,
        credential,
        scope,
      });
      const message = body.enabled
        ? ENABLED_MESSAGES[stage](`Mail to ${name}@${app.config.MAIL_DOMAIN}`, email!)
        : 'Email forwarding is disabled.';
      return { status: 200, body: { success: true, message, enabled: body.enabled, email } };
    },
  };
}

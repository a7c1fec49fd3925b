import type { contract } from '#contract/index.ts';
import type { Core } from '#server/core.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { changeForwarding, type ForwardingResult } from './change-forwarding.ts';
import type { StagedForwarding, ForwardingService } from './forwarding.ts';

const pendingMessage = (subject: string, email: string) =>
  `${subject} will be forwarded to ${email} as soon as the mail provider has accepted the change.`;

const ENABLED_MESSAGES: Record<
  StagedForwarding['stage'],
  (subject: string, email: string) => string
> = {
  settled: (subject, email) => `${subject} is forwarded to ${email}.`,
  waiting: pendingMessage,
  'waits for the provider': pendingMessage,
  'waits for confirmation': (subject, email) =>
    `${subject} will be forwarded to ${email} once its owner confirms that.`,
  'no provider': (subject, email) =>
    `${subject} would go to ${email}, but this server has no mail provider: nothing is forwarded.`,
};

export function emailForwardingRoutes(
  app: Core & { forwarding: ForwardingService },
): Handlers<typeof contract.emailForwarding> {
  return {
    emailForwardingToggle: async ({ accountId, credential, scope, body, db }) => {
      const change = { accountId, ...body, credential, scope };
      const result = await changeForwarding(db, app, change);
      const message = describeResult(result, body.enabled, app.config.MAIL_DOMAIN);
      const { email } = result;
      return { success: true, message, enabled: body.enabled, email };
    },
  };
}

function describeResult(result: ForwardingResult, enabled: boolean, mailDomain: string): string {
  const { name, email, isWaiting, forwardedTo, stage = 'waiting' } = result;
  if (!enabled) {
    const login = isWaiting ? ` Login links will go to ${email} once its owner confirms that.` : '';
    return `Email forwarding is disabled.${login}`;
  }
  const startsLater = isWaiting && stage !== 'no provider';
  const describe = ENABLED_MESSAGES[startsLater ? 'waits for confirmation' : stage];
  const current =
    startsLater && forwardedTo !== null ? ` Until then, it is forwarded to ${forwardedTo}.` : '';
  return describe(`Mail to ${name}@${mailDomain}`, email!) + current;
}

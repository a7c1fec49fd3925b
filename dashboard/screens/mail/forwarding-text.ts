import type { ResponseOf, owner } from '#dashboard/api/api.ts';
import { t } from '#dashboard/translate.ts';

export type Forwarding = ResponseOf<typeof owner.forwarding.getForwarding>;

/**
 * What happens to mail now. Must not claim that mail is forwarded before the provider confirms it.
 */
export function describeForwarding({ enabled, email, stage }: Forwarding): string {
  if (!enabled || email === null) return t('Mail is not forwarded.');
  switch (stage) {
    case 'settled':
      return t('Mail is forwarded to {email}.', { email });
    case 'waits for confirmation':
      return t(
        'Mail will be forwarded to {email} once you open the link in the confirmation mail.',
        { email },
      );
    case 'waiting':
      return t(
        'Mail will be forwarded to {email}. The mail provider has not accepted the change yet. We keep trying.',
        { email },
      );
    default:
      return t(
        'Mail will be forwarded to {email} as soon as the mail provider has accepted the change.',
        { email },
      );
  }
}

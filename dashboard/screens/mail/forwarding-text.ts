import type { GetForwardingResponse } from '#client/generated/owner-operations.ts';
import { formatList, t } from '#dashboard/translate.ts';

export type Forwarding = GetForwardingResponse;

/** The address whose owner still has to confirm it. */
export function unconfirmedEmail({ pending_email, confirmed, email }: Forwarding): string | null {
  return pending_email ?? (confirmed === false ? email : null);
}

/** Empty without addresses. `unread` are those that only this account reads. */
export function describeGroups(emails: readonly string[], unread: readonly string[]): string {
  if (emails.length === 0) return '';
  return [
    t('Mail to {addresses} no longer reaches this account.', { addresses: formatList(emails) }),
    unread.length > 0 &&
      t('Nobody else reads {addresses}, so such mail is refused.', {
        addresses: formatList(unread),
      }),
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * What happens to mail now. Must not claim that mail is forwarded before the provider confirms it.
 */
export function describeForwarding(
  forwarding: Forwarding,
  address: string,
): { title: string; text: string } {
  const { enabled, stage, provider_email } = forwarding;
  const email =
    stage === 'waits for confirmation' ? unconfirmedEmail(forwarding) : forwarding.email;
  if (!enabled && provider_email !== null)
    return {
      title: t('Mail to {address} will soon go nowhere.', { address }),
      text: t('As soon as the mail provider has accepted the change.'),
    };
  if (!enabled || email === null)
    return {
      title: t('Mail to {address} goes nowhere.', { address }),
      text: t('Let it arrive in an inbox you already use.'),
    };
  switch (stage) {
    case 'settled':
      return {
        title: t('Your mail goes to {email}.', { email }),
        text: t('Visitors of your page never see this inbox.'),
      };
    case 'waits for confirmation':
      return {
        title: t('Open the link in the mail to {email}.', { email }),
        text: t('Nothing is forwarded before you do.'),
      };
    case 'waiting':
      return {
        title: t('Mail will soon go to {email}.', { email }),
        text: t('The mail provider has not accepted the change yet. We keep trying.'),
      };
    default:
      return {
        title: t('Mail will soon go to {email}.', { email }),
        text: t('As soon as the mail provider has accepted the change.'),
      };
  }
}

import { findForwarding } from '#db/queries/forwarding-settings.ts';
import type { OwnToDoReader } from '../define-feature.ts';

export const findUnconfirmedInbox: OwnToDoReader = async (db, { accountId }, t) => {
  const forwarding = await findForwarding(db, accountId);
  if (!forwarding?.enabled) return undefined;
  const { pending_email, confirmed } = forwarding;
  const email = pending_email ?? (confirmed === false ? forwarding.email : null);
  if (email === null) return undefined;
  const title = t('{email} is not confirmed yet', { email });
  const text =
    confirmed === false
      ? t('Open the link in the mail that was sent there. Nothing is forwarded before.')
      : t('Open the link in the mail that was sent there. Until then, nothing changes.');
  return { code: 'inboxUnconfirmed', level: 'warning', title, text, count: 1, path: 'mail' };
};

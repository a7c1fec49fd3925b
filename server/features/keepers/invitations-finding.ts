import { listReceivedInvitations } from '#db/queries/keepers.ts';
import { accountName } from '#server/platform/mail/mail-text.ts';
import type { OwnToDoReader } from '../define-feature.ts';

/** Keepers of the account cannot accept its invitations. */
export const findKeeperInvitations: OwnToDoReader = async (db, { accountId, actorId }, t) => {
  if (actorId !== accountId) return undefined;
  const waiting = await listReceivedInvitations(db, { keeperId: accountId });
  if (!waiting[0]) return undefined;
  const { id, display_name, page_title } = waiting[0].account;
  const account = page_title ?? accountName(display_name ?? id);
  const count = waiting.length;
  const title = t(
    '{count, plural, one {Look after {account}?} other {# invitations to keep an account}}',
    {
      count,
      account,
    },
  );
  const text = t('You keep your own account, and can leave at any time.');
  return { code: 'keeperInvited', level: 'warning', title, text, count, path: 'keep' };
};

import { listFormat } from '#contract/shared/intl-formats.ts';
import { listUnreadAddresses } from '#db/queries/addresses.ts';
import type { Core } from '#server/core.ts';
import type { ToDoReader } from '../define-feature.ts';

const MAX_NAMED_ADDRESSES = 10;

export const findUnreadAddresses: ToDoReader<Pick<Core, 'config'>> = async ({ config }, db, t) => {
  const names = await listUnreadAddresses(db);
  if (names.length === 0) return undefined;
  const emails = names.slice(0, MAX_NAMED_ADDRESSES).map((name) => `${name}@${config.MAIL_DOMAIN}`);
  if (names.length > emails.length) emails.push('…');
  const text = t(
    'Nobody gets the mail to {addresses}. Choose readers under “Group addresses”, or delete addresses that you do not need.',
    { addresses: listFormat(t.locale).format(emails) },
  );
  return { code: 'groupAddressUnread', level: 'warning', title: t('Group addresses'), text };
};

import type { ReadDatabase } from '#db/connections/handles.ts';
import { listAddressesOf, listRecipients } from '#db/queries/addresses.ts';
import type { Core } from '#server/core.ts';

export async function serializeGroupAddresses(
  db: ReadDatabase,
  { MAIL_DOMAIN }: Pick<Core['config'], 'MAIL_DOMAIN'>,
  accountId: string,
) {
  const addresses = await listAddressesOf(db, accountId);
  const rows = await listRecipients(
    db,
    addresses.map(({ id }) => id),
  );
  return addresses.map(({ id, name }) => {
    const recipients = rows.filter(({ address_id }) => address_id === id);
    const isOwn = (row: (typeof rows)[number]) => row.account_id === accountId;
    const state = recipients.find(isOwn)?.state;
    return {
      id,
      email: `${name}@${MAIL_DOMAIN}`,
      state: state === 'active' || state === 'stopped' ? state : ('unreachable' as const),
      readers: recipients
        .filter((row) => row.state === 'active' && !isOwn(row))
        .map(({ account_id, display_name, page_title, email }) => ({
          display_name,
          page_title,
          email: account_id === null ? email : null,
        })),
    };
  });
}

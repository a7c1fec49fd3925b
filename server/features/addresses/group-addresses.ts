import type { forwarding } from '#contract/owner/forwarding.ts';
import {
  listAddressesOf,
  listRecipients,
  lockMemberRecipient,
  setRecipientActive,
} from '#db/queries/addresses.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { credentialId } from '#server/platform/caller.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { storeEvent } from '../events/log-event.ts';
import { mailLostReader } from './lost-reader.ts';
import type { Core } from '#server/core.ts';
import type { Outbox } from '../mails/outbox.ts';
import type { ForwardingService } from '../forwarding/forwarding.ts';

/** The group addresses of a member, with the others who read them. */
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

export function groupAddressRoutes(
  app: Core & { outbox: Outbox; forwarding: ForwardingService },
): Pick<Handlers<typeof forwarding>, 'updateGroupAddress'> {
  const { config, forwarding: service } = app;
  return {
    updateGroupAddress: async ({ accountId, credential, db, body, refuse }) => {
      const { address_id: addressId, enabled } = body;
      const recipient = await lockMemberRecipient(db, { addressId, accountId });
      if (!recipient) throw refuse('addressNotFound');
      if (enabled !== (recipient.state === 'active')) {
        await setRecipientActive(db, recipient.id, enabled);
        await service.enqueueSync(db, recipient.name);
        const type = enabled ? 'group_address_joined' : 'group_address_left';
        const address = `${recipient.name}@${config.MAIL_DOMAIN}`;
        const event = {
          accountId,
          type,
          detail: { address, by: credentialId(credential) },
        } as const;
        await storeEvent(db, app, event);
        if (!enabled) {
          const reader = (await findDisplayName(db, accountId)) ?? null;
          await mailLostReader(db, app, { ...recipient, reader });
        }
      }
      const groups = await serializeGroupAddresses(db, config, accountId);
      const group_address = groups.find(({ id }) => id === recipient.addressId)!;
      return { group_address };
    },
  };
}

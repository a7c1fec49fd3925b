import type { forwarding } from '#contract/owner/forwarding.ts';
import { lockMemberRecipient, setRecipientActive } from '#db/queries/addresses.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import type { Core } from '#server/core.ts';
import { credentialId } from '#server/platform/caller.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { storeEvent } from '../events/log-event.ts';
import type { ForwardingService } from '../forwarding/forwarding.ts';
import { serializeGroupAddresses } from '../forwarding/serialize-group-addresses.ts';
import { lockForReader, mailLostReader } from './lost-reader.ts';

export function groupAddressRoutes(
  app: Core & { forwarding: ForwardingService },
): Pick<Handlers<typeof forwarding>, 'updateGroupAddress'> {
  const { config, forwarding: service } = app;
  return {
    updateGroupAddress: async ({ accountId, credential, db, body, refuse }) => {
      const { address_id: addressId, enabled } = body;
      await lockForReader(db, addressId, [accountId]);
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

import { ADDRESS_NAME_REFUSALS, type addresses } from '#contract/owner/addresses.ts';
import { GROUP_REFUSALS } from '#contract/owner/groups.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import {
  type AddressRow,
  countAddresses,
  deleteAddress,
  insertAddress,
  listAddresses,
  listRecipients,
  lockAddressChanges,
  lockOutsideRecipient,
  renameAddress,
  setGroupOfAddress,
} from '#db/queries/addresses.ts';
import { claimNameForAddress, findNameOwner } from '#db/queries/display-names.ts';
import { findGroup } from '#db/queries/groups.ts';
import { listForwarding } from '#db/queries/provider-aliases.ts';
import type { Core } from '#server/core.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { formatStored } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';
import { PROVIDER_ERRORS } from '../forwarding/forwarding-provider.ts';
import type { ForwardingService } from '../forwarding/forwarding.ts';
import { findNameProblem, sanitizeDisplayName } from '../names/display-name.ts';
import { PROVIDER_ALIAS_ID } from '../names/reserved-names.ts';
import { changeRecipients } from './change-recipients.ts';
import { mailOutsideReader } from './notify-recipients.ts';

const refuseName = createRefuser(ADDRESS_NAME_REFUSALS);
const refuseGroup = createRefuser(GROUP_REFUSALS);

export function addressRoutes(
  app: Core & { forwarding: ForwardingService },
): Handlers<typeof addresses> {
  const { config, forwarding, outbox } = app;

  const respond = async (db: ReadDatabase, id: string, t: Translator) => {
    const [address] = await serializeAddresses(db, app, await listAddresses(db, id), t);
    return { address: address! };
  };

  return {
    listAddresses: async ({ readDb, getTranslator }) => {
      const rows = await listAddresses(readDb);
      const serialized = await serializeAddresses(readDb, app, rows, getTranslator());
      const { recipientLimit: recipient_limit } = forwarding;
      const { MAIL_DOMAIN: mail_domain } = config;
      return { addresses: serialized, mail_domain, recipient_limit };
    },

    getAddress: async ({ readDb, query: { address_id: id }, refuse, getTranslator }) => {
      if ((await listAddresses(readDb, id)).length === 0) throw refuse('addressNotFound');
      return respond(readDb, id, getTranslator());
    },

    createAddress: async ({ accountId, db, body, refuse, getTranslator, audit }) => {
      if (!forwarding.isAvailable) throw refuse('forwardingUnavailable');
      await lockAddressChanges(db);
      if ((await countAddresses(db)) >= LIMITS.addresses)
        throw refuse('addressLimitReached', { limit: LIMITS.addresses });
      const { recipients, group_id = null } = body;
      await requireGroup(db, group_id);
      const name = await claimAddressName(db, config, body.name);
      const address = await insertAddress(db, name, group_id);
      await changeRecipients(db, app, { address, recipients, operatorId: accountId });
      await forwarding.enqueueSync(db, name);
      audit({ name, detail: { recipients: recipients.length } });
      return respond(db, address.id, getTranslator());
    },

    updateAddress: async ({ accountId, db, body, refuse, getTranslator, audit }) => {
      await lockAddressChanges(db);
      const [address] = await listAddresses(db, body.address_id);
      if (!address) throw refuse('addressNotFound');
      const { recipients, group_id = address.group_id } = body;
      const isGroupChanged = group_id !== address.group_id;
      if (isGroupChanged) {
        await requireGroup(db, group_id);
        await setGroupOfAddress(db, address.id, group_id);
      }
      const name = sanitizeDisplayName(body.name ?? address.name);
      const formerName = name === address.name ? undefined : address.name;
      if (formerName !== undefined) await claimAddressName(db, config, name);
      const change = {
        address: { ...address, name, group_id },
        recipients,
        isGroupChanged,
        formerName,
      };
      await changeRecipients(db, app, { ...change, operatorId: accountId });
      if (formerName !== undefined) {
        await renameAddress(db, address, name);
        await forwarding.enqueueSync(db, formerName);
      }
      await forwarding.enqueueSync(db, name);
      audit({ name, detail: { from: formerName, recipients: recipients?.length } });
      return respond(db, address.id, getTranslator());
    },

    deleteAddress: async ({ accountId, db, body, refuse, audit }) => {
      await lockAddressChanges(db);
      const [address] = await listAddresses(db, body.address_id);
      if (!address) throw refuse('addressNotFound');
      const change = { address, recipients: [], isDeleted: true, operatorId: accountId };
      await changeRecipients(db, app, change);
      await deleteAddress(db, address);
      await forwarding.enqueueSync(db, address.name);
      audit({ name: address.name });
    },

    sendConfirmation: async ({ accountId, db, body, refuse, getTranslator, audit }) => {
      if (!outbox.isAvailable) throw refuse('mailUnavailable');
      const recipient = await lockOutsideRecipient(db, body.recipient_id);
      if (!recipient || recipient.state === 'active') throw refuse('recipientNotFound');
      await mailOutsideReader(db, outbox, { id: recipient.id, operatorId: accountId });
      audit({ name: recipient.name });
      return respond(db, recipient.addressId, getTranslator());
    },
  };
}

async function requireGroup(db: ReadDatabase, groupId: string | null): Promise<void> {
  if (groupId !== null && !(await findGroup(db, groupId))) throw refuseGroup('groupNotFound');
}

/** Throws if the name cannot be claimed. Returns it as it is stored. */
async function claimAddressName(
  trx: Transaction,
  { MAIL_DOMAIN, NAME_QUARANTINE_DAYS: quarantineDays }: Core['config'],
  input: string,
): Promise<string> {
  const name = sanitizeDisplayName(input);
  if (findNameProblem(input) || PROVIDER_ALIAS_ID.test(name))
    throw refuseName('addressNameInvalid');
  if (await claimNameForAddress(trx, { name, quarantineDays })) return name;
  const isMember = (await findNameOwner(trx, name)) !== undefined;
  const isAddress = (await listAddresses(trx)).some((address) => address.name === name);
  const email = `${name}@${MAIL_DOMAIN}`;
  const problem = (t: Translator) =>
    isMember
      ? t('@{name} is a member. Choose another name.', { name })
      : isAddress
        ? t('The address {email} exists already. Change that one.', { email })
        : t('The name {name} is held back after its last owner. Choose another one.', { name });
  throw refuseName('addressNameTaken', { problem });
}

async function serializeAddresses(
  db: ReadDatabase,
  { config, forwarding }: Pick<Core, 'config'> & { forwarding: ForwardingService },
  rows: readonly AddressRow[],
  t: Translator,
) {
  const recipients = await listRecipients(
    db,
    rows.map(({ id }) => id),
  );
  const byAddress = Map.groupBy(recipients, ({ address_id }) => address_id);
  const states = await listForwarding(
    db,
    rows.map(({ name }) => name),
  );
  return rows.map((row) => {
    const stored = states.find(({ name }) => name === row.name)!;
    const { stage, last_error, next_try_at } = forwarding.addStage(stored);
    return {
      ...serializeTimes({ ...row, next_try_at }),
      email: `${row.name}@${config.MAIL_DOMAIN}`,
      recipients: (byAddress.get(row.id) ?? []).map(({ address_id: _id, ...recipient }) =>
        serializeTimes(recipient),
      ),
      stage,
      last_error: formatStored(PROVIDER_ERRORS, last_error, t),
    };
  });
}

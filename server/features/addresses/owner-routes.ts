import { ADDRESS_NAME_REFUSALS, type addresses } from '#contract/owner/addresses.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import {
  type AddressRow,
  countAddresses,
  deleteAddress,
  insertAddress,
  listAddresses,
  listRecipients,
  lockAddress,
  lockOutsideRecipient,
  renameAddress,
} from '#db/queries/addresses.ts';
import { claimDisplayName } from '#db/queries/display-names.ts';
import { listForwarding } from '#db/queries/provider-aliases.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { App } from '#server/app.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { formatStored } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';
import { PROVIDER_ERRORS } from '../forwarding/forwarding-provider.ts';
import { findNameProblem, sanitizeDisplayName } from '../names/display-name.ts';
import { PROVIDER_ALIAS_ID } from '../names/reserved-names.ts';
import { runAuditedByOperator } from '../operators/audited-runner.ts';
import { changeRecipients, mailRecipient } from './change-recipients.ts';

const refuseName = createRefuser(ADDRESS_NAME_REFUSALS);

export function addressRoutes(app: App): Handlers<typeof addresses> {
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

    createAddress: async ({ db, body, refuse, getTranslator, ...caller }) => {
      if (!forwarding.isAvailable) throw refuse('forwardingUnavailable');
      return runAuditedByOperator(db, caller, async (trx, audit) => {
        if ((await countAddresses(trx)) >= LIMITS.addresses)
          throw refuse('addressLimitReached', { limit: LIMITS.addresses });
        const name = await claimAddressName(trx, config, body.name);
        const address = await insertAddress(trx, name);
        await changeRecipients(trx, app, { address, recipients: body.recipients, caller });
        audit({ name, detail: { recipients: body.recipients.length } });
        return respond(trx, address.id, getTranslator());
      });
    },

    updateAddress: ({ db, body, refuse, getTranslator, ...caller }) =>
      runAuditedByOperator(db, caller, async (trx, audit) => {
        const address = await lockAddress(trx, body.address_id);
        if (!address) throw refuse('addressNotFound');
        const { recipients } = body;
        const name = sanitizeDisplayName(body.name ?? address.name);
        const from = name === address.name ? undefined : address.name;
        if (from !== undefined) {
          await claimAddressName(trx, config, name);
          await renameAddress(trx, address, name);
          await forwarding.enqueueSync(trx, from);
        }
        const renamed = { ...address, name };
        await changeRecipients(trx, app, { address: renamed, recipients, from, caller });
        audit({ name, detail: { from, recipients: recipients?.length } });
        return respond(trx, address.id, getTranslator());
      }),

    deleteAddress: ({ db, body, refuse, ...caller }) =>
      runAuditedByOperator(db, caller, async (trx, audit) => {
        const address = await lockAddress(trx, body.address_id);
        if (!address) throw refuse('addressNotFound');
        await changeRecipients(trx, app, { address, recipients: [], caller });
        await deleteAddress(trx, address);
        audit({ name: address.name });
      }),

    sendConfirmation: async ({ db, body, refuse, getTranslator, ...caller }) => {
      if (!outbox.isAvailable) throw refuse('mailUnavailable');
      return runAuditedByOperator(db, caller, async (trx, audit) => {
        const recipient = await lockOutsideRecipient(trx, body.recipient_id);
        if (!recipient || recipient.state === 'active') throw refuse('recipientNotFound');
        await mailRecipient(trx, outbox, { id: recipient.id, operatorId: caller.accountId });
        audit({ name: recipient.name });
        return respond(trx, recipient.addressId, getTranslator());
      });
    },
  };
}

/** Throws if the name cannot be claimed. Returns it as it is stored. */
async function claimAddressName(
  trx: Transaction,
  { NAME_QUARANTINE_DAYS: quarantineDays }: App['config'],
  input: string,
): Promise<string> {
  const name = sanitizeDisplayName(input);
  if (findNameProblem(input) || PROVIDER_ALIAS_ID.test(name))
    throw refuseName('addressNameInvalid');
  if (await claimDisplayName(trx, { accountId: null, name, quarantineDays })) return name;
  throw refuseName('addressNameTaken', { name });
}

async function serializeAddresses(
  db: ReadDatabase,
  { config, forwarding }: Pick<App, 'config' | 'forwarding'>,
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
    const { stage, last_error, next_try_at } = forwarding.withStage(stored);
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

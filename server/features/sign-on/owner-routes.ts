import type { identities } from '#contract/owner/identities.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { hasOtherLogin, type IdentityRow, listIdentities } from '#db/queries/identities.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { deleteLoginMethod } from '#db/queries/rows.ts';
import type { Core } from '#server/core.ts';
import { credentialId } from '#server/platform/caller.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { passkeyHost } from '#server/platform/settings/relying-party.ts';
import { storeEvent } from '../events/log-event.ts';

export function identitiesRoutes({
  allowances,
  config,
  origin,
  outbox,
}: Core): Handlers<typeof identities> {
  return {
    listIdentities: async ({ accountId, readDb }) => {
      const rows = await listIdentities(readDb, accountId);
      return { identities: rows.map(serializeIdentity) };
    },

    deleteIdentity: async ({ accountId, credential, db, body: { identity_id: id }, refuse }) => {
      await lockAccount(db, accountId);
      const removed = await deleteLoginMethod(db, 'identities', { accountId, id });
      if (!removed) throw refuse('identityNotFound');
      const ways = { canMailLinks: outbox.isAvailable, passkeyHost: passkeyHost(config, origin()) };
      if (!(await hasOtherLogin(db, accountId, ways))) throw refuse('lastLogin');
      await deleteLoginLinks(db, accountId);
      const detail = { identity_id: id, ...removed, by: credentialId(credential) };
      await storeEvent(db, { allowances }, { accountId, type: 'identity_unlinked', detail });
    },
  };
}

function serializeIdentity({ subject: _subject, left_at: _leftAt, ...identity }: IdentityRow) {
  return serializeTimes(identity);
}

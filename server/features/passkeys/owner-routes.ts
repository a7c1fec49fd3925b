import type { passkeyLogin, passkeys } from '#contract/owner/passkeys.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { insertRefusedPasskey } from '#db/queries/events.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { listPasskeys } from '#db/queries/passkeys.ts';
import { deleteLoginMethod } from '#db/queries/rows.ts';
import type { Core } from '#server/core.ts';
import { credentialId } from '#server/platform/caller.ts';
import { requireLoginScope } from '#server/platform/http/access/recent-login.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { type RelyingParty, findRelyingParty } from '#server/platform/settings/relying-party.ts';
import { storeEvent } from '../events/log-event.ts';
import { createLoginResponse } from '../sessions/session-response.ts';
import { logInWithPasskey } from '../sessions/start-session.ts';
import type { PasskeyChallenges } from './passkey-challenges.ts';
import { createLoginOptions, verifyPasskeyLogin } from './passkey-login.ts';
import { createRegistrationOptions, registerPasskey } from './register-passkey.ts';

type PasskeyServices = Core & { passkeys: PasskeyChallenges };

export function passkeyLoginRoutes({
  passkeys: challenges,
  sessionCookie,
  origin,
}: PasskeyServices): Handlers<typeof passkeyLogin> {
  return {
    createPasskeyLoginOptions: async ({ refuse }) => {
      const relyingParty = requireRelyingParty(origin, refuse);
      const options = await createLoginOptions(challenges, relyingParty);
      return { options: { ...options } };
    },

    createPasskeySession: async ({ db, loginClient, body, refuse }) => {
      const relyingParty = requireRelyingParty(origin, refuse);
      const passkey = await verifyPasskeyLogin(db, challenges, relyingParty, body.answer);
      if (!passkey) throw refuse('passkeyLoginFailed');
      const result = await logInWithPasskey(db, passkey, loginClient);
      if (!result) {
        const { accountId, passkeyId } = passkey;
        await inTransaction(db, (trx) => insertRefusedPasskey(trx, accountId, passkeyId));
        throw refuse('passkeyCounterTooLow');
      }
      if (!result.ok) throw refuse('accountSuspended');
      return createLoginResponse(result, sessionCookie);
    },
  };
}

export function passkeysRoutes(app: PasskeyServices): Handlers<typeof passkeys> {
  const { passkeys: challenges, instanceStore, origin } = app;
  return {
    listPasskeys: async ({ accountId, readDb }) => {
      const rows = await listPasskeys(readDb, accountId);
      return { passkeys: rows.map(serializeTimes) };
    },

    // `createPasskey` repeats only the check of the scope: its challenge expires soon.
    createPasskeyOptions: async ({ accountId, scope, db, refuse }) => {
      await requireLoginScope(db, { accountId, scope });
      const relyingParty = requireRelyingParty(origin, refuse);
      await instanceStore.refresh();
      const options = await createRegistrationOptions(
        db,
        challenges,
        { ...relyingParty, name: instanceStore.current.displayName },
        accountId,
      );
      return { options: { ...options } };
    },

    createPasskey: async ({ accountId, credential, scope, db, body, refuse }) => {
      const relyingParty = requireRelyingParty(origin, refuse);
      const { answer, label = null } = body;
      const caller = { accountId, credential, scope };
      const input = { caller, passkeyResponse: answer, label };
      const passkeyRow = await registerPasskey(db, app, relyingParty, input);
      return { passkey: serializeTimes(passkeyRow) };
    },

    deletePasskey: async ({ accountId, credential, db, body: { passkey_id: id }, refuse }) => {
      await lockAccount(db, accountId);
      const removed = await deleteLoginMethod(db, 'passkeys', { accountId, id });
      if (!removed) throw refuse('passkeyNotFound');
      await deleteLoginLinks(db, accountId);
      const detail = { passkey_id: id, ...removed, by: credentialId(credential) };
      await storeEvent(db, app, { accountId, type: 'passkey_removed', detail });
    },
  };
}

function requireRelyingParty(
  origin: Core['origin'],
  refuse: (code: 'passkeysUnavailable') => Error,
): RelyingParty {
  const relyingParty = findRelyingParty(origin());
  if (!relyingParty) throw refuse('passkeysUnavailable');
  return relyingParty;
}

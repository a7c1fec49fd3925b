import type { passkeyLogin, passkeys } from '#contract/owner/passkeys.ts';
import { deleteLoginLinks } from '#db/queries/sessions/login-links.ts';
import { deletePasskey, listPasskeys, type PasskeyRow } from '#db/queries/sessions/passkeys.ts';
import { deleteSessionsOfPasskey } from '#db/queries/sessions/sessions.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Handlers } from '#server/http/contract/adapter.ts';
import type { SessionCookie } from '#server/http/access/session-cookie.ts';
import type { Allowances } from '#server/limits/allowances/allowances.ts';
import { idOf } from '#server/caller.ts';
import { logEvent } from '../events/log-event.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { type Challenges, type RelyingParty, relyingPartyOf } from './challenge.ts';
import { beginPasskeyLogin, checkPasskey } from './passkey-login.ts';
import { beginRegistration, register } from './register-passkey.ts';
import { beginByPasskey } from '../sessions/begin-session.ts';
import { demandFreshProof, demandProofToAddLogin } from '../sessions/fresh-proof.ts';
import type { VisitorContext } from '#server/http/access/run-unauthenticated.ts';
import { begunSession } from '../sessions/session-fields.ts';

/** Where people find the server. */
type Origin = () => string;

export function passkeyLoginRoutes(
  cookie: SessionCookie,
  origin: Origin,
  challenges: Challenges,
): Handlers<typeof passkeyLogin, VisitorContext> {
  return {
    beginLogin: async ({ refuse }) => {
      const party = demandParty(origin, () => refuse('passkeysUnavailable'));
      const options = await beginPasskeyLogin(challenges, party);
      return { status: 200, body: { options: { ...options } } };
    },

    logIn: async ({ db, visitor, body, refuse }) => {
      const party = demandParty(origin, () => refuse('passkeysUnavailable'));
      const proven = await checkPasskey(db, challenges, party, body.answer);
      const begun = proven && (await beginByPasskey(db, proven, visitor));
      if (!begun) throw refuse('passkeyLoginFailed');
      return begunSession(begun, cookie);
    },
  };
}

export function passkeysRoutes(
  origin: Origin,
  challenges: Challenges,
  { events }: Pick<Allowances, 'events'>,
  outbox: Outbox,
): Handlers<typeof passkeys> {
  return {
    listPasskeys: async ({ accountId, reads }) => {
      const rows = await listPasskeys(reads, accountId);
      return { status: 200, body: { passkeys: rows.map(passkeyFields) } };
    },

    // Here and not where it is stored: its challenge is of the account, and ends soon.
    beginRegistration: async ({ accountId, via, scope, db, refuse }) => {
      await demandProofToAddLogin(db, { accountId, via, scope });
      const party = demandParty(origin, () => refuse('passkeysUnavailable'));
      const options = await beginRegistration(db, challenges, party, accountId);
      return { status: 200, body: { options: { ...options } } };
    },

    register: async ({ accountId, via, db, body, refuse }) => {
      const party = demandParty(origin, () => refuse('passkeysUnavailable'));
      const { answer, label = null } = body;
      const made = { accountId, answer, label, by: idOf(via) };
      const stored = await register(db, challenges, party, outbox, made, events);
      return { status: 200, body: { success: true, passkey: passkeyFields(stored) } };
    },

    removePasskey: async ({ accountId, via, db, body: { passkeyId }, refuse }) => {
      await demandFreshProof(db, { accountId, via });
      await inTransaction(db, async (trx) => {
        await deleteSessionsOfPasskey(trx, accountId, passkeyId);
        const removed = await deletePasskey(trx, accountId, passkeyId);
        if (!removed) throw refuse('passkeyNotFound');
        await deleteLoginLinks(trx, accountId);
        const detail = { passkey_id: passkeyId, ...removed, by: idOf(via) };
        await logEvent(trx, { accountId, type: 'passkey_removed', detail }, events);
      });
      return { status: 200, body: { success: true } };
    },
  };
}

function demandParty(origin: Origin, unavailable: () => Error): RelyingParty {
  const party = relyingPartyOf(origin());
  if (!party) throw unavailable();
  return party;
}

function passkeyFields({ id, label, created_at, last_used_at }: PasskeyRow) {
  return {
    id,
    label,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}

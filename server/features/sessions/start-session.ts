import type { Scope } from '#contract/scope.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Database, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { touchIdentity } from '#db/queries/identities.ts';
import { consumeLoginLink } from '#db/queries/login-links.ts';
import { touchPasskey } from '#db/queries/passkeys.ts';
import {
  deleteSessionsBeyond,
  insertSession,
  type SessionLogin,
  type SessionRow,
} from '#db/queries/sessions.ts';
import type { LoginContext, RejectedCredentials } from '#server/platform/caller.ts';
import { createToken, hashToken, isToken } from '#server/platform/secrets/token.ts';
import { storeEvent } from '../events/log-event.ts';
import type { Authentication } from './authentication.ts';

const MAX_USER_AGENT_LENGTH = 300;

export interface NewSession {
  session: SessionRow;
  token: string;
}

type Login = ({ ok: true } & NewSession) | (RejectedCredentials & { scope?: Scope });

function loginOf(newSession: NewSession | undefined, keyId?: string): Login {
  return newSession
    ? { ok: true, ...newSession }
    : { ok: false, reason: 'accountSuspended', keyId };
}

export async function logInWithLink(
  db: Database,
  token: string,
  context: LoginContext,
): Promise<Login | undefined> {
  if (!isToken(token)) return undefined;
  return inTransaction(db, async (trx) => {
    const link = await consumeLoginLink(trx, hashToken(token));
    if (!link) return undefined;
    const { account_id: accountId, scope } = link;
    return loginOf(await startSession(trx, { accountId, via: 'link', scope }, context));
  });
}

/** Accepts keys with the scope `all` or `operator`. The session ends when the key is revoked. */
export async function logInWithKey(
  db: Database,
  authentication: Authentication,
  apiKey: string,
  context: LoginContext,
): Promise<Login> {
  const result = await authentication.keys.check(apiKey);
  if (!result.ok) return result;
  const { accountId, actorId, scope, credential } = result.caller;
  // A keeper's key does not open the account.
  if (actorId !== accountId)
    return { ok: false, reason: 'keyUnknown', keyId: credential.keyId, accountId };
  if (scope !== 'all' && scope !== 'operator')
    return { ok: false, reason: 'insufficientScope', keyId: credential.keyId, scope };
  const login = { accountId, via: 'key', key_id: credential.keyId ?? null } as const;
  const newSession = await inTransaction(db, (trx) => startSession(trx, login, context));
  return loginOf(newSession, credential.keyId);
}

/**
 * The session ends when the passkey is removed. Resolves to undefined if the passkey was removed or
 * its counter used.
 */
export function logInWithPasskey(
  db: Database,
  {
    accountId,
    passkeyId,
    ...use
  }: { accountId: string; passkeyId: string; host: string; counter: number; isBackedUp: boolean },
  context: LoginContext,
): Promise<Login | undefined> {
  return inTransaction(db, async (trx) =>
    (await touchPasskey(trx, { accountId, id: passkeyId, ...use }))
      ? loginOf(
          await startSession(trx, { accountId, via: 'passkey', passkey_id: passkeyId }, context),
        )
      : undefined,
  );
}

/** The session ends when the identity is unlinked. Resolves to undefined if it was unlinked. */
export function logInWithIdentity(
  db: Database,
  {
    accountId,
    identityId,
    authenticatedAt,
    sid,
  }: { accountId: string; identityId: string; authenticatedAt: Date; sid: string | null },
  context: LoginContext,
): Promise<Login | undefined> {
  const login = {
    via: 'oidc',
    identity_id: identityId,
    authenticated_at: authenticatedAt,
    sid,
  } as const;
  return inTransaction(db, async (trx) =>
    (await touchIdentity(trx, { accountId, id: identityId }))
      ? loginOf(await startSession(trx, { accountId, ...login }, context))
      : undefined,
  );
}

/** Resolves to undefined if the account is suspended. */
export async function startSession(
  trx: Transaction,
  { accountId, via, ...login }: SessionLogin & { accountId: string; via: SessionRow['via'] },
  { userAgent, language, allowances }: LoginContext,
): Promise<NewSession | undefined> {
  const token = createToken();
  const agent = userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
  const row = { ...login, account_id: accountId, via, token_hash: hashToken(token), agent };
  const session = await insertSession(trx, row, language);
  if (!session) return undefined;
  await deleteSessionsBeyond(trx, accountId, LIMITS.sessions);
  const { scope: _scope, authenticated_at: _time, sid: _sid, ...ids } = login;
  const detail = { session_id: session.id, via, ...ids, agent };
  await storeEvent(trx, { allowances }, { accountId, type: 'logged_in', detail });
  return { session, token };
}

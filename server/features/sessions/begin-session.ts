import type { Kysely } from 'kysely';
import { LIMITS } from '#contract/limits.ts';
import { useLoginLink } from '#db/queries/sessions/login-links.ts';
import {
  deleteSessionsBeyond,
  insertSession,
  type SessionRow,
} from '#db/queries/sessions/sessions.ts';
import type { Database } from '#db/schema.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { logEvent } from '../events/log-event.ts';
import type { Authentication } from './authentication.ts';
import type { RefusedKey } from '../keys/key-check.ts';
import { createToken, hashToken, isToken } from '#server/token.ts';

const AGENT_LENGTH = 300;

/** Who logs in: what their browser calls itself, their network, and how many events an account keeps. */
export interface Visitor {
  network: string;
  agent: string | undefined;
  eventLimit: number;
}

/** Why a key begins no session. */
export interface RefusedLogin {
  reason: RefusedKey['reason'] | 'insufficientScope';
  /** The id of a key that there is. */
  keyId?: string | undefined;
}

/** A session that was just begun. Only here is its token. */
export interface NewSession {
  session: SessionRow;
  token: string;
}

/** Begins a session by a link, which is used up by it; undefined if the link lets nobody in. */
export async function beginByLink(
  db: Kysely<Database>,
  link: string,
  visitor: Visitor,
): Promise<NewSession | undefined> {
  if (!isToken(link)) return undefined;
  return inTransaction(db, async (trx) => {
    const accountId = await useLoginLink(trx, hashToken(link));
    return accountId === undefined ? undefined : begin(trx, { accountId, via: 'link' }, visitor);
  });
}

/**
 * Begins a session by an API key, with which it ends; or tells why the key begins none, which may be
 * that it may not do everything, as a session may.
 */
export async function beginByKey(
  db: Kysely<Database>,
  authentication: Authentication,
  apiKey: string,
  visitor: Visitor,
): Promise<NewSession | RefusedLogin> {
  const caller = await authentication.keys.check(apiKey);
  if ('reason' in caller) return caller;
  const { accountId, scope, via } = caller;
  if (scope !== 'all' && scope !== 'operator')
    return { reason: 'insufficientScope', keyId: via.keyId };
  const begun = await begin(db, { accountId, via: 'key', keyId: via.keyId }, visitor);
  return begun ?? { reason: 'accountSuspended', keyId: via.keyId };
}

/** Begins a session by a passkey, with which it ends; undefined if its account lets nobody in. */
export function beginByPasskey(
  db: Kysely<Database>,
  { accountId, passkeyId }: { accountId: string; passkeyId: string },
  visitor: Visitor,
): Promise<NewSession | undefined> {
  return begin(db, { accountId, via: 'passkey', passkeyId }, visitor);
}

/** Begins a session by an identity, with which it ends; undefined if its account lets nobody in. */
export function beginByIdentity(
  db: Kysely<Database>,
  proven: { accountId: string; identityId: string; authenticatedAt: Date },
  visitor: Visitor,
): Promise<NewSession | undefined> {
  return begin(db, { ...proven, via: 'oidc' }, visitor);
}

/** Begins a session of an account, on whatever proof; undefined if that lets nobody in. */
export function begin(
  db: Kysely<Database>,
  wanted: {
    accountId: string;
    via: SessionRow['via'];
    keyId?: string | undefined;
    passkeyId?: string;
    identityId?: string;
    authenticatedAt?: Date;
  },
  { agent, eventLimit }: Visitor,
): Promise<NewSession | undefined> {
  const { accountId, via, keyId = null, passkeyId = null, identityId = null } = wanted;
  const token = createToken();
  return inTransaction(db, async (trx) => {
    const session = await insertSession(trx, {
      accountId,
      via,
      keyId,
      passkeyId,
      identityId,
      authenticatedAt: wanted.authenticatedAt ?? null,
      tokenHash: hashToken(token),
      agent: agent?.slice(0, AGENT_LENGTH) ?? null,
    });
    if (!session) return undefined;
    await deleteSessionsBeyond(trx, accountId, LIMITS.sessions);
    const detail = {
      session_id: session.id,
      via,
      ...(keyId !== null && { key_id: keyId }),
      ...(passkeyId !== null && { passkey_id: passkeyId }),
      ...(identityId !== null && { identity_id: identityId }),
      agent: session.agent,
    };
    await logEvent(trx, { accountId, type: 'logged_in', detail }, eventLimit);
    return { session, token };
  });
}

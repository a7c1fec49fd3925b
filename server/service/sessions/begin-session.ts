import type { Kysely } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { useLoginLink } from '../../../db/queries/login-links.ts';
import {
  deleteSessionsBeyond,
  insertSession,
  type SessionRow,
} from '../../../db/queries/sessions.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Authentication } from '../keys/authentication.ts';
import { createToken, hashToken, isToken } from '../token.ts';

const AGENT_LENGTH = 300;

/** A session that was just begun. Only here is its token. */
export interface NewSession {
  session: SessionRow;
  token: string;
}

/** Begins a session by a link, which is used up by it; undefined if the link lets nobody in. */
export async function beginByLink(
  db: Kysely<Database>,
  link: string,
  agent: string | undefined,
): Promise<NewSession | undefined> {
  if (!isToken(link)) return undefined;
  return inTransaction(db, async (trx) => {
    const accountId = await useLoginLink(trx, hashToken(link));
    return accountId === undefined ? undefined : begin(trx, { accountId, via: 'link', agent });
  });
}

/**
 * Begins a session by an API key, with which it ends; undefined if the key lets nobody in, or may not
 * do everything, as a session may.
 */
export async function beginByKey(
  db: Kysely<Database>,
  authentication: Authentication,
  apiKey: string,
  agent: string | undefined,
): Promise<NewSession | undefined> {
  const caller = await authentication.keys.check(apiKey);
  if ('reason' in caller || caller.scope !== 'all') return undefined;
  const { accountId, via } = caller;
  return begin(db, { accountId, via: 'key', keyId: via.keyId, agent });
}

/** Begins a session by a passkey, with which it ends; undefined if its account lets nobody in. */
export function beginByPasskey(
  db: Kysely<Database>,
  { accountId, passkeyId }: { accountId: string; passkeyId: string },
  agent: string | undefined,
): Promise<NewSession | undefined> {
  return begin(db, { accountId, via: 'passkey', passkeyId, agent });
}

/** Begins a session of an account, on whatever proof; undefined if that lets nobody in. */
export function begin(
  db: Kysely<Database>,
  wanted: {
    accountId: string;
    via: SessionRow['via'];
    keyId?: string | undefined;
    passkeyId?: string;
    agent: string | undefined;
  },
): Promise<NewSession | undefined> {
  const { accountId, via, keyId = null, passkeyId = null, agent } = wanted;
  const token = createToken();
  return inTransaction(db, async (trx) => {
    const session = await insertSession(trx, {
      accountId,
      via,
      keyId,
      passkeyId,
      tokenHash: hashToken(token),
      agent: agent?.slice(0, AGENT_LENGTH) ?? null,
    });
    if (!session) return undefined;
    await deleteSessionsBeyond(trx, accountId, LIMITS.sessions);
    return { session, token };
  });
}

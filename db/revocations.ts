import { type AliasedRawBuilder, sql } from 'kysely';

/** Channel that tells every server, with the commit, what to remove from its caches. */
export const REVOCATIONS = 'nameplate_revocations';

/** Whose access changed: that of one key or session, or of an account with all that it has. */
export interface Revocation {
  kind: 'key' | 'session' | 'account';
  id: string;
}

/**
 * Returned by the statement that takes the access of a key, a session or an account away, or gives it
 * back, it tells all servers when the transaction commits.
 */
export function announceRevocation(
  kind: Revocation['kind'],
): AliasedRawBuilder<unknown, 'announced'> {
  return sql`pg_notify(${sql.lit(REVOCATIONS)}, format('%s %s', ${sql.lit(kind)}, id))`.as(
    'announced',
  );
}

/** Reads an announcement; undefined if a later version made it, and it says what this one does not know. */
export function parseRevocation(payload: string): Revocation | undefined {
  const [kind, id] = payload.split(' ');
  const isKnown = kind === 'key' || kind === 'session' || kind === 'account';
  return isKnown && id !== undefined ? { kind, id } : undefined;
}

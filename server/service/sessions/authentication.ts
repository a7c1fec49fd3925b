import type { Kysely } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { Reads } from '../../../db/connections/databases.ts';
import { parseRevocation, type Revocation, REVOCATIONS } from '../../../db/revocations.ts';
import type { Database } from '../../../db/schema.ts';
import type { AccessCacheOptions } from '../access-cache.ts';
import { SessionCheck } from './session-check.ts';
import { KeyCheck } from '../keys/key-check.ts';
import { listen } from '../../../db/connections/listen.ts';

/** Finds the account of an API key or a session token. */
export class Authentication {
  readonly keys: KeyCheck;
  readonly sessions: SessionCheck;

  /** Looks both up in `reads`, so that slow writes do not delay reads. */
  constructor(
    databases: { db: Kysely<Database>; reads: Reads },
    onError: (error: unknown) => void,
    options: Omit<AccessCacheOptions, 'gate'> = {},
  ) {
    this.keys = new KeyCheck(databases, onError, options);
    this.sessions = new SessionCheck(databases, onError, options);
  }

  /** Removes a revoked key, session or account from the caches; without an argument everything. */
  forget(revoked?: Revocation): void {
    this.keys.forget(revoked);
    this.sessions.forget(revoked);
  }
}

/**
 * Listens for revocations and removes them from the caches at once; returns how to stop. While the
 * connection is down, revoked access ends when the cache entry expires.
 */
export function hearRevocations({
  url,
  authentication,
  logger,
}: {
  url: string;
  authentication: Authentication;
  logger: Pick<FastifyBaseLogger, 'warn'>;
}): () => Promise<void> {
  return listen({
    connectionString: url,
    channel: REVOCATIONS,
    onNotification: (payload) => authentication.forget(parseRevocation(payload)),
    onListening: () => authentication.forget(),
    onDeaf: (error) =>
      logger.warn({ err: error }, 'the connection that tells of revoked keys is made again'),
  });
}

import type { Reads } from '../../../db/connections/databases.ts';
import type { Kysely } from 'kysely';
import type { Revocation } from '../../../db/revocations.ts';
import type { Database } from '../../../db/schema.ts';
import type { AccessCacheOptions } from '../access-cache.ts';
import { SessionCheck } from './session-check.ts';
import { KeyCheck } from '../keys/key-check.ts';

/** Tells who calls, by a key or a session. */
export class Authentication {
  readonly keys: KeyCheck;
  readonly sessions: SessionCheck;

  /** Both are looked up in `reads`, so that writes which wait for each other hold up no reader. */
  constructor(
    databases: { db: Kysely<Database>; reads: Reads },
    onError: (error: unknown) => void,
    options: Omit<AccessCacheOptions, 'gate'> = {},
  ) {
    this.keys = new KeyCheck(databases, onError, options);
    this.sessions = new SessionCheck(databases, onError, options);
  }

  /** Forgets what has lost its access or, without an argument, everything: the next request of each asks the database. */
  forget(revoked?: Revocation): void {
    this.keys.forget(revoked);
    this.sessions.forget(revoked);
  }
}

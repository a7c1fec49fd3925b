import type { Kysely } from 'kysely';
import type { ReadDatabase } from '#db/connections/read-database.ts';
import type { Database } from '#db/schema.ts';
import { SessionChecker } from './session-checker.ts';
import { KeyChecker } from '../keys/key-checker.ts';

/** Caches nothing, so a revoked credential stops working at once. */
export class Authentication {
  readonly keys: KeyChecker;
  readonly sessions: SessionChecker;

  /** Lookups use `readDb`, so that blocked writes do not delay them. */
  constructor(
    databases: { db: Kysely<Database>; readDb: ReadDatabase },
    onError: (error: unknown) => void,
  ) {
    this.keys = new KeyChecker(databases, onError);
    this.sessions = new SessionChecker(databases, onError);
  }
}

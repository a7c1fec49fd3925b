import type { Kysely } from 'kysely';
import type { ReadDatabase } from '#db/connections/read-database.ts';
import type { Database } from '#db/schema.ts';
import { SessionChecker } from './session-checker.ts';
import { KeyChecker } from '../keys/key-checker.ts';

/** Nothing is cached: each request queries the database. */
export class Authentication {
  readonly keys: KeyChecker;
  readonly sessions: SessionChecker;

  /** Look-ups use `reads`, so that blocked writes do not delay them. */
  constructor(
    databases: { db: Kysely<Database>; readDb: ReadDatabase },
    onError: (error: unknown) => void,
  ) {
    this.keys = new KeyChecker(databases, onError);
    this.sessions = new SessionChecker(databases, onError);
  }
}

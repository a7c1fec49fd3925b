import type { Kysely } from 'kysely';
import type { Reads } from '#db/connections/databases.ts';
import type { Database } from '#db/schema.ts';
import { SessionCheck } from './session-check.ts';
import { KeyCheck } from '../keys/key-check.ts';

/** Finds the account of an API key or a session token, for each request in the database. */
export class Authentication {
  readonly keys: KeyCheck;
  readonly sessions: SessionCheck;

  /** Both are looked up in `reads`, so that writes which wait for each other hold up no reader. */
  constructor(
    databases: { db: Kysely<Database>; reads: Reads },
    onError: (error: unknown) => void,
  ) {
    this.keys = new KeyCheck(databases, onError);
    this.sessions = new SessionCheck(databases, onError);
  }
}

import type { Kysely } from 'kysely';
import { touchApiKeys } from '../../../db/queries/api-keys.ts';
import type { Database } from '../../../db/schema.ts';

/**
 * Notes when keys were last used. Requests do not wait for it, and however many keys are used at
 * once, one statement at a time notes them all.
 */
export class UseNotes {
  readonly #db: Kysely<Database>;
  readonly #onError: (error: unknown) => void;
  readonly #ids = new Set<string>();
  #writing = false;

  constructor(db: Kysely<Database>, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  add(id: string): void {
    this.#ids.add(id);
    if (!this.#writing) void this.#write();
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#ids.size > 0) {
      const ids = [...this.#ids];
      this.#ids.clear();
      await touchApiKeys(this.#db, ids).catch(this.#onError);
    }
    this.#writing = false;
  }
}

import type { Kysely } from 'kysely';
import { AccountGoneError } from '../../../db/account-gone.ts';
import { listClosedAccounts } from '../../../db/queries/accounts.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import { REFUSED_WITHIN_MS } from '../access-cache.ts';
import type { Forwarding } from '../forwarding/forwarding.ts';
import { deleteClosed, emptyAccount } from './delete-account.ts';

/** A deletion that was begun so long ago was cut off. */
const CUT_OFF_SECONDS = 3_600;

/** Finishes the deletion of accounts that their owners closed, one after the other, while nobody waits for it. */
export class ClosedAccounts {
  readonly #db: Kysely<Database>;
  readonly #forwarding: Forwarding;
  readonly #onError: (error: unknown) => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  #work: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(db: Kysely<Database>, forwarding: Forwarding, onError: (error: unknown) => void) {
    this.#db = db;
    this.#forwarding = forwarding;
    this.#onError = onError;
  }

  /** Finishes a deletion as soon as every server has let go of the account. */
  finishSoon(accountId: string): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#work = this.#work.then(() => this.#finish(accountId)).catch(this.#onError);
    }, REFUSED_WITHIN_MS);
    this.#timers.add(timer.unref());
  }

  /** Lets go of the database; what is not finished is so by maintenance. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#work;
  }

  async #finish(accountId: string): Promise<void> {
    // The transaction that closed it may not have been committed.
    const closed = await listClosedAccounts(this.#db, 0);
    if (closed.includes(accountId))
      await finish(this.#db, this.#forwarding, accountId, () => this.#stopped);
  }
}

/** Finishes deletions that were cut off, whoever began them. */
export async function finishOldDeletions(
  db: Kysely<Database>,
  forwarding: Forwarding,
  seconds = CUT_OFF_SECONDS,
): Promise<void> {
  for (const id of await listClosedAccounts(db, seconds)) await finish(db, forwarding, id);
}

async function finish(
  db: Kysely<Database>,
  forwarding: Forwarding,
  accountId: string,
  isOver = () => false,
): Promise<void> {
  await emptyAccount(db, accountId, isOver);
  if (isOver()) return;
  try {
    await inTransaction(db, (trx) => deleteClosed(trx, forwarding, accountId));
  } catch (error) {
    // Somebody else finished it.
    if (!(error instanceof AccountGoneError)) throw error;
  }
}

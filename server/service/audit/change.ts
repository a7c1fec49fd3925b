import type { Kysely, Transaction } from 'kysely';
import { type AuditEntry, insertAuditEntry } from '../../../db/queries/audit.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';

/** Subject of an entry; never a secret. */
type Subject = Partial<Omit<AuditEntry, 'who' | 'via' | 'action'>>;

/**
 * Does something in one transaction, which also notes who did it. What it is about is told as soon as
 * it is known.
 */
export type Change = <Result>(action: string, work: AuditedWork<Result>) => Promise<Result>;

export type AuditedWork<Result> = (
  trx: Transaction<Database>,
  about: (subject: Subject) => void,
) => Promise<Result>;

/** Makes changes in a database, each with a line in its trail. */
export function changesBy(db: Kysely<Database>, doer: Pick<AuditEntry, 'who' | 'via'>): Change {
  return (action, work) =>
    inTransaction(db, async (trx) => {
      const entry: AuditEntry = { ...NOTHING, ...doer, action };
      const result = await work(trx, (subject) => void Object.assign(entry, subject));
      await insertAuditEntry(trx, entry);
      return result;
    });
}

const NOTHING = { account_id: null, name: null, project_id: null, key_id: null, detail: {} };

import { hostname, userInfo } from 'node:os';
import type { Kysely, Transaction } from 'kysely';
import { type AuditEntry, insertAuditEntry } from '#db/queries/audit-log.ts';
import type { Database } from '#db/schema.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { findDisplayName } from '#db/queries/display-names.ts';

/** Must not contain secrets. */
type AuditSubject = Partial<Omit<AuditEntry, 'who' | 'via' | 'action'>>;

/**
 * Runs `work` and writes the audit entry in one transaction. `work` passes the subject to `audit`.
 */
export type AuditedRunner = <Result>(
  action: string,
  work: AuditedAction<Result>,
) => Promise<Result>;

export type AuditedAction<Result> = (
  trx: Transaction<Database>,
  audit: (subject: AuditSubject) => void,
) => Promise<Result>;

export function createAuditedRunner(
  db: Kysely<Database>,
  actor: Pick<AuditEntry, 'who' | 'via'>,
): AuditedRunner {
  return (action, work) =>
    inTransaction(db, async (trx) => {
      const entry: AuditEntry = { ...EMPTY_AUDIT_SUBJECT, ...actor, action };
      const result = await work(trx, (subject) => void Object.assign(entry, subject));
      await insertAuditEntry(trx, entry);
      return result;
    });
}

const EMPTY_AUDIT_SUBJECT = {
  account_id: null,
  name: null,
  project_id: null,
  key_id: null,
  detail: {},
};

export async function createOperatorAuditedRunner(
  db: Kysely<Database>,
  operatorId: string,
): Promise<AuditedRunner> {
  const name = await findDisplayName(db, operatorId);
  const who = name === undefined ? operatorId : `@${name} ${operatorId}`;
  return createAuditedRunner(db, { who, via: 'operator' });
}

export function describeOsUser(): string {
  const sudoUser = process.env['SUDO_USER'];
  return `${userName()}@${hostname()}${sudoUser ? ` (sudo by ${sudoUser})` : ''}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, the user id may have no user name.
    return `user ${process.getuid?.()}`;
  }
}

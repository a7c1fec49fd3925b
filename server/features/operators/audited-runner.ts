import { hostname, userInfo } from 'node:os';
import { type AuditEntry, insertAuditEntry } from '#db/queries/audit-log.ts';
import type { Database, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { COMMAND_LINE_ID } from '#server/platform/caller.ts';
import { requireCaller } from '#server/platform/http/access/caller.ts';
import type { ContextOf, HandlerRunner } from '#server/platform/http/contract/register-contract.ts';

type AuditActor = Pick<AuditEntry, 'who' | 'via'>;

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
  trx: Transaction,
  audit: (subject: AuditSubject) => void,
) => Promise<Result>;

export function createAuditedRunner(db: Database, actor: AuditActor): AuditedRunner {
  return (action, work) => inTransaction(db, (trx) => runAudited(trx, { ...actor, action }, work));
}

async function runAudited<Result>(
  trx: Transaction,
  action: AuditActor & Pick<AuditEntry, 'action'>,
  work: AuditedAction<Result>,
): Promise<Result> {
  const entry: AuditEntry = { ...EMPTY_AUDIT_SUBJECT, ...action };
  const result = await work(trx, (subject) => void Object.assign(entry, subject));
  await insertAuditEntry(trx, entry);
  return result;
}

const EMPTY_AUDIT_SUBJECT = {
  account_id: null,
  name: null,
  project_id: null,
  key_id: null,
  detail: {},
};

/** For operators in the dashboard, with a key or on the command line. */
export async function runAuditedByOperator<Result>(
  trx: Transaction,
  { accountId, operation: action }: { accountId: string; operation: string },
  work: AuditedAction<Result>,
): Promise<Result> {
  if (accountId === COMMAND_LINE_ID) return runAudited(trx, { ...commandActor(), action }, work);
  const name = await findDisplayName(trx, accountId);
  const who = name === undefined ? accountId : `@${name} ${accountId}`;
  return runAudited(trx, { who, via: 'operator', action }, work);
}

/** Audits changes that commands make to an account, because its owner did not make them. */
export function auditCommands(runHandler: HandlerRunner): HandlerRunner {
  return (request, route, handler, body) => {
    const { accountId, credential } = requireCaller(request);
    if (
      credential.kind !== 'command' ||
      accountId === COMMAND_LINE_ID ||
      route.metadata.access === 'read'
    )
      return runHandler(request, route, handler, body);
    const action = { ...commandActor(), action: credential.operation };
    const callHandler: typeof handler = async (context) => {
      const { db } = context as ContextOf['external' | 'write'];
      const run = (trx: Transaction) =>
        runAudited(trx, action, async (_trx, audit) => audit({ account_id: accountId }));
      const response = await handler(context);
      await (route.metadata.access === 'write'
        ? run(db as Transaction)
        : inTransaction(db as Database, run));
      return response;
    };
    return runHandler(request, route, callHandler, body);
  };
}

export function commandActor(): AuditActor {
  return { who: describeOsUser(), via: 'command' };
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

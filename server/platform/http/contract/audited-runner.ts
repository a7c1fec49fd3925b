import { hostname, userInfo } from 'node:os';
import type { Database, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { type AuditEntry, insertAuditEntry } from '#db/queries/audit-log.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { COMMAND_LINE_ID } from '#server/platform/caller.ts';
import { requireCaller } from '#server/platform/http/access/caller.ts';
import type {
  Audit,
  ContextOf,
  HandlerRunner,
} from '#server/platform/http/contract/register-contract.ts';

type AuditActor = Pick<AuditEntry, 'who' | 'via'>;

/** Runs `work` and writes the audit entry in one transaction. */
export type AuditedRunner = <Result>(
  action: string,
  work: AuditedAction<Result>,
) => Promise<Result>;

type AuditedAction<Result> = (trx: Transaction, audit: Audit) => Promise<Result>;

export function createAuditedRunner(db: Database, actor: AuditActor): AuditedRunner {
  return (action, work) =>
    inTransaction(db, (trx) => runAudited(trx, { ...actor, action }, (audit) => work(trx, audit)));
}

async function runAudited<Result>(
  trx: Transaction,
  action: AuditActor & Pick<AuditEntry, 'action'>,
  work: (audit: Audit) => Promise<Result>,
): Promise<Result> {
  const entry: AuditEntry = { ...EMPTY_AUDIT_SUBJECT, ...action };
  let isChanged = true;
  const result = await work((subject) => {
    isChanged = subject !== 'unchanged';
    if (subject !== 'unchanged') Object.assign(entry, subject);
  });
  if (isChanged) await insertAuditEntry(trx, entry);
  return result;
}

const EMPTY_AUDIT_SUBJECT = {
  account_id: null,
  name: null,
  project_id: null,
  key_id: null,
  detail: {},
};

/** For operator handlers that open their own transactions. */
export async function runAuditedByOperator<Result>(
  db: Database,
  { accountId, operation }: { accountId: string; operation: string },
  work: AuditedAction<Result>,
): Promise<Result> {
  return createAuditedRunner(db, await findOperator(db, accountId))(operation, work);
}

/** An operator in the dashboard, with a key or on the command line. */
async function findOperator(db: ReadDatabase, accountId: string): Promise<AuditActor> {
  if (accountId === COMMAND_LINE_ID) return commandActor();
  const name = await findDisplayName(db, accountId);
  return { who: name === undefined ? accountId : `@${name} ${accountId}`, via: 'operator' };
}

/**
 * Audits the writes of operators, and changes that commands make to an account, because its owner
 * did not make them.
 */
export function auditHandlers(runHandler: HandlerRunner): HandlerRunner {
  return (request, route, handler, body, operation) => {
    const { access, scope } = route.metadata;
    const { accountId, credential } = requireCaller(request);
    const isForOperators = scope === 'operator';
    const isCommand = credential.kind === 'command';
    const isAudited = isForOperators ? access === 'write' : isCommand && access !== 'read';
    if (!isAudited) return runHandler(request, route, handler, body, operation);
    const callHandler: typeof handler = async (context) => {
      const { db } = context as ContextOf['noTransaction' | 'write'];
      if (access !== 'write') {
        // The effect is outside the database, so the entry follows it.
        const response = await handler(context);
        await createAuditedRunner(db as Database, commandActor())(operation, async (_trx, audit) =>
          audit({ account_id: accountId }),
        );
        return response;
      }
      const trx = db as Transaction;
      const actor = isForOperators ? await findOperator(trx, accountId) : commandActor();
      return runAudited(trx, { ...actor, action: operation }, (audit) => {
        if (!isForOperators) audit({ account_id: accountId });
        return handler(Object.assign(context, { audit }));
      });
    };
    return runHandler(request, route, callHandler, body, operation);
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

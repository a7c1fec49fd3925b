import type { Kysely, Transaction } from 'kysely';
import {
  deleteAccount as deleteRow,
  listClosedAccounts,
  lockAccount,
  lockWholeAccount,
  setClosed,
} from '#db/queries/accounts.ts';
import { revokeApiKeys } from '#db/queries/api-keys.ts';
import { findDisplayName, releaseDisplayName } from '#db/queries/display-names.ts';
import { deleteLoginLinks } from '#db/queries/sessions/login-links.ts';
import { deleteStoredResponses } from '#db/queries/idempotency-keys.ts';
import { cancelMails } from '#db/queries/jobs.ts';
import { deleteSomeMetrics } from '#db/queries/metrics/metrics.ts';
import { listProjectIds } from '#db/queries/projects.ts';
import { deleteSessions } from '#db/queries/sessions/sessions.ts';
import { AccountGoneError } from '#db/account-gone.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Database } from '#db/schema.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { InStep } from '#server/deletion.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import type { Forwarding } from '../forwarding/forwarding.ts';
import { withAccount } from './with-account.ts';

interface ClosingDependencies {
  forwarding: Forwarding;
  outbox: Outbox;
}

/** Rows that go with one statement. */
const AT_A_TIME = 5_000;
/** A deletion that was begun so long ago was cut off. */
const CUT_OFF_SECONDS = 3_600;

/**
 * Deletes an account with all that it has. It is closed first. A name that had mail stays out of reach
 * of others, and its alias is removed.
 */
export async function deleteAccount(
  db: Kysely<Database>,
  inStep: InStep,
  dependencies: ClosingDependencies,
  nameOrId: string,
): Promise<{ account_id: string; display_name: string | null }> {
  const { account_id } = await inStep('begun', (trx) =>
    withAccount(trx, nameOrId, async (_trx, account) => {
      await closeAccount(trx, dependencies, account.account_id);
      return account;
    }),
  );
  await emptyAccount(db, account_id);
  return inStep('done', (trx) => deleteClosed(trx, dependencies.forwarding, account_id));
}

/** Begins the deletion of an account: nobody gets in any more, its page is hidden and its mail stops. */
export async function closeAccount(
  trx: Transaction<Database>,
  { forwarding, outbox }: ClosingDependencies,
  accountId: string,
): Promise<void> {
  await lockAccount(trx, accountId);
  await cancelMails(trx, accountId);
  await outbox.send(trx, { kind: 'deletion', accountId });
  await revokeApiKeys(trx, accountId);
  await deleteLoginLinks(trx, accountId);
  await deleteSessions(trx, accountId);
  await setClosed(trx, accountId);
  const name = await findDisplayName(trx, accountId);
  if (name !== undefined) await forwarding.queue(trx, name);
}

/** Adds the job that finishes the deletion of a closed account. */
export async function finishDeletionSoon(
  trx: Transaction<Database>,
  jobs: Pick<JobQueue, 'add'>,
  accountId: string,
): Promise<void> {
  await jobs.add(trx, 'account-deletion', { accountId }, { key: accountId });
}

/** Adds jobs for deletions that a command began an hour ago or more, and did not finish. */
export async function resumeDeletions(
  db: Kysely<Database>,
  jobs: Pick<JobQueue, 'add'>,
): Promise<void> {
  for (const accountId of await listClosedAccounts(db, CUT_OFF_SECONDS))
    await inTransaction(db, (trx) => finishDeletionSoon(trx, jobs, accountId));
}

/** Deletes a closed account with everything in it. */
export async function finishDeletion(
  db: Kysely<Database>,
  forwarding: Forwarding,
  { accountId, signal }: { accountId: string; signal?: AbortSignal },
): Promise<void> {
  await emptyAccount(db, accountId, signal);
  try {
    await inTransaction(db, (trx) => deleteClosed(trx, forwarding, accountId));
  } catch (error) {
    // Another server or a command finished it.
    if (!(error instanceof AccountGoneError)) throw error;
  }
}

/** Deletes what takes long, before rows are locked. */
async function emptyAccount(
  db: Kysely<Database>,
  accountId: string,
  signal?: AbortSignal,
): Promise<void> {
  for (const project of await listProjectIds(db, accountId))
    while ((await deleteSomeMetrics(db, { projectId: project }, AT_A_TIME)) > 0)
      signal?.throwIfAborted();
  while ((await deleteStoredResponses(db, accountId, AT_A_TIME)) > 0) signal?.throwIfAborted();
}

/** Deletes the rest of an account that is closed. */
async function deleteClosed(
  trx: Transaction<Database>,
  forwarding: Forwarding,
  accountId: string,
): Promise<{ account_id: string; display_name: string | null }> {
  await lockWholeAccount(trx, accountId);
  const name = await findDisplayName(trx, accountId);
  if (name !== undefined) {
    await releaseDisplayName(trx, accountId, name);
    await forwarding.queue(trx, name);
  }
  await deleteRow(trx, accountId);
  return { account_id: accountId, display_name: name ?? null };
}

import { z } from 'zod';
import { AccountDeletedError } from '#db/account-deleted.ts';
import type { Executor, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  deleteAccount,
  listClosedAccounts,
  lockAccount,
  lockAccountExclusively,
  setClosed,
} from '#db/queries/accounts.ts';
import { revokeApiKeys } from '#db/queries/api-keys.ts';
import { findDisplayName, releaseDisplayName } from '#db/queries/display-names.ts';
import { deleteStoredResponses } from '#db/queries/idempotency-keys.ts';
import { cancelMails } from '#db/queries/jobs.ts';
import { lockWithKept } from '#db/queries/kept-locks.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { deleteSomeMetrics } from '#db/queries/metrics.ts';
import { lockWithOperators } from '#db/queries/operators.ts';
import { listProjectIds } from '#db/queries/projects.ts';
import { deleteSessions } from '#db/queries/sessions.ts';
import type { Core } from '#server/core.ts';
import { defineJob, type RunningJob } from '#server/platform/jobs/define-job.ts';
import type { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { logServerEvent } from '../events/log-event.ts';
import type { React } from '../facts.ts';
import { deletionMail } from './deletion-mail.ts';

type AccountCloser = Pick<Core, 'allowances' | 'jobs' | 'outbox'> & { react: React };

const ROWS_PER_DELETE = 5_000;
const INTERRUPTED_AFTER_SECONDS = 3_600;

export async function closeAccount(
  trx: Transaction,
  app: AccountCloser,
  accountId: string,
  /** Name of the operator who deletes it, null without a name. Undefined for its owner. */
  by?: string | null,
): Promise<void> {
  // Operators get mails about group addresses that lose a reader. Kept accounts may get another owner.
  await lockWithKept(trx, accountId, lockWithOperators);
  await lockAccount(trx, accountId);
  await cancelMails(trx, accountId);
  await app.outbox.mailOwner(trx, deletionMail, { accountId, by });
  await revokeApiKeys(trx, accountId);
  await deleteLoginLinks(trx, accountId);
  await deleteSessions(trx, accountId);
  await app.react(trx, 'sessionsEnded', { accountId, everywhere: true });
  await setClosed(trx, accountId);
  const name = await findDisplayName(trx, accountId);
  const member = { account_id: accountId, display_name: name ?? null };
  await logServerEvent(trx, app, 'member_left', member);
  await app.react(trx, 'accountClosed', { accountId, name: member.display_name });
}

export const accountDeletionJob = defineJob({
  kind: 'account-deletion',
  schema: z.object({ accountId: z.string() }),
  pollSeconds: 10,
  expireSeconds: 3_600,
  run: finishAccountDeletion,
});

export async function enqueueAccountDeletion(
  trx: Transaction,
  jobs: Pick<JobQueue, 'add'>,
  accountId: string,
): Promise<void> {
  await jobs.add(trx, accountDeletionJob, { accountId }, { key: accountId });
}

/**
 * Restarts deletions that have not finished after an hour, for example because a CLI command was
 * killed.
 */
export async function resumeAccountDeletions({
  db,
  jobs,
}: Pick<Core, 'db' | 'jobs'>): Promise<void> {
  for (const accountId of await listClosedAccounts(db, INTERRUPTED_AFTER_SECONDS))
    await inTransaction(db, (trx) => enqueueAccountDeletion(trx, jobs, accountId));
}

async function finishAccountDeletion(
  { db, react }: Pick<Core, 'db'> & { react: React },
  { accountId }: { accountId: string },
  { signal }: RunningJob,
): Promise<void> {
  await deleteBulkData(db, accountId, signal);
  try {
    await inTransaction(db, (trx) => deleteClosedAccount(trx, react, accountId));
  } catch (error) {
    // Another process has already deleted the account.
    if (!(error instanceof AccountDeletedError)) throw error;
  }
}

/** Runs before `deleteClosedAccount`, so that the account is locked only briefly. */
async function deleteBulkData(
  db: Executor,
  accountId: string,
  signal?: AbortSignal,
): Promise<void> {
  for (const projectId of await listProjectIds(db, accountId))
    while ((await deleteSomeMetrics(db, { projectId }, ROWS_PER_DELETE)) > 0)
      signal?.throwIfAborted();
  while ((await deleteStoredResponses(db, accountId, ROWS_PER_DELETE)) > 0)
    signal?.throwIfAborted();
}

/**
 * If mail was ever forwarded or the page was ever visible, the display name is quarantined (see
 * `claimNameForAccount`).
 */
async function deleteClosedAccount(
  trx: Transaction,
  react: React,
  accountId: string,
): Promise<void> {
  await lockAccountExclusively(trx, accountId);
  const name = await findDisplayName(trx, accountId);
  if (name !== undefined) {
    await releaseDisplayName(trx, { accountId, name });
    await react(trx, 'nameChanged', { accountId, from: name, to: null });
  }
  await deleteAccount(trx, accountId);
}

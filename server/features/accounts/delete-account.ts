import { z } from 'zod';
import {
  deleteAccount as deleteAccountRow,
  listClosedAccounts,
  lockAccount,
  lockAccountExclusively,
  setClosed,
} from '#db/queries/accounts.ts';
import { leaveAddresses, listAddressesOf } from '#db/queries/addresses.ts';
import { revokeApiKeys } from '#db/queries/api-keys.ts';
import { findDisplayName, releaseDisplayName } from '#db/queries/display-names.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { deleteStoredResponses } from '#db/queries/idempotency-keys.ts';
import { cancelMails } from '#db/queries/jobs.ts';
import { deleteSomeMetrics } from '#db/queries/metrics.ts';
import { listProjectIds } from '#db/queries/projects.ts';
import { deleteSessions } from '#db/queries/sessions.ts';
import { AccountDeletedError } from '#db/account-deleted.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Database, Executor, Transaction } from '#db/connections/handles.ts';
import { defineJob, type RunningJob } from '#server/platform/jobs/define-job.ts';
import type { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { mailLostReader } from '../addresses/lost-reader.ts';
import { logServerEvent } from '../events/log-event.ts';
import {
  enqueueAccountSync,
  type Forwarding,
  type ForwardingService,
} from '../forwarding/forwarding.ts';
import { deletionMail } from './deletion-mail.ts';
import { requireAccount } from './require-account.ts';
import type { Outbox } from '../mails/outbox.ts';
import type { Core } from '#server/core.ts';

/**
 * Runs one step of a deletion in its own transaction. The step `started` revokes access, so that
 * requests cannot block the step `done`. An interrupted deletion can be repeated.
 */
type RunDeletionStep = <Result>(
  step: 'started' | 'done',
  work: (trx: Transaction) => Promise<Result>,
) => Promise<Result>;

type AccountCloser = Pick<Core, 'allowances' | 'config' | 'jobs'> & {
  forwarding: ForwardingService;
  outbox: Outbox;
};

const ROWS_PER_DELETE = 5_000;
const INTERRUPTED_AFTER_SECONDS = 3_600;

/**
 * If mail was ever forwarded or the page was ever visible, the display name is quarantined (see
 * `claimDisplayName`).
 */
export async function deleteAccount(
  db: Executor,
  runStep: RunDeletionStep,
  app: AccountCloser,
  nameOrId: string,
): Promise<{ account_id: string; display_name: string | null }> {
  const { account_id } = await runStep('started', async (trx) => {
    const account = await requireAccount(trx, nameOrId);
    await closeAccount(trx, app, account.account_id, null);
    return account;
  });
  await deleteBulkData(db, account_id);
  return runStep('done', (trx) => deleteClosedAccount(trx, app.forwarding, account_id));
}

export async function closeAccount(
  trx: Transaction,
  app: AccountCloser,
  accountId: string,
  /** Name of the operator who deletes it, null without a name. Undefined for its owner. */
  by?: string | null,
): Promise<void> {
  await lockAccount(trx, accountId);
  await cancelMails(trx, accountId);
  await app.outbox.mailOwner(trx, deletionMail, { accountId, by });
  await revokeApiKeys(trx, accountId);
  await deleteLoginLinks(trx, accountId);
  await deleteSessions(trx, accountId);
  await setClosed(trx, accountId);
  const name = await findDisplayName(trx, accountId);
  const member = { account_id: accountId, display_name: name ?? null };
  await logServerEvent(trx, app, 'member_left', member);
  await enqueueAccountSync(trx, app.forwarding, accountId);
  const groups = await listAddressesOf(trx, accountId);
  await leaveAddresses(trx, accountId);
  for (const { id: addressId, name: group, stopped_at } of groups) {
    const lost = { addressId, name: group, reader: member.display_name, isDeleted: true };
    if (stopped_at === null) await mailLostReader(trx, app, lost);
  }
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
export async function resumeAccountDeletions(
  db: Database,
  jobs: Pick<JobQueue, 'add'>,
): Promise<void> {
  for (const accountId of await listClosedAccounts(db, INTERRUPTED_AFTER_SECONDS))
    await inTransaction(db, (trx) => enqueueAccountDeletion(trx, jobs, accountId));
}

async function finishAccountDeletion(
  { db, forwarding }: Pick<Core, 'db'> & { forwarding: ForwardingService },
  { accountId }: { accountId: string },
  { signal }: RunningJob,
): Promise<void> {
  await deleteBulkData(db, accountId, signal);
  try {
    await inTransaction(db, (trx) => deleteClosedAccount(trx, forwarding, accountId));
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

async function deleteClosedAccount(
  trx: Transaction,
  forwarding: Forwarding,
  accountId: string,
): Promise<{ account_id: string; display_name: string | null }> {
  await lockAccountExclusively(trx, accountId);
  const name = await findDisplayName(trx, accountId);
  if (name !== undefined) {
    await releaseDisplayName(trx, { accountId, name });
    await forwarding.enqueueSync(trx, name);
  }
  await deleteAccountRow(trx, accountId);
  return { account_id: accountId, display_name: name ?? null };
}

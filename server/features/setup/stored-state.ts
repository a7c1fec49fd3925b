import type { ReadDatabase } from '#db/connections/handles.ts';
import { findChangedCollation, findForwardingError, hasOthers } from '#db/database-state.ts';
import { findClockJump } from '#db/queries/clock.ts';
import { findInstance, findMailServer } from '#db/queries/instance.ts';
import { findStuckMails, readQueueStates } from '#db/queries/jobs.ts';
import { findLastBackup } from '#db/queries/last-backup.ts';
import { countOperators } from '#db/queries/operators.ts';
import { findOwnerAddress } from '#db/queries/owner-mails.ts';
import { countOtherPasskeys, hasPasskeyAt } from '#db/queries/passkeys.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { passkeyHost } from '#server/platform/settings/relying-party.ts';

export type StoredState = Awaited<ReturnType<typeof readStoredState>>;

/**
 * `publicUrl` is undefined if only the running server knows its address. `accountId` is the operator
 * who asks, if it is not a command.
 */
export async function readStoredState(
  db: ReadDatabase,
  config: Config,
  publicUrl: string | undefined,
  accountId?: string,
) {
  const host = publicUrl === undefined ? undefined : passkeyHost(config, publicUrl);
  const [operators, otherPasskeys, lastBackup, queues, forwardingError, instance] =
    await Promise.all([
      countOperators(db, host),
      countOtherPasskeys(db, host),
      findLastBackup(db),
      readQueueStates(db),
      findForwardingError(db),
      findInstance(db),
    ]);
  const mailQueue = queues?.find(({ kind }) => kind === 'mail');
  return {
    operators,
    clockJumpedAt: await findClockJump(db),
    // PostgreSQL 14, which `check` reports as too old, does not know the answer.
    changedCollation: await findChangedCollation(db).catch(() => undefined),
    otherPasskeys,
    lastBackup,
    queues,
    instance,
    hasOthers: await hasOthers(db),
    ...(accountId === undefined ? {} : await readLogin(db, accountId, host)),
    mailQueue,
    hasMailServer: (await findMailServer(db)) !== null,
    forwardingError,
    /** Mails that the mail server has not accepted yet, and one of its errors. */
    stuckMails: mailQueue?.awaiting_retry ? await findStuckMails(db) : { count: 0, error: null },
  };
}

async function readLogin(db: ReadDatabase, accountId: string, host: string | undefined) {
  const loginEmail = await findOwnerAddress(db, accountId);
  const hasSecondLogin = loginEmail !== undefined || (await hasPasskeyAt(db, accountId, host));
  return { loginEmail, hasSecondLogin };
}

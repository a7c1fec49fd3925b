import type { account } from '#contract/owner/account.ts';
import type { DatabaseQueues } from '#server/limits/database-queues.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Handlers } from '#server/http/contract/adapter.ts';
import type { SessionCookie } from '#server/http/access/session-cookie.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import { closeAccount, finishDeletionSoon } from './delete-account.ts';
import type { Naming } from '../names/change-display-name.ts';
import { checkName } from '../sign-up/check-name.ts';
import { demandFreshProof } from '../sessions/fresh-proof.ts';
import type { Forwarding } from '../forwarding/forwarding.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { loggedOut } from '../sessions/logged-out.ts';

const RETRY = { 'retry-after': '10' };

interface AccountDependencies extends Naming {
  queues: DatabaseQueues;
  cookie: SessionCookie;
  forwarding: Forwarding;
  outbox: Outbox;
  jobs: Pick<JobQueue, 'add'>;
}

export function accountRoutes(dependencies: AccountDependencies): Handlers<typeof account> {
  const { queues, cookie, jobs } = dependencies;
  const exporting = new Set<string>();
  return {
    checkDisplayName: async ({ accountId, reads, query: { display_name: input } }) => {
      const { name, isAvailable, suggestions } = await checkName(
        reads,
        dependencies,
        input,
        accountId,
      );
      return { status: 200, body: { display_name: name, available: isAvailable, suggestions } };
    },

    exportData: async ({ accountId, via, reads, refuse }) => {
      await demandFreshProof(reads, { accountId, via });
      if (exporting.has(accountId)) throw refuse('exportInProgress', { headers: RETRY });
      exporting.add(accountId);
      const over = () => void exporting.delete(accountId);
      // Loaded when it is asked for first: few ask.
      const { exportAccount } = await import('./export-account.ts');
      // It goes on after this request was handled, a page at a time.
      const db = queues.writes.of(accountId);
      const archive = await exportAccount(db, accountId).catch((error: unknown) => {
        over();
        throw error;
      });
      archive.once('close', over);
      const date = new Date().toISOString().slice(0, 10);
      return {
        status: 200,
        body: archive,
        headers: { 'content-disposition': `attachment; filename="nameplate-${date}.zip"` },
      };
    },

    deleteAccount: async ({ accountId, via, db, body, refuse }) => {
      await demandFreshProof(db, { accountId, via });
      await inTransaction(db, async (trx) => {
        const name = await findDisplayName(trx, accountId);
        const typed = body.confirm.trim().toLowerCase();
        if (typed !== accountId && typed !== name) throw refuse('confirmationMismatch');
        await closeAccount(trx, dependencies, accountId);
        await finishDeletionSoon(trx, jobs, accountId);
      });
      return { status: 200, body: { success: true }, headers: loggedOut(cookie) };
    },
  };
}

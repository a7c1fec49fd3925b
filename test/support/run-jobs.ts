import { PgBoss } from 'pg-boss';
import type { App } from '#server/app.ts';
import { accountDeletionJob } from '#server/features/accounts/delete-account.ts';
import { ALL_FEATURES, createReact } from '#server/features/call-features.ts';
import { createDatabaseForwarding } from '#server/features/forwarding/forwarding.ts';
import type { Job } from '#server/platform/jobs/define-job.ts';
import type { TestDatabase } from './test-database.ts';

/** Runs all due jobs of a kind. `includeFuture` also runs those that are scheduled for later. */
export async function runJobs(
  { url }: TestDatabase,
  { kind, schema, run }: Job,
  app: Partial<App>,
  { includeFuture = false }: { includeFuture?: boolean } = {},
): Promise<void> {
  await withQueue(url, async (queue) => {
    const options = { batchSize: 1_000, ignoreStartAfter: includeFuture };
    const jobs = await queue.fetch<object>(kind, options);
    await Promise.all(
      jobs.map(async ({ id, data }) => {
        const { signal } = new AbortController();
        await run(app as App, schema.parse(data), { id, signal });
        await queue.complete(kind, id);
      }),
    );
  });
}

export function finishDeletions(database: TestDatabase): Promise<void> {
  const { db } = database;
  const forwarding = createDatabaseForwarding('none', db);
  const app = { forwarding, features: { list: ALL_FEATURES } } as App;
  const react = createReact(app);
  return runJobs(database, accountDeletionJob, { db, react }, { includeFuture: true });
}

async function withQueue(url: string, run: (queue: PgBoss) => Promise<void>): Promise<void> {
  const queue = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false });
  await queue.start();
  try {
    await run(queue);
  } finally {
    await queue.stop();
  }
}

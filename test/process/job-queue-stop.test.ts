import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { defineJob, NO_DATA } from '#server/platform/jobs/define-job.ts';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { openTestDatabase } from '../support/test-database.ts';

it('a stopping queue gives back the jobs that it does not finish', async () => {
  const { db, url, close } = await openTestDatabase();
  onTestFinished(close);
  const started = Promise.withResolvers<void>();
  const job = defineJob({
    ...{ kind: 'stuck', schema: NO_DATA, pollSeconds: 0.5, expireSeconds: 600 },
    run: () => Promise.resolve(),
  });
  const jobs = new JobQueue({ url, logger: { warn: () => {} } });
  jobs.register(job, () => {
    started.resolve();
    return new Promise(() => {});
  });
  await jobs.open();
  await db.transaction().execute((trx) => jobs.add(trx, job, {}));
  await started.promise;
  await jobs.close();
  const { rows } = await sql`SELECT state, start_after < now() + interval '5 seconds' AS is_soon
    FROM pgboss.job WHERE name = 'stuck'`.execute(db);
  expect(rows).toEqual([{ state: 'retry', is_soon: true }]);
});

import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { connectPostgres } from '#db/connections/postgres.ts';
import { startPostgresServer } from './bench-database.ts';
import { listLoads } from './loads.ts';
import { measureWhile, readMemory } from './measure.ts';
import { onInterrupt } from './on-interrupt.ts';
import { startService, stopAllProcesses, stopProcess } from './processes.ts';
import { seedDatabase } from './seed.ts';

const MEGABYTES = Number(process.argv[2] ?? 1_000);
const database = await startPostgresServer();
const BACKUP_DIR = await mkdtemp(join(tmpdir(), 'nameplate-bench-'));
const cleanUp = async () => {
  await stopAllProcesses();
  await database.remove();
  await rm(BACKUP_DIR, { recursive: true });
};
onInterrupt(cleanUp);
try {
  const settings = { TRUST_ACCOUNTS: 'true', BACKUP_DIR, ...database.settings };
  await stopProcess((await startService(settings)).child);
  const connectionString = await database.getUrl();
  const db = connectPostgres({ connectionString, max: 1, onError: () => {} });
  const seedData = await seedDatabase(db, { sites: 1_000, keys: 10_000 });
  const { accountId, apiKey, projectId } = seedData;
  await sql`WITH operator AS (INSERT INTO operators (account_id) VALUES (${accountId}))
    UPDATE api_keys SET scope = 'operator' WHERE account_id = ${accountId}`.execute(db);
  await sql`INSERT INTO pictures (id, account_id, file_hash, bytes, webp_96, webp_512, webp_1200)
    SELECT lpad(n::text, 22, '0') || '-1200x900', ${accountId}::uuid, sha256(n::text::bytea), 150000,
      ${randomBytes(5_000)}::bytea, ${randomBytes(35_000)}::bytea, ${randomBytes(110_000)}::bytea
    FROM generate_series(1, 500) AS n`.execute(db);
  const size = sql<{ mb: number }>`SELECT pg_database_size(current_database()) / 1e6::float8 AS mb`;
  let count = 0;
  for (; (await size.execute(db)).rows[0]!.mb < MEGABYTES; count += 100_000)
    await sql`INSERT INTO metrics (project_id, received_at, payload)
      SELECT ${projectId}::uuid, date_trunc('month', now()) + n * interval '0.1 s', json_build_object(
        'visitors', (random() * 1000)::int, 'page', '/' || md5(n::text), 'tags', ARRAY['a', 'b'])
      FROM generate_series(${count}::int, ${count + 99_999}::int) AS n`.execute(db);
  await sql`VACUUM ANALYZE`.execute(db);
  const service = await startService(settings);
  const loads = listLoads(seedData, { sites: 1, etag: '' });
  const load = loads.find(({ title }) => title === '/stats/ingest-metrics, keyed')!;
  const sendMetrics = async (until: Promise<unknown>) => {
    let isOver = false;
    until.finally(() => (isOver = true)).catch(() => {});
    const { rate, p99 } = await measureWhile(service, load, () => !isOver);
    return { 'requests/s': Math.round(rate), 'p99 ms': p99 };
  };
  const backUp = async () => {
    const path = `${service.base}/owner/operator/start-backup`;
    const { ok } = await fetch(path, { method: 'POST', headers: { 'x-api-key': apiKey } });
    if (!ok) throw new Error('the backup was refused');
    for (;;) {
      const { rows } = await sql<{ state: string; seconds: number }>`
        SELECT state, extract(epoch FROM completed_on - started_on)::int AS seconds FROM pgboss.job
        WHERE name = 'backup' ORDER BY created_on DESC LIMIT 1`.execute(db);
      const { state, seconds } = rows[0]!;
      if (state === 'completed') return { 'backup s': seconds };
      if (state === 'retry') throw new Error('the backup failed');
      await sleep(200);
    }
  };
  const results: object[] = [];
  const report = async (what: string, run: () => Promise<object>) => {
    let peak = 0;
    const timer = setInterval(() => {
      void readMemory(service.child).then((memory) => (peak = Math.max(peak, memory)));
    }, 100).unref();
    results.push({ what, ...(await run()), 'peak memory MB': peak });
    clearInterval(timer);
  };
  await report('nothing', () => sleep(5_000, {}));
  await report('backup', backUp);
  await sendMetrics(sleep(5_000));
  await report('metrics', () => sendMetrics(sleep(20_000)));
  const backup = backUp();
  await report('both', async () => ({ ...(await sendMetrics(backup)), ...(await backup) }));
  await report('metrics', () => sendMetrics(sleep(20_000)));
  const file = await stat(join(BACKUP_DIR, (await readdir(BACKUP_DIR))[0]!));
  console.table(results);
  process.stdout.write(`${count} metrics; file: ${Math.round(file.size / 1e6)} MB\n`);
  await db.destroy();
} finally {
  await cleanUp();
}

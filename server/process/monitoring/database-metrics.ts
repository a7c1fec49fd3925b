import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { assertWritable } from '#db/connections/writable.ts';
import { assertServable, NewerSchemaError } from '#db/migrating/migrate.ts';
import { readQueueStates } from '#db/queries/jobs.ts';
import { findLastBackup } from '#db/queries/last-backup.ts';
import { findLastMaintenance } from '#db/queries/last-maintenance.ts';
import { countUnsyncedAliases } from '#db/queries/provider-aliases.ts';
import { countOpenReports } from '#db/queries/reports.ts';
import { isReadOnly } from '#db/sql-state.ts';
import type { Core } from '#server/core.ts';
import type { OpenDatabase } from '#server/database.ts';
import { type Sample, addGauge } from './gauge.ts';

/** Minimum time between queries, however often the metrics are read. */
const MIN_INTERVAL_MS = 15_000;
/** Shorter than the scrape timeout of Prometheus. */
const TIMEOUT_MS = 3_000;

export interface MonitoredApp extends Pick<Core, 'log' | 'lifecycle'> {
  database: Pick<OpenDatabase, 'readDb' | 'pools'>;
}

export function registerPoolMetrics(
  register: Registry,
  database: Pick<OpenDatabase, 'pools'>,
): void {
  const add = (name: string, help: string, read: (usage: PoolUsage) => number | undefined) =>
    addGauge(register, { name: `nameplate_database_${name}`, help, labelNames: ['pool'] }, () =>
      Object.entries(database.pools()).flatMap(([pool, usage]): Sample[] => {
        const value = read(usage);
        return value === undefined ? [] : [[value, { pool }]];
      }),
    );
  add('connections_in_use', 'Connections in use.', ({ inUse }) => inUse);
  add('connections_open', 'Open connections, in use or idle.', ({ open }) => open);
  add('connections_max', 'Maximum number of connections.', ({ max }) => max);
  add('waiting', 'Requests that wait for a connection.', ({ waiting }) => waiting);
}

type PoolUsage = ReturnType<OpenDatabase['pools']>[string];

/**
 * State that all servers share. If the database is down, `nameplate_database_up` is 0, the other
 * metrics have no values, and no error is thrown.
 */
export function registerServiceMetrics(register: Registry, app: MonitoredApp): void {
  const read = createCachedReader(MIN_INTERVAL_MS, app);
  addGauge(
    register,
    { name: 'nameplate_database_up', help: '1 if the database responds.' },
    async () => [[(await read()) ? 1 : 0]],
  );
  addGauge(
    register,
    {
      name: 'nameplate_ready',
      help: '1 if the server is neither starting nor stopping, and can use and change the database.',
    },
    async () => [[app.lifecycle.isReady && (await read())?.isUsable ? 1 : 0]],
  );
  const add = (name: string, help: string, valueOf: (reading: Reading) => number | undefined) =>
    addGauge(register, { name: `nameplate_${name}`, help }, async () => {
      const reading = await read();
      const value = reading && valueOf(reading);
      return value === undefined ? [] : [[value]];
    });
  add(
    'forwarding_names_waiting',
    'Names that are not in sync with the forwarding provider.',
    ({ unsettled }) => unsettled,
  );
  add('reports_open', 'Open reports of pages, up to 1000.', ({ reports }) => reports);
  addGauge(
    register,
    {
      name: 'nameplate_jobs',
      help: 'Jobs by queue and state: ready, deferred, active or failed.',
      labelNames: ['queue', 'state'],
    },
    async () =>
      ((await read())?.jobs ?? []).flatMap(({ kind, waiting, deferred, active, failed }) =>
        Object.entries({ ready: waiting - deferred, deferred, active, failed }).map(
          ([state, count]): Sample => [count, { queue: kind, state }],
        ),
      ),
  );
  add(
    'backup_timestamp_seconds',
    'When `nameplate backup` last finished; 0 if it never did.',
    ({ lastBackup }) => (lastBackup?.getTime() ?? 0) / 1_000,
  );
  add(
    'maintenance_last_run_timestamp_seconds',
    'When the last maintenance ended.',
    ({ lastMaintenance }) => lastMaintenance && lastMaintenance.finished_at.getTime() / 1_000,
  );
  add(
    'maintenance_last_run_duration_seconds',
    'Duration of the last maintenance.',
    ({ lastMaintenance }) => lastMaintenance?.seconds,
  );
  add(
    'maintenance_last_run_failed_tasks',
    'Failed tasks of the last maintenance.',
    ({ lastMaintenance }) => lastMaintenance?.failed_tasks,
  );
}

type Reading = Awaited<ReturnType<typeof readState>>;

/** Reads the state at most once per `milliseconds`. Resolves to undefined if that failed. */
function createCachedReader(
  milliseconds: number,
  app: MonitoredApp,
): () => Promise<Reading | undefined> {
  let reading: Promise<Reading | undefined> = Promise.resolve(undefined);
  let readAt = -Infinity;
  return () => {
    const now = performance.now();
    if (now - readAt < milliseconds) return reading;
    readAt = now;
    return (reading = readWithTimeout(app));
  };
}

async function readWithTimeout(app: MonitoredApp): Promise<Reading | undefined> {
  const finished = new AbortController();
  try {
    return await Promise.race([
      readState(app),
      sleep(TIMEOUT_MS, undefined, { signal: finished.signal }),
    ]);
  } catch (error) {
    app.log.warn({ err: error }, 'the database could not be queried for metrics');
    return undefined;
  } finally {
    finished.abort();
  }
}

async function readState({ database: { readDb } }: MonitoredApp) {
  return {
    isUsable: await isUsable(readDb),
    unsettled: await countUnsyncedAliases(readDb),
    reports: await countOpenReports(readDb, LIMITS.countedReports),
    jobs: (await readQueueStates(readDb)) ?? [],
    lastBackup: (await findLastBackup(readDb)).finished_at,
    lastMaintenance: await findLastMaintenance(readDb),
  };
}

/** As `/readyz`, but does not wait behind writes, which would make scrapes slow under load. */
async function isUsable(db: ReadDatabase): Promise<boolean> {
  try {
    await assertWritable(db);
    await assertServable(db);
    return true;
  } catch (error) {
    if (isReadOnly(error) || error instanceof NewerSchemaError) return false;
    throw error;
  }
}

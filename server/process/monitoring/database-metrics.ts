import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import { LIMITS } from '#contract/limits.ts';
import { countChatStops } from '#db/queries/chat/chat-stops.ts';
import { readQueue } from '#db/queries/jobs.ts';
import { countUnsyncedAliases } from '#db/queries/forwarding/provider-aliases.ts';
import { countOpenReports } from '#db/queries/reports.ts';
import { findLastBackup } from '#db/queries/last-backup.ts';
import { findLastMaintenance } from '#db/queries/last-maintenance.ts';
import type { OpenDatabase } from '#server/database.ts';
import { type Sample, addGauge } from './gauge.ts';

/** The database is asked at most once in so long, however often the metrics are. */
const READING_MS = 15_000;
/** How long the metrics wait for it: less than Prometheus waits for them. */
const PATIENCE_MS = 3_000;

export interface Measured {
  database: Pick<OpenDatabase, 'reads' | 'pools'>;
  logger: Pick<FastifyBaseLogger, 'warn'>;
}

/** Measures this process's use of the database. */
export function measurePools(register: Registry, database: Pick<OpenDatabase, 'pools'>): void {
  const add = (name: string, help: string, read: (use: Use) => number | undefined) =>
    addGauge(register, { name: `nameplate_database_${name}`, help, labelNames: ['pool'] }, () =>
      Object.entries(database.pools()).flatMap(([pool, use]): Sample[] => {
        const value = read(use);
        return value === undefined ? [] : [[value, { pool }]];
      }),
    );
  add('connections_in_use', 'Connections that work.', ({ inUse }) => inUse);
  add('connections_open', 'Connections that are open, working or not.', ({ open }) => open);
  add('connections_max', 'Connections at most.', ({ max }) => max);
  add('waiting', 'Requests that wait for a connection or their turn.', ({ waiting }) => waiting);
}

type Use = ReturnType<OpenDatabase['pools']>[string];

/** Measures what the database knows about all servers. Without it there is no value, and no failure. */
export function measureService(register: Registry, measured: Measured): void {
  const read = readingAtMostOnceIn(READING_MS, measured);
  addGauge(
    register,
    { name: 'nameplate_database_up', help: '1 if the database answers.' },
    async () => [[(await read()) ? 1 : 0]],
  );
  addGauge(
    register,
    {
      name: 'nameplate_chat_stops',
      help: 'Webhooks, accounts and chat platforms that are not called for a while, and why.',
      labelNames: ['subject', 'reason'],
    },
    async () =>
      ((await read())?.stops ?? []).map(({ count, ...labels }): Sample => [count, labels]),
  );
  addGauge(
    register,
    {
      name: 'nameplate_forwarding_names_waiting',
      help: 'Names that the forwarding provider has not agreed about.',
    },
    async () => {
      const reading = await read();
      return reading ? [[reading.unsettled]] : [];
    },
  );
  addGauge(
    register,
    { name: 'nameplate_reports_open', help: 'Open reports of pages, up to 1000.' },
    async () => {
      const reading = await read();
      return reading ? [[reading.reports]] : [];
    },
  );
  addGauge(
    register,
    {
      name: 'nameplate_jobs',
      help: 'Jobs of a queue: due, put off, being done, or given up.',
      labelNames: ['queue', 'state'],
    },
    async () =>
      ((await read())?.jobs ?? []).flatMap(({ kind, waiting, deferred, active, failed }) =>
        Object.entries({ ready: waiting - deferred, deferred, active, failed }).map(
          ([state, count]): Sample => [count, { queue: kind, state }],
        ),
      ),
  );
  addGauge(
    register,
    {
      name: 'nameplate_backup_timestamp_seconds',
      help: 'When `nameplate backup` last finished; 0 if it never did.',
    },
    async () => {
      const reading = await read();
      return reading ? [[(reading.lastBackup?.getTime() ?? 0) / 1_000]] : [];
    },
  );
  const addMaintenance = (name: string, help: string, valueOf: (last: Maintenance) => number) =>
    addGauge(register, { name: `nameplate_maintenance_last_run_${name}`, help }, async () => {
      const last = (await read())?.lastMaintenance;
      return last ? [[valueOf(last)]] : [];
    });
  addMaintenance(
    'timestamp_seconds',
    'When the last maintenance ended.',
    ({ finished_at }) => finished_at.getTime() / 1_000,
  );
  addMaintenance('duration_seconds', 'How long it took.', ({ seconds }) => seconds);
  addMaintenance('failed_tasks', 'Its tasks that failed.', ({ failed_tasks }) => failed_tasks);
}

type Reading = Awaited<ReturnType<typeof ask>>;
type Maintenance = NonNullable<Reading['lastMaintenance']>;

/** A function that asks the database, or gives the last answer; undefined where there is none. */
function readingAtMostOnceIn(
  milliseconds: number,
  measured: Measured,
): () => Promise<Reading | undefined> {
  let reading: Promise<Reading | undefined> = Promise.resolve(undefined);
  let readAt = -Infinity;
  return () => {
    const now = performance.now();
    if (now - readAt < milliseconds) return reading;
    readAt = now;
    return (reading = askPatiently(measured));
  };
}

async function askPatiently(measured: Measured): Promise<Reading | undefined> {
  const answered = new AbortController();
  try {
    return await Promise.race([
      ask(measured),
      sleep(PATIENCE_MS, undefined, { signal: answered.signal }),
    ]);
  } catch (error) {
    measured.logger.warn({ err: error }, 'the database could not be asked for the metrics');
    return undefined;
  } finally {
    answered.abort();
  }
}

async function ask({ database: { reads } }: Measured) {
  return {
    stops: await countChatStops(reads),
    unsettled: await countUnsyncedAliases(reads),
    reports: await countOpenReports(reads, LIMITS.countedReports),
    jobs: (await readQueue(reads)) ?? [],
    lastBackup: await findLastBackup(reads),
    lastMaintenance: await findLastMaintenance(reads),
  };
}

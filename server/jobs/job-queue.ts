import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { Transaction } from 'kysely';
import pg from 'pg';
import type { Job, JobResult, PgBoss } from 'pg-boss';
import {
  connectionOptions,
  REQUEST_TIME_LIMITS,
  type TimeLimits,
} from '#db/connections/postgres.ts';
import type { Database } from '#db/schema.ts';
import { isDuplicate } from '#db/sql-state.ts';
import { JOB_OPTIONS, type JobData, type JobKind, type JobOptions } from './job-kinds.ts';

export const JOB_QUEUE_CONNECTIONS = 2;
const FOREVER = 2_147_483_647;
/** Finished jobs and their data are deleted after this time. */
const KEEP_FINISHED_SECONDS = 60;
/** Interval for finding jobs of servers that died. */
const SUPERVISE_SECONDS = 15;
/** How long a shutdown waits for running jobs and dead connections. */
const STOP_TIMEOUT_MS = 3_000;

/**
 * If it throws, the job is retried later, unless its kind has `noRetry`. Closing the queue or a timeout
 * of the job aborts `signal`.
 */
type JobHandler<Kind extends JobKind> = (
  data: JobData[Kind],
  job: { id: string; signal: AbortSignal },
) => Promise<unknown>;

/**
 * A failure that the handler has logged. The message is stored with the job, so it must contain
 * nothing private.
 */
export class JobFailedError extends Error {
  override readonly name = 'JobFailedError';
}

interface NewJob {
  /** Replaces a waiting job with the same kind and key. */
  key?: string;
  /** Default: right after the commit. */
  startAt?: Date | undefined;
  priority?: number;
}

/**
 * Register handlers and schedules first, then call `open`. A queue without handlers only adds jobs,
 * and connects when it adds the first.
 */
export class JobQueue {
  readonly #url: string;
  readonly #logger: Pick<FastifyBaseLogger, 'warn'>;
  readonly #options: Record<JobKind, JobOptions>;
  readonly #timeLimits: TimeLimits;
  readonly #handlers = new Map<JobKind, JobHandler<any>>();
  readonly #schedules = new Map<JobKind, string>();
  readonly #pauses = new Map<JobKind, NodeJS.Timeout>();
  readonly #closing = new AbortController();
  readonly #disconnecting = new AbortController();
  #pool: pg.Pool | undefined;
  #boss: PgBoss | undefined;
  #opening: Promise<PgBoss> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: {
    url: string;
    logger: Pick<FastifyBaseLogger, 'warn'>;
    options?: { [Kind in JobKind]?: Partial<JobOptions> };
    timeLimits?: TimeLimits;
  }) {
    this.#url = options.url;
    this.#logger = options.logger;
    this.#timeLimits = options.timeLimits ?? REQUEST_TIME_LIMITS;
    this.#options = { ...JOB_OPTIONS };
    for (const kind of kindsOf(this.#options))
      this.#options[kind] = { ...JOB_OPTIONS[kind], ...options.options?.[kind] };
  }

  work<Kind extends JobKind>(kind: Kind, handler: JobHandler<Kind>): void {
    this.#handlers.set(kind, handler);
  }

  /**
   * Adds a job with empty data at the times of a cron expression (UTC), one for all servers. If
   * times were missed, adds only one job for all of them.
   */
  schedule(kind: JobKind, cron: string): void {
    this.#schedules.set(kind, cron);
  }

  async open(): Promise<void> {
    await this.#open();
  }

  #open(): Promise<PgBoss> {
    return (this.#opening ??= this.#start().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    }));
  }

  async #start(): Promise<PgBoss> {
    if (this.#closed) throw new Error('the job queue is closed');
    // Commands that add no job do not need this library.
    const { PgBoss: Boss } = await import('pg-boss');
    const hasHandlers = this.#handlers.size > 0;
    const boss = (this.#boss ??= new Boss({
      db: this.#connect(),
      supervise: hasHandlers,
      schedule: this.#schedules.size > 0,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
      maintenanceIntervalSeconds: KEEP_FINISHED_SECONDS,
      cronWorkerIntervalSeconds: 10,
      // No job depends on another one.
      flowIntervalSeconds: 3_600,
    })
      .on('error', (error) => this.#warn({ err: error }, 'job queue error'))
      .on('warning', ({ message }) => this.#warn({ problem: message }, 'job queue')));
    // Two servers that start at once may both try to create the tables of pg-boss.
    await boss.start().catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      return boss.start();
    });
    await this.#createQueues(boss);
    // A server with another version or other settings may have added schedules that are obsolete.
    if (hasHandlers)
      for (const { name } of await boss.getSchedules())
        if (!this.#schedules.has(name as JobKind)) await boss.unschedule(name);
    for (const [kind, cron] of this.#schedules)
      await boss.schedule(kind, cron, null, { missed: 'once' });
    for (const kind of this.#handlers.keys()) await this.#startWorkers(boss, kind);
    return boss;
  }

  #connect() {
    const pool = (this.#pool = new pg.Pool({
      connectionString: this.#url,
      max: JOB_QUEUE_CONNECTIONS,
      ...connectionOptions({ timeLimits: this.#timeLimits }),
      application_name: 'nameplate jobs',
      stream: () => new Socket({ signal: this.#disconnecting.signal }),
    }));
    const onError = (error: Error) => this.#warn({ err: error }, 'the job queue lost a connection');
    pool.on('error', onError);
    // Without a listener, an error on a connection in use would end this process.
    pool.on('connect', (client) => client.on('error', onError));
    return { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) };
  }

  async #createQueues(boss: PgBoss): Promise<void> {
    const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
    for (const kind of kindsOf(this.#options)) {
      const { noRetry, expireSeconds, retrySeconds, maxRetrySeconds, giveUpSeconds } =
        this.#options[kind];
      const options = {
        retryLimit: noRetry ? 0 : FOREVER,
        retryBackoff: true,
        retryDelay: retrySeconds,
        retryDelayMax: maxRetrySeconds,
        expireInSeconds: expireSeconds,
        retentionSeconds: giveUpSeconds,
        deleteAfterSeconds: KEEP_FINISHED_SECONDS,
      };
      const queue = existing.get(kind);
      if (!queue) await boss.createQueue(kind, { ...options, policy: 'short' });
      else if (kindsOf(options).some((name) => queue[name] !== options[name]))
        await boss.updateQueue(kind, options);
    }
  }

  async add<Kind extends JobKind>(
    trx: Transaction<Database>,
    kind: Kind,
    data: JobData[Kind],
    { key, startAt, priority = 0 }: NewJob = {},
  ): Promise<void> {
    const boss = await this.#open();
    const { fromKysely } = await import('pg-boss');
    const options = { startAfter: startAt ?? 0, priority, db: fromKysely(trx) };
    if (key === undefined)
      // pg-boss keeps only one waiting job per key, so each of these jobs gets its own key.
      await boss.send(kind, data, { ...options, singletonKey: randomUUID() });
    else await boss.upsert(kind, data, { ...options, singletonKey: key });
  }

  /** Adds many jobs in one statement. */
  async addAll<Kind extends JobKind>(
    trx: Transaction<Database>,
    kind: Kind,
    items: readonly JobData[Kind][],
    { priority }: { priority: number },
  ): Promise<void> {
    if (items.length === 0) return;
    const boss = await this.#open();
    const { fromKysely } = await import('pg-boss');
    const jobs = items.map((data) => ({ data, priority, singletonKey: randomUUID() }));
    await boss.insert(kind, jobs, { db: fromKysely(trx) });
  }

  async #startWorkers(boss: PgBoss, kind: JobKind): Promise<void> {
    const handler = this.#handlers.get(kind)!;
    const { workers, batchSize, pollSeconds } = this.#options[kind];
    const options = {
      localConcurrency: workers,
      batchSize,
      burstWhenBatchFull: batchSize > 1,
      pollingIntervalSeconds: pollSeconds,
      perJobResults: true,
    } as const;
    const run = async (job: Job<JobData[typeof kind]>): Promise<JobResult> => {
      try {
        const signal = AbortSignal.any([this.#closing.signal, job.signal]);
        await handler(job.data, { id: job.id, signal });
        return { id: job.id, status: 'completed' };
      } catch (error) {
        if (error instanceof JobFailedError)
          return { id: job.id, status: 'failed', output: { message: error.message } };
        this.#warn({ kind, err: error }, 'a job failed');
        return { id: job.id, status: 'failed' };
      }
    };
    await boss.work(kind, options, (jobs: Job<JobData[typeof kind]>[]) =>
      Promise.all(jobs.map(run)),
    );
  }

  /** Pauses jobs of a kind in this process. Returns false if they are paused or do not run here. */
  pause(kind: JobKind, until: Date): boolean {
    const boss = this.#boss;
    if (!boss || this.#closed || !this.#handlers.has(kind) || this.#pauses.has(kind)) return false;
    void boss.offWork(kind, { wait: false });
    const timer = setTimeout(() => {
      this.#pauses.delete(kind);
      void this.#startWorkers(boss, kind);
    }, until.getTime() - Date.now());
    this.#pauses.set(kind, timer);
    return true;
  }

  /** Stops within seconds. Any server can start unfinished jobs again. */
  close(): Promise<void> {
    return (this.#closed ??= this.#stop());
  }

  async #stop(): Promise<void> {
    for (const timer of this.#pauses.values()) clearTimeout(timer);
    this.#closing.abort();
    const timer = setTimeout(() => this.#disconnecting.abort(), STOP_TIMEOUT_MS);
    await this.#opening?.catch(() => {});
    await this.#boss?.stop({ timeout: STOP_TIMEOUT_MS });
    await this.#pool?.end();
    clearTimeout(timer);
  }

  #warn(fields: object, message: string): void {
    if (!this.#closed) this.#logger.warn(fields, message);
  }
}

function kindsOf<Name extends string>(byName: Record<Name, unknown>): Name[] {
  return Object.keys(byName) as Name[];
}

import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import type { Job as QueuedJob, JobResult, PgBoss } from 'pg-boss';
import type { Transaction } from '#db/connections/handles.ts';
import {
  connectionOptions,
  REQUEST_TIME_LIMITS,
  type TimeLimits,
} from '#db/connections/postgres.ts';
import { isDuplicate } from '#db/sql-state.ts';
import type { Job, JobKind, JobOptions, RunningJob } from './define-job.ts';

type JobHandler<Data> = (data: Data, job: RunningJob) => Promise<unknown>;

export const JOB_QUEUE_CONNECTIONS = 2;
/** Jobs that are spread over time start in batches of this size. */
const SPREAD_BATCH = 10;
const FOREVER = 2_147_483_647;
/** Finished jobs and their data are deleted after this time. */
const KEEP_FINISHED_SECONDS = 60;
/** Interval for finding jobs of servers that died. */
const SUPERVISE_SECONDS = 15;
/** How long a shutdown waits for running jobs, which pg-boss checks twice a second. */
const FINISH_TIMEOUT_MS = 2_500;
/** Includes giving back unfinished jobs. Then connections are cut, in case they are dead. */
const STOP_TIMEOUT_MS = 5_000;

/**
 * A failure that the handler has logged. The message is stored with the job, so it must contain
 * nothing private.
 */
export class JobFailedError extends Error {
  override readonly name = 'JobFailedError';
}

export interface NewJob {
  /** Replaces a waiting job with the same kind and key. */
  key?: string | undefined;
  /** Default: right after the commit. */
  startAt?: Date | undefined;
  priority?: number;
}

/**
 * Register jobs first, then call `open`. A queue without handlers only adds jobs, and connects when
 * it adds the first.
 */
export class JobQueue {
  readonly #url: string;
  readonly #logger: Pick<FastifyBaseLogger, 'warn'>;
  readonly #options: Record<string, Partial<JobOptions>>;
  readonly #timeLimits: TimeLimits;
  readonly #registered = new Map<string, { job: Job; handler: JobHandler<any> | undefined }>();
  readonly #leftOut = new Map<string, Job>();
  /** By kind, once they were created or found. */
  readonly #queues = new Map<string, Promise<void>>();
  readonly #pauses = new Map<string, NodeJS.Timeout>();
  readonly #closing = new AbortController();
  readonly #disconnecting = new AbortController();
  #pool: pg.Pool | undefined;
  #boss: PgBoss | undefined;
  #opening: Promise<PgBoss> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: {
    url: string;
    logger: Pick<FastifyBaseLogger, 'warn'>;
    /** Overrides options of jobs, by kind. */
    options?: Record<string, Partial<JobOptions>>;
    timeLimits?: TimeLimits;
  }) {
    this.#url = options.url;
    this.#logger = options.logger;
    this.#options = options.options ?? {};
    this.#timeLimits = options.timeLimits ?? REQUEST_TIME_LIMITS;
  }

  /** Without a handler, `open` only creates the queue of the job. */
  register<Data extends object>(job: Job<Data>, handler?: JobHandler<Data>): void {
    const wasRunning = this.#registered.get(job.kind)?.handler !== undefined;
    this.#registered.set(job.kind, { job, handler });
    if (handler && !wasRunning && this.#boss && !this.#closed)
      void this.#opening?.then(
        (boss) => this.#startWorkers(boss, job),
        () => undefined,
      );
  }

  /** For a feature that is off. A server that starts drops those that wait, if `whenOff` says so. */
  leaveOut(job: Job): void {
    this.#leftOut.set(job.kind, job);
  }

  isLeftOut({ kind }: JobKind): boolean {
    return this.#leftOut.has(kind);
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
    const { PgBoss: Boss, systemClock } = await import('pg-boss');
    const running = [...this.#registered.values()].filter(({ handler }) => handler);
    const crons = new Map(
      running.flatMap(({ job: { kind, cron } }) => (cron ? [[kind, cron] as const] : [])),
    );
    const boss = (this.#boss ??= new Boss({
      db: this.#connect(),
      // By the clock of the machine, timers would wait for a time to which it was set for a moment.
      clock: { ...systemClock, now: () => performance.timeOrigin + performance.now() },
      supervise: running.length > 0,
      schedule: crons.size > 0,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
      maintenanceIntervalSeconds: KEEP_FINISHED_SECONDS,
      cronWorkerIntervalSeconds: 10,
      // No job depends on another one.
      flowIntervalSeconds: 3_600,
    })
      .on('error', (error) => this.#warn({ err: toError(error) }, 'job queue error'))
      .on('warning', ({ message }) => {
        // Compares the database with `clock`.
        if (!message.includes('Clock skew')) this.#warn({ problem: message }, 'job queue');
      }));
    // Two servers that start at once may both try to create the tables of pg-boss.
    await boss.start().catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      return boss.start();
    });
    for (const { job } of this.#registered.values()) await this.#createQueue(boss, job);
    // A server with another version or other settings may have added schedules that are obsolete.
    if (running.length > 0) {
      for (const { name } of await boss.getSchedules())
        if (!crons.has(name)) await boss.unschedule(name);
      for (const { kind, whenOff } of this.#leftOut.values())
        if (whenOff === 'drop' && (await boss.getQueue(kind))) await boss.deleteQueuedJobs(kind);
    }
    for (const [kind, cron] of crons) await boss.schedule(kind, cron, {}, { missed: 'once' });
    for (const { job } of running) await this.#startWorkers(boss, job);
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

  #createQueue(boss: PgBoss, job: JobKind): Promise<void> {
    const queue = this.#queues.get(job.kind) ?? this.#createOrUpdateQueue(boss, job);
    this.#queues.set(job.kind, queue);
    queue.catch(() => this.#queues.delete(job.kind));
    return queue;
  }

  async #createOrUpdateQueue(boss: PgBoss, job: JobKind): Promise<void> {
    const { kind, noRetry, expireSeconds, retrySeconds, maxRetrySeconds, ...rest } =
      this.#withOverrides(job);
    const options = {
      retryLimit: noRetry ? 0 : FOREVER,
      retryBackoff: true,
      retryDelay: retrySeconds,
      retryDelayMax: maxRetrySeconds,
      expireInSeconds: expireSeconds,
      retentionSeconds: rest.giveUpSeconds,
      ...(rest.heartbeatSeconds && { heartbeatSeconds: rest.heartbeatSeconds }),
      deleteAfterSeconds: KEEP_FINISHED_SECONDS,
    };
    const queue = await boss.getQueue(kind);
    if (!queue) await boss.createQueue(kind, { ...options, policy: 'short' });
    else if (Object.entries(options).some(([name, value]) => queue[name as never] !== value))
      await boss.updateQueue(kind, options);
  }

  #withOverrides(job: JobKind): JobKind {
    return { ...job, ...this.#options[job.kind] };
  }

  async add<Data extends object>(
    trx: Transaction,
    job: JobKind<Data>,
    data: Data,
    { key, startAt, priority = 0 }: NewJob = {},
  ): Promise<void> {
    const boss = await this.#openFor(job);
    const { fromKysely } = await import('pg-boss');
    const options = { startAfter: startAt ?? 0, priority, db: fromKysely(trx) };
    if (key === undefined)
      // pg-boss keeps only one waiting job per key, so each of these jobs gets its own key.
      await boss.send(job.kind, data, { ...options, singletonKey: randomUUID() });
    else await boss.upsert(job.kind, data, { ...options, singletonKey: key });
  }

  /** Adds many jobs in one statement. With `perMinute`, that many start in a minute. */
  async addAll<Data extends object>(
    trx: Transaction,
    job: JobKind<Data>,
    items: readonly Data[],
    { priority, perMinute = Infinity }: { priority: number; perMinute?: number },
  ): Promise<void> {
    if (items.length === 0) return;
    const boss = await this.#openFor(job);
    const { fromKysely } = await import('pg-boss');
    const now = Date.now();
    const jobs = items.map((data, index) => ({
      data,
      priority,
      singletonKey: randomUUID(),
      startAfter: new Date(
        now + Math.floor(index / SPREAD_BATCH) * ((SPREAD_BATCH * 60_000) / perMinute),
      ),
    }));
    await boss.insert(job.kind, jobs, { db: fromKysely(trx) });
  }

  async #openFor(job: JobKind): Promise<PgBoss> {
    const boss = await this.#open();
    await this.#createQueue(boss, job);
    return boss;
  }

  async #startWorkers(boss: PgBoss, job: Job): Promise<void> {
    const { kind, schema } = job;
    const handler = this.#registered.get(kind)!.handler!;
    const { workers, batchSize, pollSeconds } = this.#withOverrides(job);
    const options = {
      localConcurrency: workers,
      batchSize,
      burstWhenBatchFull: batchSize > 1,
      pollingIntervalSeconds: pollSeconds,
      perJobResults: true,
    } as const;
    const run = async ({ id, data, signal }: QueuedJob): Promise<JobResult> => {
      try {
        await handler(schema.parse(data), {
          id,
          signal: AbortSignal.any([this.#closing.signal, signal]),
        });
        return { id, status: 'completed' };
      } catch (error) {
        if (error instanceof JobFailedError)
          return { id, status: 'failed', output: { message: error.message } };
        this.#warn({ kind, err: error }, 'a job failed');
        return { id, status: 'failed' };
      }
    };
    await boss.work(kind, options, (jobs: QueuedJob[]) => Promise.all(jobs.map(run)));
  }

  /** Pauses a job in this process. Returns false if it is paused or does not run here. */
  pause(job: Job, until: Date): boolean {
    const boss = this.#boss;
    const { kind } = job;
    if (!boss || this.#closed || this.#pauses.has(kind)) return false;
    if (!this.#registered.get(kind)?.handler) return false;
    void boss.offWork(kind, { wait: false });
    const timer = setTimeout(() => {
      this.#pauses.delete(kind);
      void this.#startWorkers(boss, job);
    }, until.getTime() - Date.now());
    this.#pauses.set(kind, timer);
    return true;
  }

  /** Stops within seconds. Any server can start unfinished jobs again, as after a failure. */
  close(): Promise<void> {
    return (this.#closed ??= this.#stop());
  }

  async #stop(): Promise<void> {
    for (const timer of this.#pauses.values()) clearTimeout(timer);
    this.#closing.abort();
    const timer = setTimeout(() => this.#disconnecting.abort(), STOP_TIMEOUT_MS);
    await this.#opening?.catch(() => {});
    await this.#boss?.stop({ timeout: FINISH_TIMEOUT_MS });
    await this.#pool?.end();
    clearTimeout(timer);
  }

  #warn(fields: object, message: string): void {
    if (!this.#closed) this.#logger.warn(fields, message);
  }
}

/** pg-boss copies some errors into plain objects, of which the logger keeps nothing. */
function toError(error: Error): Error {
  return error instanceof Error ? error : Object.assign(new Error(), error);
}

import { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { Transaction } from 'kysely';
import { PgBoss, fromKysely } from 'pg-boss';
import { connectionOptions, REQUEST_LIMITS } from '../../../db/connections/postgres.ts';
import type { Database } from '../../../db/schema.ts';
import type { JobCounts } from './service.ts';
import type { Timing } from './timing.ts';

const FOREVER = 2_147_483_647;
const TEN_YEARS_S = 315_360_000;
const DAY_S = 86_400;
/** After so long a stop breaks off what is left, connections that died silently among it. */
const STOP_MS = 3_000;
const WORKERS = 3;
const BATCH = 5;

/** Topics of jobs: a name at the forwarding provider, or the mail that is due to a destination. */
export type Topic = 'forwarding' | 'mail';

/** Jobs of the kind 'look at this subject', at most one of a subject waiting. */
export class JobQueue {
  readonly #topics: readonly Topic[];
  readonly #boss: PgBoss;
  readonly #timing: Timing;
  readonly #sockets = new Set<Socket>();
  readonly #resume = new Map<Topic, () => Promise<void>>();
  readonly #pauses = new Set<NodeJS.Timeout>();
  #open = false;
  #closed: Promise<void> | undefined;

  constructor(options: {
    url: string;
    topics: readonly Topic[];
    timing: Timing;
    logger: Pick<FastifyBaseLogger, 'warn'>;
  }) {
    const { url, topics, timing, logger } = options;
    this.#topics = topics;
    this.#timing = timing;
    const connections = {
      ...connectionOptions({ timeLimits: REQUEST_LIMITS }),
      stream: () => this.#createSocket(),
    };
    this.#boss = new PgBoss({
      connectionString: url,
      max: 2,
      // All that the driver's pool knows, more than the types say.
      ...connections,
      application_name: 'nameplate forwarding',
      schedule: false,
      superviseIntervalSeconds: 15,
      monitorIntervalSeconds: 15,
    });
    this.#boss.on('error', (error) => logger.warn({ err: error }, 'the job queue has trouble'));
    this.#boss.on('warning', ({ message }) => logger.warn({ problem: message }, 'job queue'));
  }

  /** Makes the queue ready to be written to. */
  async open(): Promise<void> {
    if (this.#open) return;
    await this.#boss.start();
    for (const topic of this.#topics) await this.#create(topic);
    this.#open = true;
  }

  async #create(topic: Topic): Promise<void> {
    // Making it takes a lock that anybody may hold who can connect.
    if (await this.#boss.getQueue(topic)) return;
    await this.#boss.createQueue(topic, {
      policy: 'short',
      retryLimit: FOREVER,
      retryBackoff: true,
      retryDelay: 2,
      retryDelayMax: 300,
      // Longer than a lease, so that the job of a server that died finds the name free again.
      expireInSeconds: Math.ceil(this.#timing.leaseMs / 1_000) + 5,
      retentionSeconds: TEN_YEARS_S,
      deleteAfterSeconds: DAY_S,
    });
    // Puts the queue into pg-boss's cache: looked up inside a caller's transaction, on a single
    // connection, it would wait for itself.
    await this.#boss.findJobs(topic, { key: '' });
  }

  /**
   * Schedules, in the caller's transaction, the job for a subject: right after the commit, or at a time.
   * A waiting job of the same subject is rescheduled. Jobs with a higher priority run first.
   */
  async wake(
    trx: Transaction<Database>,
    topic: Topic,
    { subject, at, priority = 0 }: { subject: string; at?: Date | undefined; priority?: number },
  ): Promise<void> {
    if (!this.#open) throw new Error('the job queue is not open');
    const options = { singletonKey: subject, startAfter: at ?? 0, priority, db: fromKysely(trx) };
    await this.#boss.upsert(topic, { name: subject }, options);
  }

  /** Works the jobs of a topic until the queue is closed. */
  async work(topic: Topic, look: (subject: string) => Promise<unknown>): Promise<void> {
    // A start that is tried again asks once more.
    if (this.#resume.has(topic)) return;
    const poll = Math.max(0.5, this.#timing.pollMs / 1_000);
    const options = {
      localConcurrency: WORKERS,
      batchSize: BATCH,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: poll,
    };
    await this.#boss.work<{ name: string }>(topic, options, async (jobs) => {
      const looks = await Promise.allSettled(jobs.map(({ data }) => look(data.name)));
      const failed = looks.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    });
    this.#resume.set(topic, () => this.work(topic, look));
  }

  /** Pauses the jobs of a topic until a time. */
  pause(topic: Topic, until: Date): void {
    const resume = this.#resume.get(topic);
    // Commands run no jobs, and a closing queue starts none.
    if (!resume || this.#closed) return;
    this.#resume.delete(topic);
    void this.#boss.offWork(topic, { wait: false });
    const timer = setTimeout(() => {
      this.#pauses.delete(timer);
      void resume();
    }, until.getTime() - Date.now());
    this.#pauses.add(timer);
  }

  /** Counts the jobs of each topic, as of about a minute ago or later. */
  async count(): Promise<JobCounts[]> {
    if (!this.#open) return [];
    const all = await Promise.all(
      this.#topics.map((topic) => this.#boss.getQueueStats(topic, { force: true })),
    );
    return all.flat().map((stats) => ({
      queue: stats.name,
      ready: stats.readyCount,
      deferred: stats.deferredCount,
      active: stats.activeCount,
      failed: stats.failedCount,
    }));
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#stop());
  }

  async #stop(): Promise<void> {
    for (const pause of this.#pauses) clearTimeout(pause);
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, STOP_MS);
    await this.#boss.stop({ graceful: true, timeout: STOP_MS });
    clearTimeout(timer);
    this.#open = false;
  }

  #createSocket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    return socket.once('close', () => this.#sockets.delete(socket));
  }
}

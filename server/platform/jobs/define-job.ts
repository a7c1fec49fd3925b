import { z } from 'zod';

const DAY_S = 86_400;
const TEN_YEARS_S = 315_360_000;

export const NO_DATA = z.object({});

export interface JobOptions {
  /** Batches that one process works on in parallel. Default: 1. */
  workers: number;
  /** Jobs fetched at once. A worker waits for the slowest of them before it fetches more. Default: 1. */
  batchSize: number;
  /** The minimum is 0.5. */
  pollSeconds: number;
  /** A job that takes longer is started again, by any server. */
  expireSeconds: number;
  /**
   * Without a heartbeat for this long, the job is started again before it expires. The minimum is
   * 10. Default: off.
   */
  heartbeatSeconds?: number;
  /** Delay after the first failure. Each later failure doubles it. Default: 2. */
  retrySeconds: number;
  /** Default: 300. */
  maxRetrySeconds: number;
  /** Default: ten years, or a day with `noRetry`. */
  giveUpSeconds: number;
  /** Do not start the job again after a failure or timeout. */
  noRetry: boolean;
}

/** Closing the queue or a timeout of the job aborts `signal`. */
export interface RunningJob {
  id: string;
  signal: AbortSignal;
}

/** What it takes to add a job, without the code that runs it. */
export interface JobKind<Data extends object = any> extends JobOptions {
  kind: string;
  /** The data is deleted within two minutes after the job is done. */
  schema: z.ZodType<Data>;
}

export interface Job<Data extends object = any, Needs = any> extends JobKind<Data> {
  /**
   * Adds a job without data at these times (UTC), one for all servers. If times were missed, adds
   * only one job for all of them.
   */
  cron?: string;
  /** If it throws, the job is retried later, unless it has `noRetry`. */
  run: (services: Needs, data: Data, job: RunningJob) => Promise<unknown>;
  /** Whether this server runs such jobs. Checked at the start and when mail becomes available. Default: yes. */
  isNeeded?: (services: Needs) => boolean;
  /** What happens to waiting jobs while their feature is off. Required for jobs of optional features. */
  whenOff?: 'wait' | 'drop';
}

type Required = 'kind' | 'schema' | 'pollSeconds' | 'expireSeconds';

/** `Needs`: the services that `run` uses. */
export function defineJob<Data extends object, Needs>(
  job: Pick<Job<Data, Needs>, Required | 'run'> & Partial<Job<Data, Needs>>,
): Job<Data, Needs> {
  return { ...defineJobKind(job), ...job };
}

/** For a job whose `run` imports what adds it. */
export function defineJobKind<Data extends object>(
  job: Pick<JobKind<Data>, Required> & Partial<JobKind<Data>>,
): JobKind<Data> {
  return {
    workers: 1,
    batchSize: 1,
    retrySeconds: 2,
    maxRetrySeconds: 300,
    giveUpSeconds: job.noRetry ? DAY_S : TEN_YEARS_S,
    noRetry: false,
    ...job,
  };
}

/** Ends a job before the next one starts, which continues with the most overdue work. */
export function abortBeforeNextMinute(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(50_000)]);
}

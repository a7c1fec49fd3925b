import type { OwnerMailKind } from '../../db/queries/owner-mails.ts';

/** Data of the jobs, by kind. It is deleted within two minutes after the job is done. */
export interface JobData {
  /** Makes the forwarding provider agree about a display name. */
  forwarding: { name: string };
  mail: QueuedMail;
}

/** A mail to be sent. Its link, if it has one, is created when it is sent. */
export type QueuedMail =
  | {
      kind: OwnerMailKind;
      accountId: string;
      address: string;
      /** Name of the account, key, provider or reported page; the text of an alert. */
      about: string;
      requestedAt: string;
    }
  | {
      kind: 'confirmation' | 'change';
      accountId: string;
      destinationId: string;
      address: string;
      /** Display name whose mail is forwarded. */
      name: string;
    }
  | { kind: 'registration'; registrationId: string };

export type JobKind = keyof JobData;

export interface JobOptions {
  /** How many batches one server works on at a time. */
  workers: number;
  /** Jobs fetched at once. A worker waits for the slowest of them before it fetches more. */
  batchSize: number;
  /** Polling interval for due jobs in seconds, at least 0.5. */
  pollSeconds: number;
  /** A job that takes longer is started again, by any server. */
  expireSeconds: number;
  /** Wait after the first failure; each further one doubles it. */
  retrySeconds: number;
  maxRetrySeconds: number;
  /** A job that could not be done for so long is given up. */
  giveUpSeconds: number;
}

const WEEK_S = 7 * 86_400;
const TEN_YEARS_S = 315_360_000;

export const JOB_OPTIONS: Record<JobKind, JobOptions> = {
  forwarding: {
    workers: 3,
    batchSize: 5,
    pollSeconds: 0.5,
    expireSeconds: 33,
    retrySeconds: 2,
    maxRetrySeconds: 900,
    giveUpSeconds: TEN_YEARS_S,
  },
  // People wait for login links: on average half the polling interval.
  mail: {
    workers: 3,
    batchSize: 5,
    pollSeconds: 0.5,
    expireSeconds: 60,
    retrySeconds: 2,
    maxRetrySeconds: 300,
    giveUpSeconds: WEEK_S,
  },
};

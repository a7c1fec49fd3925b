import type { Language } from '#contract/languages.ts';
import type { OwnerMailKind } from '#db/queries/owner-mails.ts';

/** Deleted within two minutes after the job is done. */
export interface JobData {
  forwarding: { name: string };
  mail: QueuedMail;
  'alert-evaluation': EmptyData;
  'alert-message': {
    alertId: string;
    /** Revision of the alert that identifies the message. */
    revision: number;
    attempt: number;
    message: {
      kind: 'firing' | 'recovered' | 'test';
      title: string;
      project: string;
      text: string;
    };
  };
  'domain-check': EmptyData;
  /** Creates metric partitions and deletes expired data. */
  maintenance: EmptyData;
  'account-deletion': { accountId: string };
  'metric-sweep': EmptyData;
}

/** The link in a mail is created when the mail is sent. */
export type QueuedMail = { language: Language } & (
  | {
      kind: OwnerMailKind;
      accountId: string;
      address: string;
      /** The name of the account, key, provider or reported page, or an alert or visitor's message as JSON. */
      detail: string;
      requestedAt: string;
    }
  | {
      kind: 'confirmation' | 'change';
      accountId: string;
      destinationId: string;
      address: string;
      /** Display name, or the account's id if it has none. */
      name: string;
      /** Otherwise, the address is only for login links and notices. */
      isForwarding: boolean;
    }
  | { kind: 'sign-up'; signUpId: string }
  | { kind: 'invitation'; invitationId: string }
);

type EmptyData = Record<string, never>;

export type JobKind = keyof JobData;

export interface JobOptions {
  /** Batches that one process handles at a time. */
  workers: number;
  /** Jobs fetched at once. A worker waits for the slowest of them before it fetches more. */
  batchSize: number;
  /** The minimum is 0.5. */
  pollSeconds: number;
  /** A job that takes longer is started again, by any server. */
  expireSeconds: number;
  /** Delay after the first failure. Each later failure doubles it. */
  retrySeconds: number;
  maxRetrySeconds: number;
  giveUpSeconds: number;
  /** Do not start the job again after a failure or timeout. */
  noRetry?: boolean;
}

const DAY_S = 86_400;
const WEEK_S = 7 * DAY_S;
const TEN_YEARS_S = 315_360_000;

/** Not retried: the schedule or the handler adds another job. */
const NO_RETRY = {
  workers: 1,
  batchSize: 1,
  retrySeconds: 0,
  maxRetrySeconds: 0,
  giveUpSeconds: DAY_S,
  noRetry: true,
};

const DELETION = {
  workers: 1,
  batchSize: 1,
  expireSeconds: 3_600,
  retrySeconds: 2,
  maxRetrySeconds: 300,
  giveUpSeconds: TEN_YEARS_S,
};

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
  // Polls often because people wait for login links.
  mail: {
    workers: 3,
    batchSize: 5,
    pollSeconds: 0.5,
    expireSeconds: 60,
    retrySeconds: 2,
    maxRetrySeconds: 300,
    giveUpSeconds: WEEK_S,
  },
  'alert-evaluation': { ...NO_RETRY, pollSeconds: 10, expireSeconds: 120 },
  // Not retried, because a failed job may have sent its message.
  'alert-message': { ...NO_RETRY, batchSize: 16, pollSeconds: 5, expireSeconds: 180 },
  'domain-check': { ...NO_RETRY, pollSeconds: 15, expireSeconds: 120 },
  maintenance: { ...NO_RETRY, pollSeconds: 30, expireSeconds: 3_600 },
  'account-deletion': { ...DELETION, pollSeconds: 10 },
  'metric-sweep': { ...DELETION, pollSeconds: 5 },
};

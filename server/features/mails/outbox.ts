import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '#contract/shared/durations.ts';
import type { Language } from '#contract/shared/languages.ts';
import { UNCONFIRMED_ADDRESS_REFUSALS } from '#contract/request-refusals.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { recordDestinationMail } from '#db/queries/destination-mails.ts';
import {
  findOwnerAddress,
  recordConfirmationMail,
  recordOwnerMail,
} from '#db/queries/owner-mails.ts';
import { recordUnconfirmedMail } from '#db/queries/unconfirmed-mails.ts';
import type { Schema } from '#db/schema.ts';
import type { Executor, Transaction } from '#db/connections/handles.ts';
import type { JobQueue, NewJob } from '#server/platform/jobs/job-queue.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { type DestinationMail, mailJob, type OwnerMail, type QueuedMail } from './mail-job.ts';

const refuse = createRefuser(UNCONFIRMED_ADDRESS_REFUSALS);

/** People wait for login links and confirmations. Many sign-ups must not delay other mail. */
const PRIORITY: Partial<Record<QueuedMail['kind'], number>> = {
  login: 2,
  confirmation: 2,
  recipient: 1,
  'sign-up': -1,
  message: -1,
  invitation: -2,
  'member-message': -3,
};

/** Leaves room for login links within the limits of mail providers, and time to stop a message. */
const MESSAGE_MAILS_PER_MINUTE = 30;

/** A mail without the fields that the outbox adds. */
type Unaddressed<Mail> = Mail extends OwnerMail
  ? Omit<Mail, 'address' | 'name' | 'requestedAt' | 'language'>
  : never;

type MailRequest =
  /** The caller must have locked the account. A `sender` gets a share of the hourly limit. */
  | (Unaddressed<OwnerMail> & { sender?: string })
  | Omit<DestinationMail, 'destinationId' | 'language'>
  | { kind: 'sign-up'; signUpId: string; language: Language }
  | Extract<QueuedMail, { kind: 'recipient' }>;

type ListedMail = Extract<QueuedMail, { kind: 'invitation' | 'member-message' }>;

export interface Outbox {
  readonly isAvailable: boolean;
  /**
   * Adds a mail in the caller's transaction. Resolves to false if the mail is not sent: there is no
   * mail server or address, or a limit of the account or address is reached. Refuses a confirmation
   * over the hourly limit.
   */
  enqueue: (
    trx: Transaction,
    message: MailRequest,
    job?: Pick<NewJob, 'startAt'>,
  ) => Promise<boolean>;
  /** Queues mails of one kind. Operators choose the recipients, so no limit counts them. */
  enqueueAll: (trx: Transaction, mails: readonly ListedMail[]) => Promise<void>;
  /**
   * Counts a mail to an unconfirmed address, and refuses it over the hourly limit of its purpose or
   * over the share of its sender.
   */
  countUnconfirmed: (
    db: Executor,
    purpose: Schema['unconfirmed_mails']['purpose'],
    sender?: string,
  ) => Promise<void>;
}

export function createOutbox(
  jobs: JobQueue,
  { UNCONFIRMED_MAILS_PER_HOUR: limit }: { UNCONFIRMED_MAILS_PER_HOUR: number },
  mailServers: { readonly current?: object | undefined },
): Outbox {
  const recordWithinShare = createShares();

  const countUnconfirmed: Outbox['countUnconfirmed'] = async (db, purpose, sender) => {
    if (limit === 0) return;
    const isRecorded = await recordWithinShare(sender && `${purpose} ${sender}`, (sent) =>
      recordUnconfirmedMail(db, purpose, limit - sent),
    );
    if (isRecorded) return;
    throw refuse('mailLimitReached', retryAfter(HOUR_MS - (Date.now() % HOUR_MS)));
  };

  const createQueuedMail = async (
    trx: Transaction,
    message: MailRequest,
  ): Promise<QueuedMail | undefined> => {
    switch (message.kind) {
      case 'sign-up':
        return message;
      case 'recipient':
        if (!message.from && !message.removed) await countUnconfirmed(trx, 'forwarding');
        return message;
      case 'confirmation':
      case 'change': {
        const destinationId = await recordDestinationMail(trx, message);
        if (destinationId === undefined) return undefined;
        if (message.kind === 'confirmation') {
          if (!(await recordConfirmationMail(trx, message)))
            throw refuse('mailLimitReached', retryAfter(HOUR_MS));
          await countUnconfirmed(trx, 'forwarding');
        }
        const language = await findAccountLanguage(trx, message.accountId);
        return { ...message, destinationId, language };
      }
      default: {
        const { sender, ...mail } = message;
        const { kind, accountId } = mail;
        const address = await recordWithinShare(
          sender && `${kind} ${accountId} ${sender}`,
          (sent) =>
            recordOwnerMail(trx, {
              accountId,
              // All mails about group addresses share one limit.
              kind: kind === 'reader' ? 'group' : kind,
              reserved: sent,
            }),
        );
        return address === undefined ? undefined : addressMail(trx, mail, address);
      }
    }
  };

  const add = (trx: Transaction, mail: QueuedMail, job: Omit<NewJob, 'priority'>) =>
    jobs.add(trx, mailJob, mail, { ...job, priority: PRIORITY[mail.kind] ?? 0 });

  /** At the end of the hour, one mail is sent for all reports above the limit. */
  const addLaterReport = async (trx: Transaction, message: Unaddressed<OwnerMail>) => {
    const address = await findOwnerAddress(trx, message.accountId);
    if (address === undefined) return;
    const mail = await addressMail(trx, message, address);
    const startAt = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS);
    await add(trx, mail, { key: `later reports ${message.accountId}`, startAt });
  };

  return {
    get isAvailable() {
      return mailServers.current !== undefined;
    },
    countUnconfirmed,
    enqueue: async (trx, message, { startAt } = {}) => {
      if (!mailServers.current) return false;
      const mail = await createQueuedMail(trx, message);
      if (mail) await add(trx, mail, { key: jobKeyFor(mail), startAt });
      else if (message.kind === 'report') await addLaterReport(trx, message);
      return mail !== undefined;
    },
    enqueueAll: async (trx, mails) => {
      const kind = mails[0]?.kind ?? 'invitation';
      const perMinute = kind === 'member-message' ? MESSAGE_MAILS_PER_MINUTE : Infinity;
      await jobs.addAll(trx, mailJob, mails, { priority: PRIORITY[kind]!, perMinute });
    },
  };
}

async function addressMail<Mail extends Unaddressed<OwnerMail>>(
  trx: Transaction,
  mail: Mail,
  address: string,
) {
  const { accountId } = mail;
  const name = (await findDisplayName(trx, accountId)) ?? address;
  const requestedAt = new Date().toISOString();
  const language = await findAccountLanguage(trx, accountId);
  return { ...mail, address, name, requestedAt, language };
}

const MAX_SENDERS = 10_000;

/**
 * Calls `record` with the number of mails that the sender caused in the last hour. `record` lowers
 * the limit by that number, so that one sender gets at most half. Each server counts its own.
 */
function createShares() {
  const sentBySender = new LRUCache<string, number>({
    max: MAX_SENDERS,
    ttl: HOUR_MS,
    noUpdateTTL: true,
  });
  return async <T>(
    sender: string | undefined,
    record: (sent: number) => Promise<T>,
  ): Promise<T> => {
    if (sender === undefined) return record(0);
    const sent = sentBySender.get(sender) ?? 0;
    sentBySender.set(sender, sent + 1);
    let result: T | undefined;
    try {
      result = await record(sent);
      return result;
    } finally {
      if (!result) sentBySender.set(sender, (sentBySender.get(sender) ?? 1) - 1);
    }
  };
}

/** A new mail replaces a waiting one, because only the newest link works. */
function jobKeyFor(mail: QueuedMail): string | undefined {
  if (mail.kind === 'login') return `login ${mail.accountId}`;
  if (mail.kind === 'recipient') return `recipient ${mail.recipientId}`;
  if (mail.kind === 'confirmation') return `confirmation ${mail.destinationId}`;
  return undefined;
}

import { UNCONFIRMED_ADDRESS_REFUSALS } from '#contract/request-refusals.ts';
import { HOUR_MS } from '#contract/shared/durations.ts';
import type { Executor, Transaction } from '#db/connections/handles.ts';
import { onRollback } from '#db/connections/transaction.ts';
import { readAccountSettings } from '#db/queries/accounts.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { type Addressee, findAddressee, recordOwnerMail } from '#db/queries/owner-mails.ts';
import { recordUnconfirmedMail } from '#db/queries/unconfirmed-mails.ts';
import type { Schema } from '#db/schema.ts';
import type { JobQueue, NewJob } from '#server/platform/jobs/job-queue.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { HourlyCounter } from '#server/platform/limits/hourly-counter.ts';
import type { MailKind, OwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import { mailJob } from '#server/platform/mail/mail-job.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import type { Config } from '#server/platform/settings/config.ts';

const refuse = createRefuser(UNCONFIRMED_ADDRESS_REFUSALS);

/** Each further mail to an account within an hour has a lower priority than first mails to others. */
const MAX_TURNS = 100;

type AddedFields = Exclude<keyof OwnerMailData, 'accountId'>;

export interface Outbox {
  readonly isAvailable: boolean;
  /**
   * Mails the confirmed address of an account, which the caller must have locked, or those of its
   * keepers. Resolves to false if there is no mail server or address, or the hourly limit is reached.
   * A `sender` gets a share of it.
   */
  mailOwner: <Data extends OwnerMailData>(
    trx: Transaction,
    mail: OwnerMail<Data>,
    data: Omit<Data, AddedFields>,
    options?: { sender?: string; startAt?: Date },
  ) => Promise<boolean>;
  /** Adds a mail whose limits the caller has checked. Resolves to false if there is no mail server. */
  enqueue: <Data extends object>(
    trx: Transaction,
    mail: MailKind<Data>,
    data: Data,
    job?: Pick<NewJob, 'key' | 'startAt'> & { turn?: number },
  ) => Promise<boolean>;
  /** Adds mails of one kind. Operators choose the recipients, so no limit counts them. */
  enqueueAll: <Data extends object>(
    trx: Transaction,
    mail: MailKind<Data>,
    items: readonly Data[],
  ) => Promise<void>;
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
  {
    FEATURES_OFF: off,
    UNCONFIRMED_MAILS_PER_HOUR: limit,
  }: Pick<Config, 'FEATURES_OFF' | 'UNCONFIRMED_MAILS_PER_HOUR'>,
  mailServers: { readonly current?: object | undefined },
): Outbox {
  const recordWithinShare = createShares();
  const turns = new HourlyCounter();

  const countUnconfirmed: Outbox['countUnconfirmed'] = async (db, purpose, sender) => {
    if (limit === 0) return;
    const isRecorded = await recordWithinShare(db, sender && `${purpose} ${sender}`, (sent) =>
      recordUnconfirmedMail(db, purpose, limit - sent),
    );
    if (isRecorded) return;
    throw refuse('mailLimitReached', retryAfter(HOUR_MS - (Date.now() % HOUR_MS)));
  };

  const enqueue: Outbox['enqueue'] = async (trx, mail, data, { key, startAt, turn = 0 } = {}) => {
    if (!mailServers.current) return false;
    const { kind, priority = 0 } = mail;
    const ownKey = mail.key && `${kind} ${mail.key(data)}`;
    const job = { key: key ?? ownKey, startAt, priority: priority * MAX_TURNS - turn };
    await jobs.add(trx, mailJob, { ...data, kind }, job);
    return true;
  };

  const mailOwner: Outbox['mailOwner'] = async (trx, mail, data, { sender, startAt } = {}) => {
    if (!mailServers.current) return false;
    const { kind, limitKind, to } = mail;
    const { accountId } = data;
    const share = sender && `${kind} ${accountId} ${sender}`;
    const isForAll = to === 'keepers' && !off.includes('keepers');
    const scope = to === 'inbox' ? 'inbox' : isForAll ? 'all' : 'owner';
    const record = { accountId, kind: limitKind, scope } as const;
    const counted = await recordWithinShare(trx, share, async (sent) => {
      const addressees = await recordOwnerMail(trx, { ...record, reserved: sent });
      return addressees.length > 0 ? addressees : undefined;
    });
    const summary = counted || !mail.isSummedUp ? undefined : await findAddressee(trx, accountId);
    const job = summary
      ? { key: `later ${kind}s ${accountId}`, startAt: endOfHour() }
      : { startAt };
    const turn = Math.min(turns.get(accountId), MAX_TURNS - 1);
    const addressees = counted ?? (summary ? [summary] : []);
    for (const addressee of addressees)
      await enqueue(trx, mail, await addressMail(trx, data, addressee), { ...job, turn });
    if (addressees.length > 0) turns.add(accountId, 1, trx);
    return counted !== undefined;
  };

  return {
    get isAvailable() {
      return mailServers.current !== undefined;
    },
    countUnconfirmed,
    enqueue,
    mailOwner,
    enqueueAll: async (trx, { kind, priority = 0, perMinute = Infinity }, items) => {
      const mails = items.map((data) => ({ ...data, kind }));
      await jobs.addAll(trx, mailJob, mails, { priority: priority * MAX_TURNS, perMinute });
    },
  };
}

function endOfHour(): Date {
  return new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS);
}

async function addressMail<Data extends OwnerMailData>(
  trx: Transaction,
  data: Omit<Data, AddedFields>,
  addressee: Addressee,
): Promise<Data> {
  const { accountId } = data;
  const name = (await findDisplayName(trx, accountId)) ?? addressee.address;
  const requestedAt = new Date().toISOString();
  const { language, time_zone: timeZone } = await readAccountSettings(trx, accountId);
  const added = { ...addressee, name, requestedAt, language: language ?? 'en', timeZone };
  return { ...data, ...added } as unknown as Data;
}

/**
 * Calls `record` with the number of mails that the sender caused in the last hour. `record` lowers
 * the limit by that number, so that one sender gets at most half. Each server counts its own.
 */
function createShares() {
  const sentBySender = new HourlyCounter();
  return async <T>(
    db: Executor,
    sender: string | undefined,
    record: (sent: number) => Promise<T>,
  ): Promise<T> => {
    if (sender === undefined) return record(0);
    const sent = sentBySender.get(sender);
    sentBySender.add(sender);
    let result: T | undefined;
    try {
      result = await record(sent);
      if (result) onRollback(db, () => sentBySender.add(sender, -1));
      return result;
    } finally {
      if (!result) sentBySender.add(sender, -1);
    }
  };
}

import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from '../../schema.ts';
import { destinationHash } from './forwarding-destinations.ts';

/** Mails that one account can make us send to one address in a day. */
const MAILS_A_DAY = 3;
const DAY = sql`interval '1 day'`;

export type MailKind = 'confirmation' | 'change';

/** A mail that is to be sent. */
export interface DueMail {
  kind: MailKind;
  address: string;
  /** The display name that it is about. */
  name: string;
  /** Tells this mail from the ones before it. */
  number: number;
}

/** Notes that a mail is due to an address of an account; undefined if there were enough for now. */
export async function requestMail(
  trx: Transaction<Database>,
  { accountId, kind, address, name }: Omit<DueMail, 'number'> & { accountId: string },
): Promise<string | undefined> {
  const due = { due: kind, due_address: address, due_name: name };
  const dayIsOver = sql<boolean>`forwarding_destinations.mails_since <= now() - ${DAY}`;
  const row = await trx
    .insertInto('forwarding_destinations')
    .values({
      account_id: accountId,
      address_hash: destinationHash(accountId, address),
      // It was chosen before it was counted.
      chosen_at: sql<Date>`'-infinity'`,
      mails: 1,
      ...due,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'address_hash'])
        .doUpdateSet({
          ...due,
          last_error: null,
          mails: sql<number>`CASE WHEN ${dayIsOver} THEN 1 ELSE forwarding_destinations.mails + 1 END`,
          mails_since: sql<Date>`CASE WHEN ${dayIsOver} THEN excluded.mails_since ELSE forwarding_destinations.mails_since END`,
        })
        .where(sql<boolean>`forwarding_destinations.mails < ${MAILS_A_DAY} OR ${dayIsOver}`),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** The mail that is due, which a link of this hash belongs to for a day if it asks for confirmation. */
export async function takeDueMail(
  trx: Transaction<Database>,
  id: string,
  tokenHash: Buffer,
): Promise<DueMail | undefined> {
  const row = await trx
    .selectFrom('forwarding_destinations')
    .select(['due as kind', 'due_address as address', 'due_name as name', 'mails as number'])
    .where('id', '=', id)
    .where('due', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (row?.kind === 'confirmation')
    await trx
      .updateTable('forwarding_destinations')
      .set({ token_hash: tokenHash, token_expires_at: sql<Date>`now() + ${DAY}` })
      .where('id', '=', id)
      .execute();
  return row as DueMail | undefined;
}

/** Notes what became of a mail, which is due no more if it is `over`. */
export async function noteMail(
  db: Kysely<Database>,
  id: string,
  { number, over, error }: { number: number; over: boolean; error: string | null },
): Promise<void> {
  await db
    .updateTable('forwarding_destinations')
    .set({
      last_error: error,
      ...(over && { due: null, due_address: null, due_name: null }),
    })
    .where('id', '=', id)
    .where('mails', '=', number)
    .execute();
}

/** Mails that are due, the oldest address first. */
export async function listDueMails(db: Kysely<Database>): Promise<string[]> {
  const rows = await db
    .selectFrom('forwarding_destinations')
    .select('id')
    .where('due', 'is not', null)
    .orderBy('mails_since')
    .execute();
  return rows.map(({ id }) => id);
}

/** How many mails are due that could not be sent, and why the last one could not. */
export async function findStuckMails(
  db: Kysely<Database>,
): Promise<{ count: number; error: string | null }> {
  return db
    .selectFrom('forwarding_destinations')
    .select(sql<number>`count(*)::int`.as('count'))
    .select(sql<string | null>`max(last_error)`.as('error'))
    .where('due', 'is not', null)
    .where('last_error', 'is not', null)
    .executeTakeFirstOrThrow();
}

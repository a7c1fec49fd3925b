import { type RawBuilder, sql } from 'kysely';
import type { Language } from '#contract/shared/languages.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Row } from '../schema.ts';
import { isOwnerAddressIn } from './owner-mails.ts';
import { countRows, exists } from './rows.ts';

export interface Applicant {
  /** Also the id of the account. */
  id: string;
  display_name: string;
  name: string | null;
  email: string;
  language: Language;
}

const APPLICANT = [
  'id',
  'display_name',
  'name',
  'language',
  sql<string>`email`.as('email'),
] as const;

const STATUS = [
  'display_name',
  'text',
  'created_at',
  'decided_at',
  'decided_by',
  'sentence',
] as const;
export type ApplicationStatus = Row<'applications', (typeof STATUS)[number]>;

/** Whether the account `id` waits for the decision of an operator. */
export function isWaiting(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (SELECT FROM applications
    WHERE applications.id = ${id} AND applications.state = 'waiting')`;
}

export async function isWaitingAccount(db: ReadDatabase, id: string): Promise<boolean> {
  return exists(db, sql`applications WHERE id = ${id} AND state = 'waiting'`);
}

export async function countWaitingApplications(db: ReadDatabase): Promise<number> {
  return countRows(
    db,
    sql`(SELECT FROM applications WHERE state = 'waiting' LIMIT ${LIMITS.countedApplications}) AS waiting`,
  );
}

/** Newest first. */
export async function listNewestApplicants(
  db: ReadDatabase,
  limit: number,
): Promise<Pick<Applicant, 'display_name' | 'name'>[]> {
  return db
    .selectFrom('applications')
    .select(['display_name', 'name'])
    .where('state', '=', 'waiting')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The names of members, and of other people who wait, with the address of the application. */
export const sameAddress = sql<string[]>`ARRAY(
  SELECT display_names.name FROM forwarding_settings JOIN display_names USING (account_id)
  WHERE ${isOwnerAddressIn(sql`ARRAY[lower(applications.email)]`)}
  UNION SELECT other.display_name FROM applications AS other
  WHERE lower(other.email) = lower(applications.email) AND other.state = 'waiting'
    AND other.id <> applications.id ORDER BY 1)`;

/** Returns undefined if the address has reached its limit of waiting applications. */
export async function insertApplication(
  trx: Transaction,
  { id, display_name, name, email, text, language }: Applicant & { text: string },
): Promise<ApplicationStatus | undefined> {
  // Serializes applications with the same address, so that the count is exact.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(lower(${email}), 1))`.execute(trx);
  const { rows } = await sql<ApplicationStatus>`
    INSERT INTO applications (id, display_name, name, email, text, language)
    SELECT ${id}::uuid, ${display_name}, ${name}::text, ${email}, ${text}, ${language}
    WHERE (SELECT count(*) FROM applications
      WHERE state = 'waiting' AND lower(email) = lower(${email})) < ${LIMITS.applicationsPerAddress}
    RETURNING ${sql.join(STATUS.map((column) => sql.ref(column)))}`.execute(trx);
  return rows[0];
}

/** Sets the token of the mailed link. Returns undefined if the application does not wait any more. */
export async function setApplicationToken(
  trx: Transaction,
  id: string,
  tokenHash: Buffer,
): Promise<{ created_at: Date } | undefined> {
  return trx
    .updateTable('applications')
    .set({ token_hash: tokenHash })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning('created_at')
    .executeTakeFirst();
}

/** In the order of their ids, so that concurrent decisions wait for each other. */
export async function lockApplications(
  trx: Transaction,
  ids: readonly string[],
): Promise<(Applicant & Row<'applications', 'state'>)[]> {
  const rows = await trx
    .selectFrom('applications')
    .select([...APPLICANT, 'state'])
    .where('id', '=', sql<string>`ANY (${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows as (Applicant & Row<'applications', 'state'>)[];
}

/** The account of an approved application begins. */
export async function setApproved(trx: Transaction, id: string): Promise<void> {
  const decision = {
    state: 'approved',
    email: null,
    name: null,
    text: '',
    token_hash: null,
  } as const;
  await trx
    .updateTable('applications')
    .set({ ...decision, decided_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  await trx
    .updateTable('accounts')
    .set({ suspended_at: null, created_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** A trigger deletes the account. Its person can read the sentence with the mailed link. */
export async function setDeclined(
  trx: Transaction,
  id: string,
  { by, sentence }: { by: string | null; sentence: string | null },
): Promise<void> {
  await trx
    .updateTable('applications')
    .set({ state: 'declined', email: null, name: null, text: '', sentence, decided_by: by })
    .set({ decided_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

export async function findApplicationByToken(
  db: ReadDatabase,
  tokenHash: Buffer,
): Promise<ApplicationStatus | undefined> {
  return db
    .selectFrom('applications')
    .select(STATUS)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/** A trigger deletes the account, if it waits. Returns false if no link has this token. */
export async function deleteApplicationByToken(
  trx: Transaction,
  tokenHash: Buffer,
): Promise<boolean> {
  const application = await trx
    .deleteFrom('applications')
    .where('token_hash', '=', tokenHash)
    .returning('id')
    .executeTakeFirst();
  return application !== undefined;
}

/** Deletes expired applications. A trigger deletes their accounts. */
export async function deleteUndecidedApplications(trx: Transaction): Promise<Applicant[]> {
  const rows = await trx
    .deleteFrom('applications')
    .where('state', '=', 'waiting')
    .where(
      sql<boolean>`created_at <= now() - ${sql.lit(LIMITS.applicationDays)} * interval '1 day'`,
    )
    .returning(APPLICANT)
    .execute();
  return rows as Applicant[];
}

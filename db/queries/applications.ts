import { sql } from 'kysely';
import type { ApplicationState } from '#contract/shared/applications.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Language } from '#contract/shared/languages.ts';
import type { ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Row } from '../schema.ts';
import { isOwnerAddressIn } from './owner-mails.ts';
import { countRows, isAfter } from './rows.ts';

export type ApplicationRow = Row<
  'applications',
  | 'id'
  | 'display_name'
  | 'name'
  | 'email'
  | 'text'
  | 'state'
  | 'sentence'
  | 'created_at'
  | 'decided_at'
> & { same_address: string[] };

export interface Applicant {
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

export async function countWaitingApplications(db: ReadDatabase): Promise<number> {
  return countRows(
    db,
    sql`(SELECT FROM applications WHERE state = 'waiting' LIMIT ${LIMITS.countedApplications}) AS waiting`,
  );
}

/** Newest first. */
export async function listApplications(
  db: ReadDatabase,
  { state, limit, after }: { state: ApplicationState; limit: number; after?: string | undefined },
): Promise<ApplicationRow[]> {
  let applications = db
    .selectFrom('applications')
    .select([
      'id',
      'display_name',
      'email',
      'text',
      'state',
      'sentence',
      'created_at',
      'decided_at',
    ])
    .select([
      // Approval moved the name to the page. Somebody else may have the display name by now.
      sql<string | null>`coalesce(name, (SELECT sites.display_name FROM display_names
        JOIN accounts ON accounts.id = account_id JOIN sites USING (account_id)
        WHERE display_names.name = applications.display_name
          AND accounts.created_at = decided_at))`.as('name'),
      sql<string[]>`ARRAY(SELECT name FROM forwarding_settings JOIN display_names USING (account_id)
        WHERE ${isOwnerAddressIn(sql`ARRAY[lower(applications.email)]`)}
        UNION SELECT other.display_name FROM applications AS other
        WHERE lower(other.email) = lower(applications.email) AND other.state = 'waiting'
          AND other.id <> applications.id ORDER BY 1)`.as('same_address'),
    ])
    .where('state', '=', state);
  if (after !== undefined) applications = applications.where(isAfter('applications', after));
  return applications.orderBy('created_at', 'desc').orderBy('id').limit(limit).execute();
}

/** Returns undefined if the address has reached its limit of waiting applications. */
export async function insertApplication(
  trx: Transaction,
  { display_name, name, email, text, language }: Omit<Applicant, 'id'> & { text: string },
): Promise<{ id: string; created_at: Date } | undefined> {
  // Serializes applications with the same address, so that the count is exact.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(lower(${email}), 1))`.execute(trx);
  const { rows } = await sql<{ id: string; created_at: Date }>`
    INSERT INTO applications (display_name, name, email, text, language)
    SELECT ${display_name}, ${name}::text, ${email}, ${text}, ${language}
    WHERE (SELECT count(*) FROM applications
      WHERE state = 'waiting' AND lower(email) = lower(${email})) < ${LIMITS.applicationsPerAddress}
    RETURNING id, created_at`.execute(trx);
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
): Promise<Map<string, Applicant & { state: ApplicationState }>> {
  const rows = await trx
    .selectFrom('applications')
    .select([...APPLICANT, 'state'])
    .where('id', '=', sql<string>`ANY (${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row as Applicant & { state: ApplicationState }]));
}

export async function setApplicationDecided(
  trx: Transaction,
  id: string,
  state: 'approved' | 'declined',
  sentence: string | null = null,
): Promise<void> {
  await trx
    .updateTable('applications')
    .set({
      state,
      sentence,
      decided_at: sql<Date>`now()`,
      token_hash: null,
      ...(state === 'approved' && { email: null, name: null, text: '' }),
    })
    .where('id', '=', id)
    .execute();
}

export async function findApplicationByToken(
  db: ReadDatabase,
  tokenHash: Buffer,
): Promise<Pick<ApplicationRow, 'display_name' | 'created_at'> | undefined> {
  return db
    .selectFrom('applications')
    .select(['display_name', 'created_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

export async function deleteApplicationByToken(
  trx: Transaction,
  tokenHash: Buffer,
): Promise<string | undefined> {
  const application = await trx
    .deleteFrom('applications')
    .where('token_hash', '=', tokenHash)
    .returning('display_name')
    .executeTakeFirst();
  return application?.display_name;
}

/** Deletes the applications that nobody has decided in time. */
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

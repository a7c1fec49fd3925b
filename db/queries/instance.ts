import { type Selectable, sql } from 'kysely';
import { LEGAL_DOCUMENTS } from '#contract/shared/instance.ts';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Schema } from '../schema.ts';

type MailServerColumn = 'encrypted_mail_server' | 'encrypted_pending_mail_server';
export type InstanceRow = Omit<
  Selectable<Schema['instance']>,
  'only_row' | 'logo' | 'dark_logo' | 'cover' | 'encrypted_key_check' | 'listing' | MailServerColumn
>;

/** The default look. */
export const EMPTY_INSTANCE: InstanceRow = {
  name: null,
  line: null,
  color: null,
  logo_id: null,
  dark_logo_id: null,
  cover_id: null,
  cover_description: null,
  cover_focus: null,
  theme_fonts: null,
  contact: null,
  imprint_url: null,
  privacy_url: null,
  terms_url: null,
  imprint: null,
  privacy: null,
  terms: null,
  welcome: null,
  directory: 'off',
  our_page_id: null,
};

/** Undefined fields stay as they are. */
export type InstanceChange = {
  [Field in Exclude<keyof Schema['instance'], 'only_row'>]?:
    | Selectable<Schema['instance']>[Field]
    | undefined;
};

const COLUMNS = [
  ...(['name', 'line', 'color', 'logo_id', 'dark_logo_id', 'cover_id'] as const),
  ...([
    'cover_description',
    'cover_focus',
    'theme_fonts',
    'contact',
    'imprint_url',
    'privacy_url',
    'terms_url',
    'welcome',
    'directory',
    'our_page_id',
  ] as const),
  ...LEGAL_DOCUMENTS,
] as const;

/** Returns the ids of the pictures, but not their files. */
export async function findInstance(db: ReadDatabase): Promise<InstanceRow> {
  const row = await db.selectFrom('instance').select(COLUMNS).executeTakeFirst();
  return row ?? EMPTY_INSTANCE;
}

export async function saveInstance(trx: Transaction, change: InstanceChange): Promise<InstanceRow> {
  return trx
    .insertInto('instance')
    .values({ only_row: true, ...change })
    .onConflict((conflict) =>
      conflict.column('only_row').doUpdateSet({ only_row: true, ...change }),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export async function findMailServer(db: ReadDatabase): Promise<Buffer | null> {
  const row = await db.selectFrom('instance').select('encrypted_mail_server').executeTakeFirst();
  return row?.encrypted_mail_server ?? null;
}

export async function findKeyCheck(db: ReadDatabase): Promise<Buffer | null> {
  const row = await db.selectFrom('instance').select('encrypted_key_check').executeTakeFirst();
  return row?.encrypted_key_check ?? null;
}

/** Without the migrations, the tables of secrets or some columns are missing. */
export async function listEncryptedColumns(db: ReadDatabase): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT attname AS name FROM pg_attribute
    WHERE attrelid IN (to_regclass('instance'), to_regclass('connections'))
      AND attname LIKE 'encrypted%'`.execute(db);
  return rows.map(({ name }) => name);
}

/** Keeps a stored check, unless it `replaces` that. */
export async function saveKeyCheck(
  db: Executor,
  check: Buffer,
  { replaces }: { replaces: boolean },
): Promise<void> {
  await sql`INSERT INTO instance (encrypted_key_check) VALUES (${check})
    ON CONFLICT (only_row) DO UPDATE SET encrypted_key_check = ${check}
    WHERE ${replaces} OR instance.encrypted_key_check IS NULL`.execute(db);
}

/** The file of the cover or a logo, of the installation or of a website. */
export async function findInstancePicture(
  db: ReadDatabase,
  id: string,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ file: Buffer }>`
    SELECT file FROM instance,
      LATERAL (VALUES (logo_id, logo), (dark_logo_id, dark_logo), (cover_id, cover)) AS pictures (id, file)
    WHERE pictures.id = ${id}
    UNION ALL SELECT logo FROM oauth_clients WHERE logo_id = ${id}
    LIMIT 1`.execute(db);
  return rows[0]?.file;
}

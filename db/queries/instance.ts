import { LEGAL_DOCUMENTS } from '#contract/shared/instance.ts';
import type { Selectable } from 'kysely';
import type { Schema } from '../schema.ts';
import type { ReadDatabase, Transaction } from '../connections/handles.ts';

type MailServerColumn = 'encrypted_mail_server' | 'encrypted_pending_mail_server';
export type InstanceRow = Omit<
  Selectable<Schema['instance']>,
  'only_row' | 'logo' | 'dark_logo' | MailServerColumn
>;

/** The default look. */
export const EMPTY_INSTANCE: InstanceRow = {
  name: null,
  line: null,
  color: null,
  logo_id: null,
  dark_logo_id: null,
  contact: null,
  imprint_url: null,
  privacy_url: null,
  terms_url: null,
  imprint: null,
  privacy: null,
  terms: null,
  welcome: null,
  directory: 'off',
  listing: 'agreed',
};

/** Undefined fields stay as they are. */
export type InstanceChange = {
  [Field in Exclude<keyof Schema['instance'], 'only_row'>]?:
    | Selectable<Schema['instance']>[Field]
    | undefined;
};

const COLUMNS = [
  ...(['name', 'line', 'color', 'logo_id', 'dark_logo_id'] as const),
  ...([
    'contact',
    'imprint_url',
    'privacy_url',
    'terms_url',
    'welcome',
    'directory',
    'listing',
  ] as const),
  ...LEGAL_DOCUMENTS,
] as const;

/** Returns the ids of the logos, but not their files. */
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

export async function findMailServers(
  db: ReadDatabase,
): Promise<Partial<Pick<Schema['instance'], MailServerColumn>>> {
  const columns = ['encrypted_mail_server', 'encrypted_pending_mail_server'] as const;
  return (await db.selectFrom('instance').select(columns).executeTakeFirst()) ?? {};
}

export async function findLogo(db: ReadDatabase, id: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('instance')
    .select((eb) =>
      eb
        .case()
        .when('logo_id', '=', id)
        .then(eb.ref('logo'))
        .else(eb.ref('dark_logo'))
        .end()
        .as('file'),
    )
    .where((eb) => eb.or([eb('logo_id', '=', id), eb('dark_logo_id', '=', id)]))
    .executeTakeFirst();
  return row?.file ?? undefined;
}

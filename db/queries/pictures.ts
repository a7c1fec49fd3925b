import { sql } from 'kysely';
import type { PictureSize } from '#contract/shared/pictures.ts';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import { lateralLookup } from '../lateral-lookup.ts';
import type { Row } from '../schema.ts';
import { isPageForMembers, isPageVisible } from './public-sites.ts';

const COLUMNS = ['id', 'bytes', 'created_at'] as const;

export type PictureRow = Row<'pictures', (typeof COLUMNS)[number]>;

export async function findUploadedPicture(
  db: Executor,
  accountId: string,
  fileHash: Buffer,
): Promise<PictureRow | undefined> {
  return db
    .updateTable('pictures')
    .set({ used_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('file_hash', '=', fileHash)
    .returning(COLUMNS)
    .executeTakeFirst();
}

interface PictureTotals {
  count: number;
  bytes: number;
  /** The account's own limit, or null. */
  limit_mb: number | null;
}

export async function getPictureTotals(
  db: ReadDatabase,
  accountId: string,
): Promise<PictureTotals> {
  const { rows } = await sql<PictureTotals>`
    SELECT count(*)::integer AS count, coalesce(sum(bytes), 0)::float8 AS bytes,
      (SELECT picture_limit_mb FROM accounts WHERE id = ${accountId}) AS limit_mb
    FROM pictures WHERE account_id = ${accountId}`.execute(db);
  return rows[0]!;
}

/** Returns the existing picture if the same file was uploaded in parallel. */
export async function insertPicture(
  trx: Transaction,
  accountId: string,
  {
    id,
    fileHash,
    files,
  }: { id: string; fileHash: Buffer; files: Readonly<Record<PictureSize, Buffer>> },
): Promise<PictureRow> {
  return trx
    .insertInto('pictures')
    .values({
      id,
      account_id: accountId,
      file_hash: fileHash,
      bytes: Object.values(files).reduce((sum, { length }) => sum + length, 0),
      webp_96: files[96],
      webp_512: files[512],
      webp_1200: files[1200],
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'file_hash']).doUpdateSet({
        used_at: (eb) => eb.ref('excluded.used_at'),
      }),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export async function listPictures(db: ReadDatabase, accountId: string): Promise<PictureRow[]> {
  return db
    .selectFrom('pictures')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

export interface PictureVisibility {
  account_id: string;
  visible: boolean;
  for_members: boolean;
}

const lookUpVisibility = lateralLookup('text', (id, query) =>
  query
    .selectFrom('pictures')
    .innerJoin('accounts', 'accounts.id', 'pictures.account_id')
    .leftJoin('sites', 'sites.account_id', 'pictures.account_id')
    .leftJoin('display_names', 'display_names.account_id', 'pictures.account_id')
    .where('pictures.id', '=', id)
    .select(['pictures.id', 'pictures.account_id'])
    .select([isPageVisible.as('visible'), isPageForMembers.as('for_members')]),
);

/** A picture is visible if its account's page is visible. */
export async function findPictureVisibility(
  db: ReadDatabase,
  ids: readonly string[],
): Promise<Map<string, PictureVisibility>> {
  const rows = await lookUpVisibility(db, ids);
  return new Map(rows.map(({ id, ...visibility }) => [id, visibility]));
}

export function pictureKey(id: string, size: PictureSize): string {
  return `${id} ${size}`;
}

const lookUpFiles = lateralLookup('text', (key, query) =>
  query
    .selectFrom('pictures')
    .where('id', '=', sql<string>`split_part(${key}, ' ', 1)`)
    .select(sql<string>`${key}`.as('key'))
    .select(
      sql<Buffer>`CASE split_part(${key}, ' ', 2)
        WHEN '96' THEN webp_96 WHEN '512' THEN webp_512 ELSE webp_1200 END`.as('file'),
    ),
);

export async function findPictureFiles(
  db: ReadDatabase,
  keys: readonly string[],
): Promise<Map<string, Buffer>> {
  const rows = await lookUpFiles(db, keys);
  return new Map(rows.map(({ key, file }) => [key, file]));
}

/** Lists accounts with pictures whose last use was recorded more than a day ago. */
export async function listAccountsWithStalePictures(
  db: ReadDatabase,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('pictures')
    .select('account_id')
    .distinct()
    .where(sql<boolean>`used_at < now() - interval '1 day'`)
    .limit(limit)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/** Marks the covers, and the pictures that stored versions of the site use, including the current one. */
export async function markUsedPictures(trx: Transaction, accountId: string): Promise<void> {
  await sql`
    UPDATE pictures SET used_at = now()
    WHERE account_id = ${accountId} AND id IN (
      SELECT found[1] FROM site_versions,
        regexp_matches(configuration::text, '/pictures/([\\w-]{22}-\\d+x\\d+)/', 'g') AS found
      WHERE account_id = ${accountId}
      UNION ALL SELECT picture_id FROM covers WHERE account_id = ${accountId}
    )`.execute(trx);
}

export async function deleteUnusedPictures(
  trx: Transaction,
  accountId: string,
  days: number,
): Promise<void> {
  await trx
    .deleteFrom('pictures')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`used_at < now() - make_interval(days => ${days})`)
    .execute();
}

/** Returns the 512-pixel WebP of a picture of the account, or of any account if `accountId` is undefined. */
export async function findPictureFile(
  db: ReadDatabase,
  { accountId, id, size }: { accountId: string | undefined; id: string; size: 512 | 1200 },
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('pictures')
    .select(`webp_${size} as file`)
    .where('id', '=', id)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .executeTakeFirst();
  return row && Buffer.from(row.file);
}

import { sql } from 'kysely';
import type { ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Row } from '../schema.ts';
import { lockAccount } from './accounts.ts';
import { upsertSite } from './sites.ts';

const COLUMNS = ['url', 'state', 'title', 'picture_id'] as const;

export type CoverRow = Row<'covers', (typeof COLUMNS)[number]>;

interface CoverKey {
  accountId: string;
  url: string;
}

export async function listCovers(db: ReadDatabase, accountId: string): Promise<CoverRow[]> {
  return db
    .selectFrom('covers')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy('url')
    .execute();
}

/** Addresses of the blocks that can have a cover. */
export async function listLinkedUrls(db: ReadDatabase, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('blocks')
    .select('url')
    .distinct()
    .where('account_id', '=', accountId)
    .where('type', 'in', ['embed', 'link'])
    .where('url', 'is not', null)
    .execute();
  return rows.map(({ url }) => url!);
}

/** Deletes all other covers. Returns the new ones to look up, at most `limit`. */
export async function keepCovers(
  trx: Transaction,
  accountId: string,
  { urls, limit }: { urls: readonly string[]; limit: number },
): Promise<string[]> {
  const { rows } = await sql<Pick<CoverRow, 'url' | 'state'>>`
    WITH unused AS (
      DELETE FROM covers WHERE account_id = ${accountId} AND url <> ALL (${urls}::text[])
    )
    INSERT INTO covers (account_id, url, state)
    SELECT ${accountId}, url,
      CASE WHEN row_number() OVER () <= ${limit} THEN 'pending' ELSE 'rate_limited' END
    FROM unnest(${urls}::text[]) AS url
    WHERE url NOT IN (SELECT url FROM covers WHERE account_id = ${accountId})
    ON CONFLICT DO NOTHING RETURNING url, state`.execute(trx);
  return rows.filter(({ state }) => state === 'pending').map(({ url }) => url);
}

/** Whether a service is to be asked: the cover may be removed or found, or its block is gone. */
export async function isCoverPending(db: ReadDatabase, cover: CoverKey): Promise<boolean> {
  const query = db.selectFrom('covers').select('state').where('state', '=', 'pending');
  return (await query.where(isCover(cover)).executeTakeFirst()) !== undefined;
}

/** The page shows the change. Returns false without such a cover. */
export async function changeCover(
  trx: Transaction,
  cover: CoverKey,
  change: Partial<Omit<CoverRow, 'url'>>,
  { onlyPending = false } = {},
): Promise<boolean> {
  await lockAccount(trx, cover.accountId);
  await upsertSite(trx, cover.accountId, {});
  const { numUpdatedRows } = await trx
    .updateTable('covers')
    .set(change)
    .where(isCover(cover))
    .$if(onlyPending, (query) => query.where('state', '=', 'pending'))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Before the deletion of the picture, so that the page no longer shows it. */
export async function removeCoverPicture(
  trx: Transaction,
  { accountId, pictureId }: { accountId: string; pictureId: string },
): Promise<void> {
  await lockAccount(trx, accountId);
  const { numUpdatedRows } = await trx
    .updateTable('covers')
    .set({ picture_id: null })
    .where('account_id', '=', accountId)
    .where('picture_id', '=', pictureId)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await upsertSite(trx, accountId, {});
}

function isCover({ accountId, url }: CoverKey) {
  return sql<boolean>`account_id = ${accountId} AND url = ${url}`;
}

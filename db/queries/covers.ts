import { type RawBuilder, sql } from 'kysely';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Row } from '../schema.ts';

const COLUMNS = ['url', 'state', 'problem', 'title', 'picture_id'] as const;

export type CoverRow = Row<'covers', (typeof COLUMNS)[number]>;
export type CoverProblem = NonNullable<CoverRow['problem']>;

/** What a page shows, by address. Null without covers. */
export type PageCovers = Record<string, Pick<CoverRow, 'title' | 'picture_id'>> | null;

interface CoverKey {
  accountId: string;
  url: string;
}

export function coversAsJson(accountId: RawBuilder<unknown>): RawBuilder<PageCovers> {
  return sql`(
    SELECT json_object_agg(url, json_build_object('title', title, 'picture_id', picture_id))
    FROM covers WHERE covers.account_id = ${accountId})`;
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

/** Deletes all other covers. Returns the new ones, at most `limit`. */
export async function keepCovers(
  trx: Transaction,
  accountId: string,
  { urls, limit }: { urls: readonly string[]; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    WITH unused AS (
      DELETE FROM covers WHERE account_id = ${accountId} AND url <> ALL (${urls}::text[])
    )
    INSERT INTO covers (account_id, url)
    SELECT ${accountId}, url FROM unnest(${urls}::text[]) AS url
    WHERE url NOT IN (SELECT url FROM covers WHERE account_id = ${accountId})
    LIMIT ${limit}
    ON CONFLICT DO NOTHING RETURNING url`.execute(trx);
  return rows.map(({ url }) => url);
}

/** Returns false if the account has no such cover. */
export async function restartCover(db: Executor, { accountId, url }: CoverKey): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('covers')
    .set({ state: 'pending', problem: null })
    .where('account_id', '=', accountId)
    .where('url', '=', url)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Stores the result of a lookup, unless the cover was removed, or removes it. A failed lookup keeps
 * what an earlier one found. Locks the site first, like a save. Returns false without such a cover.
 */
export async function storeCover(
  trx: Transaction,
  { accountId, url }: CoverKey,
  change: Omit<CoverRow, 'url'>,
): Promise<boolean> {
  await sql`UPDATE sites SET version = version + 1 WHERE account_id = ${accountId}`.execute(trx);
  const isRemoved = change.state === 'removed';
  const { rows } = await sql`
    UPDATE covers SET state = ${change.state}, problem = ${change.problem},
      title = CASE WHEN ${isRemoved} THEN NULL ELSE coalesce(${change.title}, title) END,
      picture_id = CASE WHEN ${isRemoved} THEN NULL ELSE coalesce(${change.picture_id}, picture_id) END
    WHERE account_id = ${accountId} AND url = ${url} AND (${isRemoved} OR state <> 'removed')
    RETURNING url`.execute(trx);
  return rows.length > 0;
}

import { sql } from 'kysely';
import type { Block } from '#contract/block.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { type SiteRow, type StoredBlock, siteAsJson, toBlock } from './sites.ts';

export interface SiteVersionRow {
  version: number;
  created_at: Date;
  bytes: number;
  changed: (keyof SiteRow | 'blocks')[];
  blocks: { type: string; change: 'added' | 'changed' | 'removed'; count: number }[];
}

/**
 * Stores the current site as its newest version and returns that, unless nothing changed. Keeps the
 * newest `limit` versions that together have at most `bytes`, and always the newest one.
 */
export async function storeSiteVersion(
  trx: Transaction,
  accountId: string,
  { limit, bytes }: { limit: number; bytes: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ version: string }>`
    INSERT INTO site_versions (account_id, version, configuration, bytes)
    SELECT account_id, version, configuration, octet_length(configuration::text)
    FROM (
      SELECT account_id, version, json_build_object(
        ${siteAsJson}, 'blocks', (
          SELECT coalesce(json_agg(json_build_object(
            'id', id, 'type', type, 'enabled', enabled, 'content', content, 'url', url,
            'fields', fields) ORDER BY position), '[]')
          FROM blocks WHERE blocks.account_id = sites.account_id
        )
      ) AS configuration
      FROM sites WHERE account_id = ${accountId}
    ) AS now
    WHERE configuration::text IS DISTINCT FROM (
      SELECT configuration::text FROM site_versions WHERE account_id = ${accountId}
      ORDER BY version DESC LIMIT 1
    ) RETURNING version`.execute(trx);
  if (!rows[0]) return undefined;
  await sql`
    DELETE FROM site_versions WHERE account_id = ${accountId} AND version IN (
      SELECT version FROM (
        SELECT version, row_number() OVER newest AS rank, sum(bytes) OVER newest AS total
        FROM site_versions WHERE account_id = ${accountId}
        WINDOW newest AS (ORDER BY version DESC)
      ) AS counted
      WHERE rank > 1 AND (rank > ${limit}::integer OR total > ${bytes}::integer)
    )`.execute(trx);
  return Number(rows[0].version);
}

/**
 * Newest first. If a version only moved blocks, its `changed` includes `blocks`, but its `blocks`
 * is empty.
 */
export async function listSiteVersions(
  db: ReadDatabase,
  accountId: string,
): Promise<SiteVersionRow[]> {
  const { rows } = await sql<Omit<SiteVersionRow, 'version'> & { version: string }>`
    SELECT version, created_at, bytes, ARRAY(
      SELECT field.key FROM json_each_text(configuration) AS field
      WHERE field.value IS DISTINCT FROM (previous ->> field.key)
    ) AS changed, (
      SELECT coalesce(json_agg(kinds), '[]') FROM (
        SELECT coalesce(block, before) ->> 'type' AS type,
          CASE WHEN before IS NULL THEN 'added' WHEN block IS NULL THEN 'removed' ELSE 'changed' END
            AS change,
          count(*)::integer AS count
        FROM json_array_elements(configuration -> 'blocks') AS block
        FULL JOIN json_array_elements(previous -> 'blocks') AS before
          ON block ->> 'id' = before ->> 'id'
        WHERE block::text IS DISTINCT FROM before::text
        GROUP BY 1, 2 ORDER BY 2, 3 DESC, 1
      ) AS kinds
    ) AS blocks
    FROM (
      SELECT version, created_at, bytes, configuration,
        lag(configuration) OVER (ORDER BY version) AS previous
      FROM site_versions WHERE account_id = ${accountId}
    ) AS kept
    ORDER BY version DESC`.execute(db);
  return rows.map((row) => ({ ...row, version: Number(row.version) }));
}

/** Returns 0 if the site was never changed. */
export async function findNewestVersion(db: ReadDatabase, accountId: string): Promise<number> {
  const { version } = await db
    .selectFrom('site_versions')
    .select(({ fn }) => fn.max('version').as('version'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(version ?? 0);
}

/** Returns the newest version by default; undefined if the version is not stored. */
export async function findSiteVersion(
  db: ReadDatabase,
  accountId: string,
  version?: number,
): Promise<{ version: number; created_at: Date; site: SiteRow; blocks: Block[] } | undefined> {
  let versions = db
    .selectFrom('site_versions')
    .select(['version', 'created_at', 'configuration'])
    .where('account_id', '=', accountId);
  if (version !== undefined) versions = versions.where('version', '=', String(version));
  const row = await versions.orderBy('version', 'desc').limit(1).executeTakeFirst();
  if (!row) return undefined;
  const { blocks, ...site } = row.configuration as unknown as SiteRow & { blocks: StoredBlock[] };
  return {
    version: Number(row.version),
    created_at: row.created_at,
    site,
    blocks: blocks.map(toBlock),
  };
}

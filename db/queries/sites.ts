import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Block } from '#contract/block.ts';
import type { PageVisibility } from '#contract/shared/page-visibility.ts';
import { SITE_FIELDS } from '#contract/shared/site-fields.ts';
import { AccountDeletedError } from '#db/account-deleted.ts';
import type { Executor, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { lateralLookup } from '#db/lateral-lookup.ts';
import type { Schema } from '#db/schema.ts';

const SITE_COLUMNS = [...SITE_FIELDS, 'settings'] as const;

export type SiteRow = Pick<Selectable<Schema['sites']>, (typeof SITE_COLUMNS)[number]>;

export const siteColumns = SITE_COLUMNS.map((column) => `sites.${column}` as const);

/** Arguments of `json_build_object`. */
export const siteAsJson = sql.raw(SITE_COLUMNS.map((column) => `'${column}', ${column}`).join());

export type StoredBlock = Omit<
  Selectable<Schema['blocks']>,
  'account_id' | 'position' | 'changed_at'
>;

export interface SiteConfiguration {
  /** All fields are null if the account has no site yet. */
  site: SiteRow;
  blocks: Block[];
}

const lookUpSites = lateralLookup('uuid', (accountId, query) =>
  query
    .selectFrom('accounts')
    .leftJoin('sites', 'sites.account_id', 'accounts.id')
    .select('accounts.id')
    .select(siteColumns)
    .select(blocksAsJson)
    .where('accounts.id', '=', accountId),
);

/** One statement, so that site and blocks are consistent. */
export async function findSiteConfigurations(
  db: ReadDatabase,
  accountIds: readonly string[],
): Promise<Map<string, SiteConfiguration>> {
  const rows = await lookUpSites(db, accountIds);
  return new Map(
    rows.map(({ id, blocks, ...site }) => [id, { site, blocks: blocks.map(toBlock) }]),
  );
}

export async function findSiteConfiguration(
  db: ReadDatabase,
  accountId: string,
): Promise<SiteConfiguration> {
  const configuration = (await findSiteConfigurations(db, [accountId])).get(accountId);
  if (!configuration) throw new AccountDeletedError();
  return configuration;
}

export function blocksAsJson(eb: ExpressionBuilder<Schema, 'accounts'>) {
  return jsonArrayFrom(
    eb
      .selectFrom('blocks')
      .select(['blocks.id', 'type', 'blocks.enabled', 'content', 'url', 'fields'])
      .whereRef('blocks.account_id', '=', 'accounts.id')
      .orderBy('position'),
  ).as('blocks');
}

export function toBlock({ id, type, enabled, content, url, fields }: StoredBlock): Block {
  return {
    id,
    type,
    enabled,
    ...(content !== null && { content }),
    ...(url !== null && { url }),
    ...fields,
  };
}

/** Changes only the given fields. Increases the version. */
export async function upsertSite(
  trx: Transaction,
  accountId: string,
  { custom_theme, settings, ...texts }: { [Field in keyof SiteRow]?: SiteRow[Field] | undefined },
): Promise<void> {
  const fields = {
    ...texts,
    custom_theme: jsonText(custom_theme),
    settings: jsonText(settings),
  };
  await trx
    .insertInto('sites')
    .values({ account_id: accountId, ...fields })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ ...fields, version: sql<string>`sites.version + 1` }),
    )
    .execute();
}

/** `undefined` leaves the column unchanged. */
function jsonText(value: object | null | undefined): string | null | undefined {
  return value ? JSON.stringify(value) : value;
}

/** Call when metrics that the owner's page shows for this project change. */
export async function bumpSiteVersion(trx: Transaction, projectId: string): Promise<void> {
  await trx
    .updateTable('sites')
    .from('projects')
    .whereRef('sites.account_id', '=', 'projects.account_id')
    .where('projects.id', '=', projectId)
    .set({ version: sql<string>`sites.version + 1` })
    .execute();
}

export async function isSiteEnabled(db: ReadDatabase, accountId: string): Promise<boolean> {
  const site = await db
    .selectFrom('sites')
    .select('enabled')
    .where('account_id', '=', accountId)
    .where('suspended_at', 'is', null)
    .executeTakeFirst();
  return site?.enabled ?? false;
}

/** What the owner chose, even if an operator hides the page. */
export async function findPageVisibility(
  db: ReadDatabase,
  accountId: string,
): Promise<PageVisibility> {
  const site = await db
    .selectFrom('sites')
    .select(['enabled', 'for_members'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (site?.enabled) return 'public';
  return site?.for_members ? 'members' : 'hidden';
}

/**
 * Hides a page for members. Returns whether the page is public now, or undefined if nothing changed,
 * because an operator hides it. Records that the name was visible.
 */
export async function toggleSite(db: Executor, accountId: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ enabled: boolean }>`
    WITH marked AS (
      UPDATE display_names SET was_visible = true WHERE account_id = ${accountId} AND NOT was_visible
        AND NOT EXISTS (
          SELECT FROM sites WHERE account_id = ${accountId} AND suspended_at IS NOT NULL)
    )
    INSERT INTO sites (account_id, enabled) VALUES (${accountId}, true)
    ON CONFLICT (account_id) DO UPDATE
      SET enabled = NOT (sites.enabled OR sites.for_members), for_members = false
      WHERE sites.suspended_at IS NULL
    RETURNING enabled`.execute(db);
  return rows[0]?.enabled;
}

/** Resolves to whether this changed the visibility. */
export async function setPageVisibility(
  trx: Transaction,
  accountId: string,
  visibility: PageVisibility,
): Promise<boolean> {
  if ((await findPageVisibility(trx, accountId)) === visibility) return false;
  const choice = { enabled: visibility === 'public', for_members: visibility === 'members' };
  await trx
    .insertInto('sites')
    .values({ account_id: accountId, ...choice })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(choice))
    .execute();
  await trx
    .updateTable('display_names')
    .set({ was_visible: true })
    .where('account_id', '=', accountId)
    .where('was_visible', '=', false)
    .execute();
  return true;
}

/** The owner's settings of the page that are not part of its versions. */
export interface SiteChoices {
  counts_visits: boolean;
  on_front_page: boolean;
}

export async function findSiteChoices(db: ReadDatabase, accountId: string): Promise<SiteChoices> {
  const choices = await db
    .selectFrom('sites')
    .select(['counts_visits', 'on_front_page'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return choices ?? { counts_visits: true, on_front_page: false };
}

export async function saveSiteChoices(
  db: Executor,
  accountId: string,
  choices: Partial<SiteChoices>,
): Promise<void> {
  await db
    .insertInto('sites')
    .values({ account_id: accountId, ...choices })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(choices))
    .execute();
}

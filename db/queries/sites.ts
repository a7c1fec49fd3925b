import {
  type ExpressionBuilder,
  type Kysely,
  type Selectable,
  type Transaction,
  sql,
} from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Block, CustomTheme } from '../../contract/index.ts';
import { AccountGoneError } from '../account-gone.ts';
import { eachOf } from '../each-of.ts';
import type { Database } from '../schema.ts';
import {
  claimKeys,
  isUnclaimed,
  type IdempotencyKey,
  keyColumns,
  keyToJson,
} from './idempotency-keys.ts';

export interface SiteRow {
  bio: string | null;
  avatar_url: string | null;
  custom_theme: CustomTheme | null;
  theme_id: string | null;
  display_name: string | null;
  location: string | null;
  mood: string | null;
}

/** What a site has beside its blocks. */
export const siteColumns = [
  'bio',
  'avatar_url',
  'custom_theme',
  'theme_id',
  'sites.display_name',
  'location',
  'mood',
] as const;

/** A block without its place. */
export type StoredBlock = Omit<Selectable<Database['blocks']>, 'account_id' | 'position'>;

/** What an account has made of its site. */
export interface SiteConfiguration {
  /** All null if there is none yet. */
  site: SiteRow;
  /** In order. */
  blocks: Block[];
}

const sitesByAccount = eachOf('uuid', (accountId, query) =>
  query
    .selectFrom('accounts')
    .leftJoin('sites', 'sites.account_id', 'accounts.id')
    .select('accounts.id')
    .select(siteColumns)
    .select(allBlocks)
    .where('accounts.id', '=', accountId),
);

/** The sites of accounts: one statement, one state. */
export async function findSiteConfigurations(
  db: Kysely<Database>,
  accountIds: readonly string[],
): Promise<Map<string, SiteConfiguration>> {
  const rows = await sitesByAccount(db, accountIds);
  return new Map(
    rows.map(({ id, blocks, ...site }) => [id, { site, blocks: blocks.map(toBlock) }]),
  );
}

/** The site of an account. */
export async function findSiteConfiguration(
  db: Kysely<Database>,
  accountId: string,
): Promise<SiteConfiguration> {
  const found = (await findSiteConfigurations(db, [accountId])).get(accountId);
  if (!found) throw new AccountGoneError();
  return found;
}

/** The blocks of the account, in order. */
export function allBlocks(eb: ExpressionBuilder<Database, 'accounts'>) {
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

/** Writes the details that are given, and that the site has changed; one that does not exist yet is made. */
export async function upsertSite(
  trx: Transaction<Database>,
  accountId: string,
  { custom_theme, ...texts }: { [Detail in keyof SiteRow]?: SiteRow[Detail] | undefined },
): Promise<void> {
  const details = {
    ...texts,
    ...(custom_theme !== undefined && {
      custom_theme: custom_theme === null ? null : JSON.stringify(custom_theme),
    }),
  };
  await trx
    .insertInto('sites')
    .values({ account_id: accountId, ...details })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ ...details, version: sql<string>`sites.version + 1` }),
    )
    .execute();
}

/** Notes that what the site shows of a project is another thing. */
export async function raiseSiteVersion(
  trx: Transaction<Database>,
  projectId: string,
): Promise<void> {
  await trx
    .updateTable('sites')
    .from('projects')
    .whereRef('sites.account_id', '=', 'projects.account_id')
    .where('projects.id', '=', projectId)
    .set({ version: sql<string>`sites.version + 1` })
    .execute();
}

/** Whether the site is publicly visible; a site that does not exist yet is not. */
export async function findSiteEnabled(db: Kysely<Database>, accountId: string): Promise<boolean> {
  const site = await db
    .selectFrom('sites')
    .select('enabled')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return site?.enabled ?? false;
}

/** A change of an account's visibility, which claims a key if it came with one. */
export interface Toggle {
  accountId: string;
  claim?: IdempotencyKey | undefined;
}

/** What is answered to a change that came with a key, with 200, by the state that it made. */
export interface ToggleAnswers {
  shown: object;
  hidden: object;
}

/**
 * Inverts the visibility of accounts, each another one, in one statement; tells the new state of each,
 * or undefined if its key was claimed before and nothing was done. A key that another transaction
 * claims meanwhile fails them all. The pages are, or were until now, visible under the accounts' names.
 */
export async function toggleSites(
  db: Kysely<Database>,
  toggles: readonly Toggle[],
  { shown, hidden }: Partial<ToggleAnswers> = {},
): Promise<(boolean | undefined)[]> {
  const list = toggles.map(({ accountId, claim }) => ({
    ...(claim && keyToJson(claim)),
    account_id: accountId,
  }));
  const { rows } = await sql<{ account_id: string; enabled: boolean }>`
    WITH wanted AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(list)}::json) AS wanted (${keyColumns})
      WHERE key IS NULL OR ${isUnclaimed('wanted')}
    ), toggled AS (
      INSERT INTO sites (account_id, enabled) SELECT account_id, true FROM wanted
      -- In one order, or two statements could wait for each other.
      ORDER BY account_id
      ON CONFLICT (account_id) DO UPDATE SET enabled = NOT sites.enabled
      RETURNING account_id, enabled
    ), noted AS (
      UPDATE display_names SET shown = true
      -- A join would be planned for a hundred accounts, and read the whole table.
      WHERE account_id = ANY (ARRAY(SELECT account_id FROM toggled)) AND NOT shown
    ), answered AS (
      SELECT wanted.*, 200 AS status,
        CASE WHEN enabled THEN ${shown ?? null}::json ELSE ${hidden ?? null}::json END AS answer
      FROM wanted JOIN toggled USING (account_id)
    ), ${claimKeys(sql`answered`)}
    SELECT account_id, enabled FROM toggled`.execute(db);
  const enabled = new Map(rows.map((row) => [row.account_id, row.enabled]));
  return toggles.map(({ accountId }) => enabled.get(accountId));
}

/** Inverts the visibility of one account, and returns the new state. */
export async function toggleSite(db: Kysely<Database>, accountId: string): Promise<boolean> {
  const [enabled] = await toggleSites(db, [{ accountId }]);
  return enabled!;
}

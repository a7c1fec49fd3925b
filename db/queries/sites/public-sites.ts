import type { Reads } from '#db/connections/databases.ts';
import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type Transaction,
  sql,
} from 'kysely';
import type { Block } from '#contract/block.ts';
import { LIMITS } from '#contract/limits.ts';
import { AccountGoneError } from '#db/account-gone.ts';
import { lateralLookup } from '#db/lateral-lookup.ts';
import type { Database } from '#db/schema.ts';
import { type SiteRow, type StoredBlock, allBlocks, siteColumns, toBlock } from './sites.ts';

/** Identifies the content of a page: any change of the content changes the state. */
export interface PageState {
  account_id: string;
  version: string;
  /** Whether mail to the name is forwarded. */
  has_mail: boolean;
  counts_visits: boolean;
  /** Custom domain that the page redirects to. */
  redirect: string | null;
}

/** The public part of a site. */
export interface PublicSiteRow extends SiteRow, PageState {
  account_created_at: Date;
  blocks: Block[];
  /** Whether blocks were left out. */
  has_more: boolean;
}

const ACCOUNT_AGE = 'accounts.created_at as account_created_at';

const hasMail =
  sql<boolean>`EXISTS (SELECT FROM postfix_aliases WHERE postfix_aliases.name = display_names.name)`.as(
    'has_mail',
  );

const redirect = sql<string | null>`(
  SELECT domain FROM domains
  WHERE domains.account_id = display_names.account_id AND redirect
    AND verified_at IS NOT NULL AND missing_since IS NULL AND points_here
)`.as('redirect');

const statesByName = lateralLookup('text', visibleSite);

const pagesByKey = pagesUpTo(LIMITS.pageBytes);
const wholePagesByKey = pagesUpTo(LIMITS.blocksBytes);

/** By name; only visible pages. */
export async function findPageStates(
  db: Reads,
  names: readonly string[],
): Promise<Map<string, PageState>> {
  const rows = await statesByName(db, names);
  return new Map(rows.map(({ name, ...state }) => [name, state]));
}

/** Key of a page look-up: the name and the cached state, if there is one. */
export function pageKey(name: string, known?: PageState): string {
  if (!known) return name;
  const { account_id, version, has_mail, counts_visits } = known;
  return `${name} ${account_id} ${version} ${has_mail} ${counts_visits}`;
}

/** A visible page. `site` is undefined if the cached state is still current. */
export interface PageFound {
  state: PageState;
  site: PublicSiteRow | undefined;
}

/** By key. Blocks beyond the maximum page size are left out. */
export function findPages(db: Reads, keys: readonly string[]): Promise<Map<string, PageFound>> {
  return pagesFound(pagesByKey(db, keys));
}

/** Like `findPages`, with all blocks. */
export function findWholePages(
  db: Reads,
  keys: readonly string[],
): Promise<Map<string, PageFound>> {
  return pagesFound(wholePagesByKey(db, keys));
}

interface StoredPage extends SiteRow {
  account_created_at: string;
  blocks: { first: StoredBlock[]; count: number };
}

/**
 * Reads states, and the sites of pages whose state differs from the cached one, with the first blocks up to `bytes`.
 * One statement, so that all parts have the same state.
 */
function pagesUpTo(bytes: number) {
  return lateralLookup('text', (key, query) =>
    query
      .selectFrom(
        visibleSite(sql`split_part(${key}, ' ', 1)`, query)
          .select(siteColumns)
          .select(ACCOUNT_AGE)
          // OFFSET keeps the planner from evaluating the subquery twice.
          .offset(sql.lit(0))
          .as('page'),
      )
      .select([
        'page.account_id',
        'page.version',
        'page.has_mail',
        'page.counts_visits',
        'page.redirect',
      ])
      .select(sql<string>`${key}`.as('key'))
      .select(
        sql<StoredPage | null>`
          CASE WHEN concat_ws(' ', name, account_id, version, has_mail::text, counts_visits::text)
            <> ${key} THEN
            json_build_object(
              'bio', bio, 'avatar_url', avatar_url, 'custom_theme', custom_theme,
              'theme_id', theme_id, 'display_name', display_name, 'location', location,
              'mood', mood, 'settings', settings, 'account_created_at', account_created_at,
              'blocks', ${firstBlocks(bytes)})
          END`.as('site'),
      ),
  );
}

function firstBlocks(bytes: number) {
  return sql`(
    SELECT json_build_object('count', count(*), 'first', coalesce(
      json_agg(
        json_build_object('id', id, 'type', type, 'enabled', enabled, 'content', content, 'url', url,
          'fields', fields)
        ORDER BY position
      ) FILTER (WHERE up_to <= ${sql.lit(bytes)}), '[]'))
    FROM (
      SELECT *, sum(coalesce(octet_length(content), 0) + coalesce(octet_length(url), 0)
        + octet_length(fields::text)) OVER (ORDER BY position) AS up_to
      FROM blocks WHERE blocks.account_id = page.account_id AND blocks.enabled
    ) AS measured)`;
}

async function pagesFound(rows: ReturnType<typeof pagesByKey>): Promise<Map<string, PageFound>> {
  return new Map(
    (await rows).map(({ key, site, ...state }) => [
      key,
      { state, site: site ? publicSite(state, site) : undefined },
    ]),
  );
}

function publicSite(
  state: PageState,
  { account_created_at, blocks: { first, count }, ...site }: StoredPage,
): PublicSiteRow {
  return {
    ...site,
    ...state,
    account_created_at: new Date(account_created_at),
    blocks: first.map(toBlock),
    has_more: count > first.length,
  };
}

/** A site as its owner sees it, visible or not. */
export interface OwnSiteRow extends SiteRow {
  account_id: string;
  account_created_at: Date;
  name: string | null;
  has_mail: boolean;
  blocks: Block[];
}

/** One statement, so that all parts have the same state. */
export async function findOwnSite(db: Reads, accountId: string): Promise<OwnSiteRow> {
  const row = await db
    .selectFrom('accounts')
    .leftJoin('sites', 'sites.account_id', 'accounts.id')
    .leftJoin('display_names', 'display_names.account_id', 'accounts.id')
    .select(siteColumns)
    .select(['accounts.id as account_id', 'display_names.name'])
    .select(ACCOUNT_AGE)
    .select(hasMail)
    .select(allBlocks)
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow(() => new AccountGoneError());
  return { ...row, blocks: row.blocks.map(toBlock) };
}

function visibleSite(name: Expression<string>, query: ExpressionBuilder<Database, never>) {
  return query
    .selectFrom('display_names')
    .innerJoin('accounts', 'accounts.id', 'display_names.account_id')
    .innerJoin('sites', 'sites.account_id', 'accounts.id')
    .where('display_names.name', '=', name)
    .where('sites.enabled', '=', true)
    .where('sites.suspended_at', 'is', null)
    .where('accounts.suspended_at', 'is', null)
    .select(['display_names.name', 'accounts.id as account_id', 'sites.version'])
    .select('sites.counts_visits')
    .select(hasMail)
    .select(redirect);
}

/** Takes a page down or restores it. Returns when it was taken down. */
export async function setPageSuspended(
  trx: Transaction<Database>,
  accountId: string,
  suspended: boolean,
): Promise<Date | null> {
  const now = suspended ? sql<Date>`now()` : null;
  const { suspended_at } = await trx
    .insertInto('sites')
    .values({ account_id: accountId, suspended_at: now })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({
        suspended_at: suspended
          ? sql<Date>`coalesce(sites.suspended_at, excluded.suspended_at)`
          : null,
      }),
    )
    .returning('suspended_at')
    .executeTakeFirstOrThrow();
  return suspended_at;
}

/** A visible page, or one that an operator took down. */
export interface PageRow {
  name: string | null;
  account_id: string;
  visible: boolean;
  suspended_at: Date | null;
}

/** Ordered by name. Suspended pages are also listed without a name. */
export async function listPages(
  db: Kysely<Database>,
  { suspended, limit }: { suspended: boolean; limit: number },
): Promise<PageRow[]> {
  return db
    .selectFrom('sites')
    .innerJoin('accounts', 'accounts.id', 'sites.account_id')
    .leftJoin('display_names', 'display_names.account_id', 'sites.account_id')
    .where(
      suspended
        ? sql<boolean>`sites.suspended_at IS NOT NULL`
        : // In the order of the index of names.
          sql<boolean>`display_names.name IS NOT NULL
            AND (sites.enabled OR sites.suspended_at IS NOT NULL)`,
    )
    .select(['display_names.name', 'sites.account_id', 'sites.suspended_at'])
    .select(
      sql<boolean>`sites.enabled AND sites.suspended_at IS NULL
        AND accounts.suspended_at IS NULL AND display_names.name IS NOT NULL`.as('visible'),
    )
    .orderBy('display_names.name')
    .limit(limit)
    .execute();
}

import { type Expression, type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Block } from '#contract/block.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { AccountDeletedError } from '#db/account-deleted.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { lateralLookup } from '#db/lateral-lookup.ts';
import type { Schema } from '#db/schema.ts';
import { exists } from './rows.ts';
import {
  type SiteRow,
  type StoredBlock,
  blocksAsJson,
  siteAsJson,
  siteColumns,
  toBlock,
} from './sites.ts';

/** What a page shows, by address. Null without covers. */
export type PageCovers = Record<string, { title: string | null; picture_id: string | null }> | null;

export interface PageState {
  account_id: string;
  version: string;
  /** Whether mail to the name is forwarded. */
  has_mail: boolean;
  has_confirmed_address: boolean;
  counts_visits: boolean;
  /** Whether only people who are signed in see the page. */
  for_members: boolean;
  redirect_domain: string | null;
}

export interface PublicSiteRow extends SiteRow, PageState {
  account_created_at: Date;
  /** When each block last changed, by block id. */
  changed_at: ReadonlyMap<string, Date>;
  covers: PageCovers;
  blocks: Block[];
  /** Whether blocks beyond the size limit were left out. */
  has_more: boolean;
}

/** Any change of what the page shows changes one of these. The redirect is read for each request. */
const CACHED_STATE = [
  'account_id',
  'version',
  'has_mail',
  'has_confirmed_address',
  'counts_visits',
  'for_members',
] as const;

function coversAsJson(accountId: RawBuilder<unknown>): RawBuilder<PageCovers> {
  return sql`(
    SELECT json_object_agg(url, json_build_object('title', title, 'picture_id', picture_id))
    FROM covers WHERE covers.account_id = ${accountId})`;
}

const ACCOUNT_CREATED_AT = 'accounts.created_at as account_created_at';

const hasMail =
  sql<boolean>`EXISTS (SELECT FROM member_aliases WHERE member_aliases.name = display_names.name)`.as(
    'has_mail',
  );

const hasConfirmedAddress = sql<boolean>`EXISTS (
  SELECT FROM forwarding_settings
  WHERE forwarding_settings.account_id = accounts.id AND forwarding_confirmed
)`.as('has_confirmed_address');

const redirectDomain = sql<string | null>`(
  SELECT domain FROM domains
  WHERE domains.account_id = display_names.account_id AND redirect
    AND verified_at IS NOT NULL AND missing_since IS NULL AND points_here
)`.as('redirect_domain');

const lookUpStates = lateralLookup('text', selectPublishedSite);

export async function findPageStates(
  db: ReadDatabase,
  names: readonly string[],
): Promise<Map<string, PageState>> {
  const rows = await lookUpStates(db, names);
  return new Map(rows.map(({ name, ...state }) => [name, state]));
}

const lookUpRedirects = lateralLookup('text', (formerName, query) =>
  query
    .selectFrom('display_names as former')
    .innerJoin('display_names as current', 'current.account_id', 'former.last_account_id')
    .where('former.name', '=', formerName)
    .where('former.redirects', '=', true)
    .where(
      'former.released_at',
      '>',
      sql<Date>`now() - ${sql.lit(LIMITS.redirectDays)} * interval '1 day'`,
    )
    // A hidden page must not reveal its owner's current name.
    .where((eb) =>
      eb.exists(
        selectVisibleSites(query)
          .where('display_names.name', '=', sql.ref<string>('current.name'))
          .select('display_names.name'),
      ),
    )
    .select(['former.name as from', 'current.name as to']),
);

/** Returns the current names of visible pages, by former names that redirect. */
export async function findRedirects(
  db: ReadDatabase,
  formerNames: readonly string[],
): Promise<Map<string, string>> {
  const rows = await lookUpRedirects(db, formerNames);
  return new Map(rows.map(({ from, to }) => [from, to]));
}

/** A lookup key: the name, and the cached state if there is one. */
export function pageKey(name: string, cached?: PageState): string {
  return cached ? [name, ...CACHED_STATE.map((column) => cached[column])].join(' ') : name;
}

/** `site` is undefined if the cached state is still current. */
export interface PageLookup {
  state: PageState;
  site: PublicSiteRow | undefined;
}

/** Leaves out blocks that exceed the maximum page size. */
export function findPages(
  db: ReadDatabase,
  keys: readonly string[],
): Promise<Map<string, PageLookup>> {
  return toPages(lookUpPages(db, keys));
}

export function findWholePages(
  db: ReadDatabase,
  keys: readonly string[],
): Promise<Map<string, PageLookup>> {
  return toPages(lookUpWholePages(db, keys));
}

interface StoredPage extends SiteRow {
  covers: PageCovers;
  account_created_at: string;
  blocks: { first: (StoredBlock & { changed_at: string })[]; count: number };
}

const cachedStateTexts = sql.join(CACHED_STATE.map((column) => sql`${sql.ref(column)}::text`));

/**
 * Reads page states, and the site if its state differs from the cached one, with the first blocks
 * up to `maxBlockBytes`. One statement, so that all parts are consistent.
 */
function createPageLookup(maxBlockBytes: number) {
  return lateralLookup('text', (key, query) =>
    query
      .selectFrom(
        selectPublishedSite(sql`split_part(${key}, ' ', 1)`, query)
          .select(siteColumns)
          .select(ACCOUNT_CREATED_AT)
          // OFFSET keeps the planner from evaluating the subquery twice.
          .offset(sql.lit(0))
          .as('page'),
      )
      .select([...CACHED_STATE, 'redirect_domain'])
      .select(sql<string>`${key}`.as('key'))
      .select(
        sql<StoredPage | null>`
          CASE WHEN concat_ws(' ', name, ${cachedStateTexts}) <> ${key} THEN
            json_build_object(
              ${siteAsJson}, 'account_created_at', account_created_at,
              'covers', ${coversAsJson(sql.ref('page.account_id'))},
              'blocks', ${selectFirstBlocks(maxBlockBytes)})
          END`.as('site'),
      ),
  );
}

const lookUpPages = createPageLookup(LIMITS.pageBytes);
const lookUpWholePages = createPageLookup(LIMITS.blocksBytes);

function selectFirstBlocks(maxBlockBytes: number) {
  return sql`(
    SELECT json_build_object('count', count(*), 'first', coalesce(
      json_agg(
        json_build_object('id', id, 'type', type, 'enabled', enabled, 'content', content, 'url', url,
          'fields', fields, 'changed_at', changed_at)
        ORDER BY position
      ) FILTER (WHERE up_to <= ${sql.lit(maxBlockBytes)}), '[]'))
    FROM (
      SELECT *, sum(coalesce(octet_length(content), 0) + coalesce(octet_length(url), 0)
        + octet_length(fields::text)) OVER (ORDER BY position) AS up_to
      FROM blocks WHERE blocks.account_id = page.account_id AND blocks.enabled
    ) AS measured)`;
}

async function toPages(rows: ReturnType<typeof lookUpPages>): Promise<Map<string, PageLookup>> {
  return new Map(
    (await rows).map(({ key, site, ...state }) => [
      key,
      { state, site: site ? toPublicSite(state, site) : undefined },
    ]),
  );
}

function toPublicSite(
  state: PageState,
  { account_created_at, blocks: { first, count }, ...site }: StoredPage,
): PublicSiteRow {
  return {
    ...site,
    ...state,
    account_created_at: new Date(account_created_at),
    changed_at: new Map(first.map(({ id, changed_at }) => [id, new Date(changed_at)])),
    blocks: first.map(toBlock),
    has_more: count > first.length,
  };
}

/** The site as its owner sees it, whether it is visible or not. */
export interface OwnSiteRow extends SiteRow {
  account_id: string;
  account_created_at: Date;
  name: string | null;
  has_mail: boolean;
  has_confirmed_address: boolean;
  covers: PageCovers;
  blocks: Block[];
}

/** One statement, so that all parts are consistent. */
export async function findOwnSite(db: ReadDatabase, accountId: string): Promise<OwnSiteRow> {
  const row = await db
    .selectFrom('accounts')
    .leftJoin('sites', 'sites.account_id', 'accounts.id')
    .leftJoin('display_names', 'display_names.account_id', 'accounts.id')
    .select(siteColumns)
    .select(['accounts.id as account_id', 'display_names.name'])
    .select(ACCOUNT_CREATED_AT)
    .select([hasMail, hasConfirmedAddress])
    .select(coversAsJson(sql.ref('accounts.id')).as('covers'))
    .select(blocksAsJson)
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow(() => new AccountDeletedError());
  return { ...row, blocks: row.blocks.map(toBlock) };
}

/** For queries that may find neither a site nor a name. */
export const isPageVisible = isSeen(sql`sites.enabled`);
export const isPageForMembers = isSeen(sql`NOT sites.enabled AND sites.for_members`);

function isSeen(isPublished: RawBuilder<unknown>) {
  return sql<boolean>`coalesce(${isPublished} AND sites.suspended_at IS NULL
  AND accounts.suspended_at IS NULL AND display_names.name IS NOT NULL, false)`;
}

/**
 * Whether the owner shows the page to everybody or to members. Null without a site. Unlike OR,
 * `greatest` has a cost, with which the planner prefers the index even while the table is empty.
 */
export const isPagePublished = sql<boolean>`greatest(sites.enabled, sites.for_members)`;

function selectVisibleSites(query: ExpressionBuilder<Schema, never>) {
  return selectPublishedSites(query).where('sites.enabled', '=', true);
}

function selectPublishedSites(query: ExpressionBuilder<Schema, never>) {
  return query
    .selectFrom('display_names')
    .innerJoin('accounts', 'accounts.id', 'display_names.account_id')
    .innerJoin('sites', 'sites.account_id', 'accounts.id')
    .where(isPagePublished)
    .where('sites.suspended_at', 'is', null)
    .where('accounts.suspended_at', 'is', null);
}

function selectPublishedSite(name: Expression<string>, query: ExpressionBuilder<Schema, never>) {
  return selectPublishedSites(query)
    .where('display_names.name', '=', name)
    .select(['display_names.name', 'accounts.id as account_id', 'sites.version'])
    .select(['sites.counts_visits', sql<boolean>`NOT sites.enabled`.as('for_members')])
    .select([hasMail, hasConfirmedAddress])
    .select(redirectDomain);
}

const FRONT_PAGE_COLUMNS = [
  'display_name',
  'avatar_url',
  'theme_id',
  'custom_theme',
  'settings',
] as const;

export type FrontPageSite = Pick<SiteRow, 'bio' | (typeof FRONT_PAGE_COLUMNS)[number]> & {
  name: string;
};

/** Characters of a bio. The front page shows fewer. */
const SHOWN_BIO_LENGTH = 200;

interface FrontPageQuery {
  joinedBefore: Date;
  limit: number;
}

function selectFrontPageSites(joinedBefore: Date, query: ExpressionBuilder<Schema, never>) {
  return (
    selectVisibleSites(query)
      // A parameter would prevent the use of the partial index.
      .where('sites.on_front_page', '=', sql.lit(true))
      .where('accounts.created_at', '<=', joinedBefore)
  );
}

/** Visible pages whose owners allow them on the front page, newest account first. */
export async function listFrontPageSites(
  db: ReadDatabase,
  { joinedBefore, limit }: FrontPageQuery,
): Promise<FrontPageSite[]> {
  return db
    .selectFrom((eb) =>
      selectFrontPageSites(joinedBefore, eb)
        .select(FRONT_PAGE_COLUMNS)
        .select([
          'name',
          'accounts.created_at',
          sql<string | null>`left(sites.bio, ${sql.lit(SHOWN_BIO_LENGTH)})`.as('bio'),
        ])
        .as('shown'),
    )
    .select(['name', 'bio', ...FRONT_PAGE_COLUMNS])
    .orderBy('created_at', 'desc')
    .orderBy('name')
    .limit(limit)
    .execute();
}

export async function countFrontPageSites(db: ReadDatabase, joinedBefore: Date): Promise<number> {
  const { count } = await db
    .selectFrom((eb) => selectFrontPageSites(joinedBefore, eb).select('name').as('shown'))
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export interface OurPage {
  account_id: string;
  name: string;
  /** All enabled links, including scheduled and expired ones. */
  links: Block[];
}

/** The club's own page. Undefined if it is hidden or not on the front page. */
export async function findOurPage(
  db: ReadDatabase,
  { accountId = null, name = null }: { accountId?: string | null; name?: string | null },
): Promise<OurPage | undefined> {
  const row = await db
    .selectFrom((eb) =>
      selectVisibleSites(eb)
        .where('sites.on_front_page', '=', true)
        .where((by) => (name === null ? by('accounts.id', '=', accountId) : by('name', '=', name)))
        .select(['accounts.id as account_id', 'name'])
        .as('page'),
    )
    .select(['account_id', 'name'])
    .select(
      sql<StoredBlock[]>`ARRAY(
        SELECT json_build_object('id', id, 'type', type, 'enabled', enabled, 'content', content,
          'url', url, 'fields', fields)
        FROM blocks WHERE blocks.account_id = page.account_id AND type = 'link' AND blocks.enabled
        ORDER BY position)`.as('links'),
    )
    .executeTakeFirst();
  return row && { ...row, links: row.links.map(toBlock) };
}

export interface FrontPageEvent {
  name: string;
  display_name: string | null;
  /** Also has the fields. */
  block: Block;
}

/** The index `blocks_last_event_day` has the same expression. */
const lastEventDay = sql<string>`left(greatest(fields->>'starts_at', fields->>'ends_at',
  CASE WHEN fields->>'repeats' <> 'never' THEN coalesce(fields->>'repeats_until', '9999') END), 10)`;

/** Events of those pages, or only one, that repeat, or start or end on `from` (YYYY-MM-DD) or later. */
export async function listFrontPageEvents(
  db: ReadDatabase,
  {
    joinedBefore,
    from,
    limit,
    accountId,
  }: FrontPageQuery & { from: string; accountId?: string | undefined },
): Promise<FrontPageEvent[]> {
  const rows = await db
    .selectFrom((eb) =>
      selectFrontPageSites(joinedBefore, eb)
        .innerJoin(
          eb
            .selectFrom('blocks')
            .selectAll()
            // Parameters would prevent the use of the partial index.
            .where('type', '=', sql.lit('event'))
            .where('enabled', '=', sql.lit(true))
            .where(lastEventDay, '>=', from)
            .$if(accountId !== undefined, (one) => one.where('account_id', '=', accountId!))
            // OFFSET keeps the planner from reading all blocks of these sites.
            .offset(sql.lit(0))
            .as('blocks'),
          'blocks.account_id',
          'accounts.id',
        )
        .select(['name', 'display_name', 'blocks.id', 'type', 'blocks.enabled', 'content', 'url'])
        .select(['fields', sql<string>`fields->>'starts_at'`.as('starts_at')])
        .as('shown'),
    )
    .selectAll()
    .orderBy('starts_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    name: row.name,
    display_name: row.display_name,
    block: toBlock(row),
  }));
}

/**
 * Names of visible pages whose owners allow them on the front page and in search engines, oldest
 * account first. Pages that redirect to a domain of their own are not among them.
 */
export async function listSitemapNames(
  db: ReadDatabase,
  { joinedBefore, limit }: FrontPageQuery,
): Promise<string[]> {
  const rows = await db
    .selectFrom((eb) =>
      selectFrontPageSites(joinedBefore, eb)
        .where(sql<boolean>`sites.settings#>>'{fields,indexing}' IS DISTINCT FROM 'false'`)
        .select(['name', 'accounts.created_at', redirectDomain])
        .as('listed'),
    )
    .select('name')
    .where('redirect_domain', 'is', null)
    .orderBy('created_at')
    .orderBy('name')
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}

/** Hides the page, even if its owner publishes it. A null reason ends this. */
export async function setPageSuspended(
  trx: Transaction,
  accountId: string,
  suspension_reason: string | null,
): Promise<void> {
  const suspended_at = suspension_reason === null ? null : sql<Date>`now()`;
  await trx
    .insertInto('sites')
    .values({ account_id: accountId, suspended_at, suspension_reason })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ suspended_at, suspension_reason }),
    )
    .execute();
}

/** Null if no operator hides the page. */
export async function findPageSuspensionReason(
  db: ReadDatabase,
  accountId: string,
): Promise<string | null> {
  const site = await db
    .selectFrom('sites')
    .select('suspension_reason')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return site?.suspension_reason ?? null;
}

/** Whether the owner publishes the page, but an operator hides it or suspended the account. */
export async function isHiddenByOperator(db: ReadDatabase, accountId: string): Promise<boolean> {
  return exists(
    db,
    sql`sites JOIN accounts ON accounts.id = sites.account_id
      WHERE sites.account_id = ${accountId} AND ${isPagePublished}
        AND (sites.suspended_at IS NOT NULL OR accounts.suspended_at IS NOT NULL)`,
  );
}

/** Whether the page is or ever was published, under this name or an earlier one. */
export async function wasPageVisible(db: ReadDatabase, accountId: string): Promise<boolean> {
  return exists(
    db,
    sql`(SELECT FROM sites WHERE account_id = ${accountId} AND ${isPagePublished}
      UNION ALL SELECT FROM display_names
      WHERE was_visible AND (account_id = ${accountId} OR last_account_id = ${accountId})) AS shown`,
  );
}

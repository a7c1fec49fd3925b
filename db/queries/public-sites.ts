import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type Transaction,
  sql,
} from 'kysely';
import type { Block } from '../../contract/block.ts';
import { AccountGoneError } from '../account-gone.ts';
import { eachOf } from '../each-of.ts';
import type { Database } from '../schema.ts';
import {
  type SiteRow,
  allBlocks,
  enabledBlockCount,
  enabledBlocks,
  firstBlocks,
  siteColumns,
  toBlock,
} from './sites.ts';

/** Which page a name shows at the moment; every change of what it shows is another one. */
export interface PageState {
  account_id: string;
  version: string;
  /** Whether mail to the name goes somewhere. */
  has_mail: boolean;
}

/** What everybody may see of a site. */
export interface PublicSiteRow extends SiteRow, PageState {
  account_created_at: Date;
  blocks: Block[];
}

/** What of it is on its page. */
export interface PageSiteRow extends PublicSiteRow {
  /** Whether there are more blocks than a page has room for. */
  has_more: boolean;
}

const ACCOUNT_AGE = 'accounts.created_at as account_created_at';

const hasMail =
  sql<boolean>`EXISTS (SELECT FROM postfix_aliases WHERE postfix_aliases.name = display_names.name)`.as(
    'has_mail',
  );

const statesByName = eachOf('text', visibleSite);

const sitesByName = eachOf('text', (name, query) =>
  visibleSite(name, query).select(siteColumns).select(ACCOUNT_AGE).select(enabledBlocks),
);

const pageSitesByName = eachOf('text', (name, query) =>
  visibleSite(name, query)
    .select(siteColumns)
    .select(ACCOUNT_AGE)
    .select(firstBlocks)
    .select(enabledBlockCount),
);

/** The pages of some names: those that are there for everybody to see. */
export async function findPageStates(
  db: Kysely<Database>,
  names: readonly string[],
): Promise<Map<string, PageState>> {
  const rows = await statesByName(db, names);
  return new Map(rows.map(({ name, ...state }) => [name, state]));
}

/** The same with all that they show: one statement, one state. */
export async function findPublicSites(
  db: Kysely<Database>,
  names: readonly string[],
): Promise<Map<string, PublicSiteRow>> {
  const rows = await sitesByName(db, names);
  return new Map(
    rows.map(({ name, blocks, ...row }) => [name, { ...row, blocks: blocks.map(toBlock) }]),
  );
}

/** The same with as much of it as a page has room for: a site may hold many times that. */
export async function findPageSites(
  db: Kysely<Database>,
  names: readonly string[],
): Promise<Map<string, PageSiteRow>> {
  const rows = await pageSitesByName(db, names);
  return new Map(
    rows.map(({ name, blocks, enabled_blocks, ...row }) => {
      const has_more = Number(enabled_blocks) > blocks.length;
      return [name, { ...row, blocks: blocks.map(toBlock), has_more }];
    }),
  );
}

/** A site as its owner has it, whether anybody else sees it or not. */
export interface OwnSiteRow extends SiteRow {
  account_id: string;
  account_created_at: Date;
  /** Null if the account has none. */
  name: string | null;
  has_mail: boolean;
  /** All of them. */
  blocks: Block[];
}

/** The site of an account with its name: one statement, one state. */
export async function findOwnSite(db: Kysely<Database>, accountId: string): Promise<OwnSiteRow> {
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
    .select(hasMail);
}

/** Takes the page of an account down, or ends that; returns since when it is down. */
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

/** A page that is shown, or that an operator has taken down. */
export interface PageRow {
  name: string | null;
  account_id: string;
  /** Whether everybody can see it. */
  visible: boolean;
  suspended_at: Date | null;
}

/** Pages that have a name and are shown or suspended, by name; or the suspended ones, also without a name. */
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

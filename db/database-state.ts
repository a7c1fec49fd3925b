import { sql } from 'kysely';
import type { StoredMessage } from '#contract/refusal.ts';
import type { ReadDatabase } from './connections/handles.ts';
import { isWaiting } from './queries/applications.ts';
import { isPagePublished } from './queries/public-sites.ts';
import { exists } from './queries/rows.ts';

export interface ServerState {
  version: string;
  /** For example 180004 for version 18.4. */
  version_number: number;
  encoding: string;
  read_only: boolean;
  /** The server's connection limit, minus the connections reserved for superusers. */
  connections: number;
  may_create_tables: boolean;
  may_create_schemas: boolean;
}

export async function readServerState(db: ReadDatabase): Promise<ServerState> {
  const { rows } = await sql<ServerState>`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
      current_setting('server_version_num')::int AS version_number,
      current_setting('server_encoding') AS encoding,
      current_setting('transaction_read_only')::boolean AS read_only,
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int AS connections,
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create_tables,
      has_database_privilege(current_database(), 'CREATE') AS may_create_schemas`.execute(db);
  return rows[0]!;
}

/** Returns the name of the database if the libraries of its collation have changed. */
export async function findChangedCollation(db: ReadDatabase): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT quote_ident(datname) AS name FROM pg_database WHERE datname = current_database()
      AND datcollversion <> pg_database_collation_actual_version(oid)`.execute(db);
  return rows[0]?.name;
}

/** Sizes include indexes and partitions. */
export async function readSizes(
  db: ReadDatabase,
): Promise<{ bytes: number; tables: { name: string; bytes: number }[] }> {
  const { rows: all } = await sql<{ bytes: number }>`
    SELECT pg_database_size(current_database())::float8 AS bytes`.execute(db);
  const { rows: tables } = await sql<{ name: string; bytes: number }>`
    SELECT relation.relname AS name, sum(pg_total_relation_size(part.oid))::float8 AS bytes
    FROM pg_class AS relation
    LEFT JOIN pg_inherits ON inhparent = relation.oid
    JOIN pg_class AS part ON part.oid = coalesce(inhrelid, relation.oid)
    WHERE relation.relnamespace = current_schema()::regnamespace
      AND relation.relkind IN ('r', 'p') AND NOT relation.relispartition
    GROUP BY relation.relname`.execute(db);
  return { bytes: all[0]!.bytes, tables };
}

/** Returns the error of an alias that is not synced, if there is one. */
export async function findForwardingError(db: ReadDatabase): Promise<StoredMessage | null> {
  const { rows } = await sql<{ last_error: StoredMessage }>`
    SELECT last_error FROM provider_aliases
    WHERE synced_revision < revision AND last_error IS NOT NULL
    ORDER BY name
    LIMIT 1`.execute(db);
  return rows[0]?.last_error ?? null;
}

export interface AccountCounts {
  total: number;
  suspended: number;
  named: number;
  operators: number;
  /** Accounts with no use on record. */
  unseen: number;
  /** Accounts without a published page. */
  no_page: number;
  /** Accounts that the identity provider no longer lets in. */
  left_group: number;
  visible_pages: number;
  seen_last_week: number;
  /** By the week of their creation, oldest first. The last week ends now. */
  created_per_week: number[];
}

/** Whether there is a second account, or anybody was invited. */
export async function hasOthers(db: ReadDatabase): Promise<boolean> {
  return exists(
    db,
    sql`(SELECT id FROM accounts WHERE closed_at IS NULL AND NOT ${isWaiting(sql`accounts.id`)} LIMIT 2) AS first_two
      HAVING count(*) > 1 OR EXISTS (SELECT FROM invitations)`,
  );
}

export async function readAccountCounts(db: ReadDatabase, weeks: number): Promise<AccountCounts> {
  const { rows } = await sql<AccountCounts>`
    SELECT count(*)::int AS total,
      count(coalesce(accounts.suspended_at, sites.suspended_at))::int AS suspended,
      count(display_names.name)::int AS named,
      (count(*) FILTER (WHERE sites.enabled AND sites.suspended_at IS NULL
        AND accounts.suspended_at IS NULL AND display_names.name IS NOT NULL))::int AS visible_pages,
      (count(*) FILTER (WHERE ${isPagePublished} IS NOT TRUE OR display_names.name IS NULL))::int AS no_page,
      (SELECT count(DISTINCT account_id)::int FROM identities JOIN accounts AS linked
        ON linked.id = account_id AND linked.closed_at IS NULL WHERE left_at IS NOT NULL) AS left_group,
      (SELECT count(*)::int FROM operators) AS operators,
      (SELECT count(*)::int FROM accounts WHERE closed_at IS NULL AND last_seen_at IS NULL
        AND NOT ${isWaiting(sql`accounts.id`)} AND id NOT IN (SELECT account_id FROM api_keys WHERE last_used_at IS NOT NULL
          UNION SELECT account_id FROM passkeys WHERE last_used_at IS NOT NULL
          UNION SELECT account_id FROM identities WHERE last_used_at IS NOT NULL)) AS unseen,
      (SELECT count(*)::int FROM (
        SELECT account_id FROM sessions WHERE last_seen_at > now() - interval '7 days'
        UNION SELECT id FROM accounts WHERE last_seen_at > now() - interval '7 days'
      ) AS seen JOIN accounts ON id = account_id AND closed_at IS NULL) AS seen_last_week,
      ARRAY(SELECT count(created.id)::int FROM generate_series(${weeks}::int, 1, -1) AS week
        LEFT JOIN accounts AS created ON created.closed_at IS NULL AND NOT ${isWaiting(sql`created.id`)}
          AND created.created_at > now() - week * interval '7 days'
          AND created.created_at <= now() - (week - 1) * interval '7 days'
        GROUP BY week ORDER BY week DESC) AS created_per_week
    FROM accounts
    LEFT JOIN display_names ON display_names.account_id = accounts.id
    LEFT JOIN sites ON sites.account_id = accounts.id
    WHERE accounts.closed_at IS NULL AND NOT ${isWaiting(sql`accounts.id`)}`.execute(db);
  return rows[0]!;
}

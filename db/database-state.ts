import { type Kysely, sql } from 'kysely';
import type { Reads } from './connections/databases.ts';
import type { Database } from './schema.ts';

/** A PostgreSQL server as a connection to it sees it. */
export interface ServerState {
  /** As people say it: 18.4. */
  version: string;
  /** 180004. */
  version_number: number;
  encoding: string;
  read_only: boolean;
  /** Connections that roles without privileges may have, of all databases. */
  connections: number;
  /** Whether the role may make tables, and further schemas. */
  may_create_tables: boolean;
  may_create_schemas: boolean;
}

export async function readServerState(db: Kysely<Database>): Promise<ServerState> {
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

/** Disk space of a table, with its indexes and partitions. */
export interface TableSize {
  name: string;
  bytes: number;
  /** PostgreSQL's estimate; null before its first ANALYZE. */
  rows: number | null;
}

/** The size of the database, and of its largest tables. */
export async function readSizes(
  db: Kysely<Database>,
  limit: number,
): Promise<{ bytes: number; tables: TableSize[] }> {
  const { rows: all } = await sql<{ bytes: number }>`
    SELECT pg_database_size(current_database())::float8 AS bytes`.execute(db);
  const { rows: tables } = await sql<TableSize>`
    SELECT relation.relname AS name, sum(pg_total_relation_size(part.oid))::float8 AS bytes,
      CASE WHEN bool_or(part.reltuples >= 0)
        THEN sum(greatest(part.reltuples, 0)) END::float8 AS rows
    FROM pg_class AS relation
    LEFT JOIN pg_inherits ON inhparent = relation.oid
    JOIN pg_class AS part ON part.oid = coalesce(inhrelid, relation.oid)
    WHERE relation.relnamespace = current_schema()::regnamespace
      AND relation.relkind IN ('r', 'p') AND NOT relation.relispartition
    GROUP BY relation.relname
    ORDER BY bytes DESC, name
    LIMIT ${limit}`.execute(db);
  return { bytes: all[0]!.bytes, tables };
}

/** The jobs of a kind. */
export interface QueueState {
  kind: string;
  waiting: number;
  /** Waiting jobs that start later. */
  deferred: number;
  /** Waiting jobs that failed before. */
  retried: number;
  active: number;
  failed: number;
  /** When the first of those that wait was written. */
  oldest_at: Date | null;
}

/** The jobs by kind; undefined if no server has created the queues yet. */
export async function readQueue(db: Reads): Promise<QueueState[] | undefined> {
  const { rows: found } = await sql<{ there: boolean }>`
    SELECT to_regclass('pgboss.job') IS NOT NULL AS there`.execute(db);
  if (!found[0]?.there) return undefined;
  // Names of pg-boss's own queues begin with underscores.
  const { rows } = await sql<QueueState>`
    SELECT queue.name AS kind,
      count(*) FILTER (WHERE state IN ('created', 'retry'))::int AS waiting,
      count(*) FILTER (WHERE state IN ('created', 'retry') AND start_after > now())::int AS deferred,
      count(*) FILTER (WHERE state = 'retry')::int AS retried,
      count(*) FILTER (WHERE state = 'active')::int AS active,
      count(*) FILTER (WHERE state = 'failed')::int AS failed,
      min(job.created_on) FILTER (WHERE state IN ('created', 'retry')) AS oldest_at
    FROM pgboss.queue LEFT JOIN pgboss.job USING (name)
    WHERE queue.name NOT LIKE '\\_\\_%'
    GROUP BY queue.name
    ORDER BY queue.name`.execute(db);
  return rows;
}

/** A name that the provider has not agreed about. */
export interface StuckName {
  name: string;
  attempts: number;
  last_error: string | null;
  next_try_at: Date | null;
}

/** How many names the provider has not agreed about, and those that failed most. */
export async function readUnsettled(
  db: Kysely<Database>,
  limit: number,
): Promise<{ count: number; names: StuckName[] }> {
  const { rows: counted } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM forwarding_names
    WHERE settled_revision < revision`.execute(db);
  const { rows: names } = await sql<StuckName>`
    SELECT name, attempts, last_error, next_try_at FROM forwarding_names
    WHERE settled_revision < revision
    ORDER BY attempts DESC, name
    LIMIT ${limit}`.execute(db);
  return { count: counted[0]!.count, names };
}

/** How many accounts there are, and how many of them are suspended. */
export async function countAccounts(
  db: Kysely<Database>,
): Promise<{ all: number; suspended: number }> {
  const { rows } = await sql<{ all: number; suspended: number }>`
    SELECT count(*)::int AS "all", count(suspended_at)::int AS suspended FROM accounts`.execute(db);
  return rows[0]!;
}

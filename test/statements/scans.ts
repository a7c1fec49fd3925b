import { sql } from 'kysely';
import type { ReadDatabase } from '#db/connections/handles.ts';

/** A plan node of `EXPLAIN (FORMAT JSON)`. */
export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  Plans?: Plan[];
}

/** Plan nodes that read all rows of their children before they return one. */
const BLOCKING_NODES = new Set(['Sort', 'Incremental Sort', 'Hash', 'Aggregate']);

/**
 * Sets planner statistics: the same row count for all tables, ten rows per distinct value, mostly
 * NULL in nullable columns except `account_id`, and only future times. PostgreSQL uses only the
 * resulting rows per page, and counts the pages itself.
 */
export async function setPlannerStatistics(db: ReadDatabase, rows: number): Promise<void> {
  await sql`
    SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', relname::text,
      'relpages', (pg_relation_size(oid) / current_setting('block_size')::integer)::integer,
      'reltuples', ${rows}::real)
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`.execute(db);
  await sql`
    SELECT pg_restore_attribute_stats('schemaname', 'public', 'relname', relname::text,
      'attname', attname::text, 'inherited', relkind = 'p',
      'null_frac', CASE WHEN attnotnull OR attname = 'account_id' THEN 0 ELSE 0.99 END::real,
      'avg_width', 16, 'n_distinct', -0.1::real,
      'histogram_bounds', CASE WHEN atttypid = 'timestamptz'::regtype
        THEN ARRAY[now(), now() + interval '1 hour']::text END)
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND attnum > 0 AND NOT attisdropped AND atttypid <> 'boolean'::regtype`.execute(db);
}

/**
 * The first column or expression of each index, by index name. Without a condition on it, a scan
 * reads the whole index. Excludes partial indexes, assuming that they contain only relevant rows.
 */
export async function readLeadingColumns(db: ReadDatabase): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; leading_column: string }>`
    SELECT relname AS name, pg_get_indexdef(indexrelid, 1, true) AS leading_column
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indpred IS NULL`.execute(db);
  return new Map(rows.map(({ name, leading_column }) => [name, leading_column]));
}

/** The generic plan of a statement. */
export async function explain(db: ReadDatabase, text: string): Promise<Plan> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`${sql.raw(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
  )}`.execute(db);
  return rows[0]!['QUERY PLAN'][0].Plan;
}

/**
 * The tables that a plan scans, and the indexes that it scans without a condition on their first
 * column. Excludes scans that a LIMIT ends early, but includes table scans with a filter.
 */
export function findFullScans(
  plan: Plan,
  leadingColumns: Map<string, string>,
  isParentLimited = false,
): string[] {
  const node = plan['Node Type'];
  const isLimited = node === 'Limit' || (isParentLimited && !BLOCKING_NODES.has(node));
  const childScans = (plan.Plans ?? []).flatMap((child) =>
    findFullScans(child, leadingColumns, isLimited),
  );
  const index = plan['Index Name'];
  if (node === 'Seq Scan')
    return isParentLimited && !plan.Filter ? childScans : [plan['Relation Name']!];
  if (index === undefined || isParentLimited) return childScans;
  const leadingColumn = leadingColumns.get(index);
  return !leadingColumn || plan['Index Cond']?.includes(leadingColumn) ? childScans : [index];
}

import { sql } from 'kysely';
import type { Executor, ReadDatabase } from './connections/handles.ts';

export interface Relation {
  name: string;
  columns: { name: string; type: string; notNull: boolean; default: string | null }[];
  constraints: string[];
  partitions: string | null;
  indexes: string[];
  /** Storage parameters of a table, or options of a view. */
  options: string | null;
  /** The query of a view; null for tables. */
  query: string | null;
}

/** Lists tables and views in creation order, except partitions and Kysely's tables. */
export async function readRelations(db: ReadDatabase): Promise<Relation[]> {
  const { rows } = await sql<Relation>`
    SELECT relname AS name,
      (SELECT json_agg(json_build_object(
          'name', attname,
          'type', format_type(atttypid, atttypmod),
          'notNull', attnotnull,
          'default', pg_get_expr(adbin, adrelid)
        ) ORDER BY attnum)
        FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attrelid = relation.oid AND attnum > 0 AND NOT attisdropped) AS columns,
      ARRAY(SELECT format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid, true))
        FROM pg_constraint
        WHERE conrelid = relation.oid AND contype <> 'n'
        ORDER BY array_position('{p,u,x,f,c}', contype::text), conname) AS constraints,
      pg_get_partkeydef(oid) AS partitions,
      ARRAY(SELECT pg_get_indexdef(indexrelid, 0, true)
        FROM pg_index
        WHERE indrelid = relation.oid
          AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
        ORDER BY indexrelid) AS indexes,
      array_to_string(reloptions, ', ') AS options,
      CASE relkind WHEN 'v' THEN pg_get_viewdef(oid, true) END AS query
    FROM pg_class AS relation
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v')
      AND NOT relispartition AND relname NOT LIKE 'kysely%'
    ORDER BY oid`.execute(db);
  return rows;
}

export async function readOtherStatements(db: Executor): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    SELECT format('CREATE SEQUENCE %I AS %s START %s INCREMENT %s CACHE %s',
        sequencename, data_type, start_value, increment_by, cache_size) AS statement
    FROM pg_sequences WHERE schemaname = current_schema()
    UNION ALL
    SELECT trim(pg_get_functiondef(oid), E'\n')
    FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
    UNION ALL
    SELECT pg_get_triggerdef(pg_trigger.oid, true)
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal AND NOT relispartition`.execute(
    db,
  );
  return rows.map(({ statement }) => statement);
}

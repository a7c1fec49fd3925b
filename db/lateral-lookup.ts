import {
  CompiledQuery,
  type Expression,
  type ExpressionBuilder,
  type SelectQueryBuilder,
  expressionBuilder,
  sql,
} from 'kysely';
import type { Reads } from './connections/databases.ts';
import type { Database } from './schema.ts';

/**
 * Builds a query that looks up each key of a list by itself (`LATERAL`), so that it uses indexes even
 * if PostgreSQL thinks the tables are small. With `= ANY` and joins, a plan made while they were empty
 * would read whole tables until they are analysed. The statement is built only once.
 */
export function lateralLookup<Row>(
  type: 'text' | 'uuid',
  find: (
    key: Expression<string>,
    query: ExpressionBuilder<Database, never>,
  ) => SelectQueryBuilder<Database, any, Row>,
): (db: Reads, keys: readonly string[]) => Promise<Row[]> {
  let built: CompiledQuery | undefined;
  return async (db, keys) => {
    // The list is a parameter, and in a subquery: for a list as it is PostgreSQL would plan the
    // statement anew each time, since the plan for a few known values looks cheaper. OFFSET keeps
    // each look-up apart.
    built ??= sql`
    SELECT found.* FROM unnest(ARRAY(SELECT unnest(${keys}::${sql.raw(type)}[]))) AS wanted (key),
      LATERAL ${find(sql.ref('wanted.key'), expressionBuilder()).offset(sql<number>`0`)} AS found`.compile(
      db,
    );
    const [, ...others] = built.parameters;
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(built.sql, [keys, ...others]));
    return rows;
  };
}

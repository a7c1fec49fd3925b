import {
  CompiledQuery,
  type Expression,
  type ExpressionBuilder,
  type SelectQueryBuilder,
  expressionBuilder,
  sql,
} from 'kysely';
import type { ReadDatabase } from './connections/handles.ts';
import type { Schema } from './schema.ts';

/**
 * Builds a query with one index lookup per key (`LATERAL`). With `= ANY` or a join, a plan cached
 * while the tables were empty would scan whole tables until the next ANALYZE. The statement is
 * compiled once.
 */
export function lateralLookup<Row>(
  type: 'text' | 'uuid',
  buildLookup: (
    key: Expression<string>,
    eb: ExpressionBuilder<Schema, never>,
  ) => SelectQueryBuilder<Schema, any, Row>,
): (db: ReadDatabase, keys: readonly string[]) => Promise<Row[]> {
  let compiled: CompiledQuery | undefined;
  return async (db, keys) => {
    // The subquery hides the length of the array from the planner. Otherwise, PostgreSQL would plan
    // every execution again instead of using a generic plan. OFFSET keeps the planner from turning the
    // lookups into a join.
    compiled ??= sql`
    SELECT found.* FROM unnest(ARRAY(SELECT unnest(${keys}::${sql.raw(type)}[]))) AS lookup (key),
      LATERAL ${buildLookup(sql.ref('lookup.key'), expressionBuilder()).offset(sql<number>`0`)} AS found`.compile(
      db,
    );
    const [, ...otherParameters] = compiled.parameters;
    const { rows } = await db.executeQuery<Row>(
      CompiledQuery.raw(compiled.sql, [keys, ...otherParameters]),
    );
    return rows;
  };
}

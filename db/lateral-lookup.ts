import {
  CompiledQuery,
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  expressionBuilder,
  sql,
} from 'kysely';
import type { Database } from './schema.ts';

/**
 * Makes a look-up of each of a list of keys by itself, in one statement: by indexes, however small
 * PostgreSQL believes the tables to be. With `= ANY` and joins a plan that was made while they were
 * empty would read all of them until they are analysed. The statement is built once, not with each use.
 */
export function eachOf<Row>(
  type: 'text' | 'uuid',
  find: (
    key: Expression<string>,
    query: ExpressionBuilder<Database, never>,
  ) => SelectQueryBuilder<Database, any, Row>,
): (db: Kysely<Database>, keys: readonly string[]) => Promise<Row[]> {
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

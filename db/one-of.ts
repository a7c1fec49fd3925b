import { sql } from 'kysely';

/**
 * One of a list that is a parameter. In a subquery: a list as it is would make PostgreSQL plan the
 * statement anew each time, since the plan for a few known values looks cheaper.
 */
export function oneOf(values: readonly string[], type: 'text' | 'uuid') {
  return sql<string>`ANY(ARRAY(SELECT unnest(${values}::${sql.raw(type)}[])))`;
}

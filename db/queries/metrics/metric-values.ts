import { type RawBuilder, sql } from 'kysely';

/** A part of a statement. */
export type Expression = RawBuilder<unknown>;

/** Sums of numbers beyond it could be too large; those count as no numbers. */
const GREATEST = 1e100;

/**
 * The JSON text of what is at a path, of a document of the type `json` or `jsonb`. `null` says as little
 * as nothing.
 */
export function textAt(document: Expression, path: Expression): Expression {
  return sql`nullif((${document} #> ${path})::text, 'null')`;
}

/** The number that a JSON text is: only numbers begin with a digit or a minus. */
export function numberOf(text: Expression): Expression {
  return sql`CASE WHEN ascii(${text}) BETWEEN 45 AND 57 AND abs(${text}::float8) < ${GREATEST}::float8
    THEN ${text}::float8 END`;
}

/** The number of the latest metric that has one, where it is `wanted`. */
export function latestOf(number: Expression, wanted: Expression = sql`true`): Expression {
  return sql`(max(ARRAY[date_part('epoch', received_at), id, ${number}])
    FILTER (WHERE ${wanted} AND ${number} IS NOT NULL))[3]`;
}

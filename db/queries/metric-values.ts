import { type RawBuilder, sql } from 'kysely';

export type SqlFragment = RawBuilder<unknown>;

/** Numbers of this size and above are ignored, because their sums could overflow. */
const MAX_NUMBER = 1e100;

/** Returns the value as JSON text. JSON null counts as missing. */
export function jsonTextAt(document: SqlFragment, path: SqlFragment): SqlFragment {
  return sql`nullif((${document} #> ${path})::text, 'null')`;
}

/**
 * Returns null if the JSON text is not a number, or the number is too large. JSON text that starts
 * with ASCII 45 to 57 (`-` or a digit; `.` and `/` cannot occur) is a number.
 */
export function toNumber(text: SqlFragment): SqlFragment {
  return sql`CASE WHEN ascii(${text}) BETWEEN 45 AND 57 AND abs(${text}::float8) < ${MAX_NUMBER}::float8
    THEN ${text}::float8 END`;
}

/** The number of the latest metric that has one and matches `condition`. */
export function latestNumber(number: SqlFragment, condition: SqlFragment = sql`true`): SqlFragment {
  return sql`(max(ARRAY[date_part('epoch', received_at), id, ${number}])
    FILTER (WHERE ${condition} AND ${number} IS NOT NULL))[3]`;
}

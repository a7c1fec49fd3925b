import { type Kysely, sql } from 'kysely';
import type { BucketUnit } from '#contract/metric-query.ts';
import type { Database } from '#db/schema.ts';
import type { Expression } from './metric-values.ts';

interface BucketRange {
  /** From this time on, and before this one; ISO 8601. */
  since: string;
  until: string;
  /** Time zone of the IANA. */
  timeZone: string;
  unit: BucketUnit;
}

/**
 * When the buckets begin that a span of time is cut into by the clock and calendar of a time zone; the
 * first may begin before it. A repeated hour is a bucket of its own, days have as many hours as they have.
 */
export async function findBucketStarts(
  db: Kysely<Database>,
  { since, until, timeZone, unit }: BucketRange,
): Promise<Date[]> {
  const of = {
    since: sql`${since}::timestamptz`,
    until: sql`${until}::timestamptz`,
    zone: sql`${timeZone}::text`,
    unit: sql`${unit}::text`,
  };
  const isOfClock = unit === 'minute' || unit === 'hour';
  const { rows } = await sql<{ start: Date }>`
    WITH mark AS MATERIALIZED (${isOfClock ? clockMarks(of) : calendarMarks(of)})
    SELECT start FROM mark
    WHERE start < ${of.until} AND start >= (SELECT max(start) FROM mark WHERE start <= ${of.since})
    ORDER BY start`.execute(db);
  return rows.map(({ start }) => start);
}

type Parts = Record<'since' | 'until' | 'zone' | 'unit', Expression>;

/** Every instant at which the clocks of the zone show a full minute or hour; offsets are quarters of an hour. */
function clockMarks({ since, until, zone, unit }: Parts): Expression {
  return sql`
    SELECT start
    FROM (SELECT CASE ${unit} WHEN 'minute' THEN interval '1 minute' ELSE interval '15 minutes' END AS step)
      AS step,
      generate_series(date_bin(step, ${since}, 'epoch') - 8 * step, ${until}, step) AS start
    WHERE date_trunc(${unit}, start AT TIME ZONE ${zone}) = start AT TIME ZONE ${zone}`;
}

/**
 * The first instant of every day, week or month of the zone. Of a midnight that comes twice PostgreSQL
 * takes the later one; the earlier one is found by the offset that held before.
 */
function calendarMarks({ since, until, zone, unit }: Parts): Expression {
  return sql`
    SELECT DISTINCT CASE WHEN earlier AT TIME ZONE ${zone} = midnight THEN least(earlier, later)
      ELSE later END AS start
    FROM generate_series(
      date_trunc(${unit}, ${since} AT TIME ZONE ${zone}), ${until} AT TIME ZONE ${zone},
      ('1 ' || ${unit})::interval
    ) AS midnight,
    LATERAL (SELECT midnight AT TIME ZONE ${zone} AS later) AS found,
    LATERAL (SELECT (midnight + (
      (later - interval '3 hours') AT TIME ZONE 'UTC' - (later - interval '3 hours') AT TIME ZONE ${zone}
    )) AT TIME ZONE 'UTC' AS earlier) AS before`;
}

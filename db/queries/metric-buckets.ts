import { sql } from 'kysely';
import type { BucketUnit } from '#contract/metric-query.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import type { SqlFragment } from './metric-values.ts';

interface BucketRange {
  /** ISO 8601; `until` is excluded. */
  since: string;
  until: string;
  timeZone: string;
  unit: BucketUnit;
}

/**
 * Returns the start times of the buckets, which follow local time. The first may be before the
 * range. An hour that is repeated because of a clock change gets its own bucket, and days have 23
 * to 25 hours.
 */
export async function findBucketStarts(
  db: ReadDatabase,
  { since, until, timeZone, unit }: BucketRange,
): Promise<Date[]> {
  const params = {
    since: sql`${since}::timestamptz`,
    until: sql`${until}::timestamptz`,
    zone: sql`${timeZone}::text`,
    unit: sql`${unit}::text`,
  };
  const isClockUnit = unit === 'minute' || unit === 'hour';
  const { rows } = await sql<{ start: Date }>`
    WITH bucket AS MATERIALIZED (${isClockUnit ? listClockStarts(params) : listCalendarStarts(params)})
    SELECT start FROM bucket
    WHERE start < ${params.until} AND start >= (SELECT max(start) FROM bucket WHERE start <= ${params.since})
    ORDER BY start`.execute(db);
  return rows.map(({ start }) => start);
}

type RangeParams = Record<'since' | 'until' | 'zone' | 'unit', SqlFragment>;

/** Lists every full minute or hour of local time. UTC offsets are multiples of 15 minutes. */
function listClockStarts({ since, until, zone, unit }: RangeParams): SqlFragment {
  return sql`
    SELECT start
    FROM (SELECT CASE ${unit} WHEN 'minute' THEN interval '1 minute' ELSE interval '15 minutes' END AS step)
      AS bucket_step,
      generate_series(date_bin(step, ${since}, 'epoch') - 8 * step, ${until}, step) AS start
    WHERE date_trunc(${unit}, start AT TIME ZONE ${zone}) = start AT TIME ZONE ${zone}`;
}

/**
 * Lists the start of every local day, week or month. If midnight occurs twice, PostgreSQL converts
 * it to the second one, so compute the first one with the previous UTC offset.
 */
function listCalendarStarts({ since, until, zone, unit }: RangeParams): SqlFragment {
  return sql`
    SELECT DISTINCT CASE WHEN first_midnight AT TIME ZONE ${zone} = midnight THEN least(first_midnight, second_midnight)
      ELSE second_midnight END AS start
    FROM generate_series(
      date_trunc(${unit}, ${since} AT TIME ZONE ${zone}), ${until} AT TIME ZONE ${zone},
      ('1 ' || ${unit})::interval
    ) AS midnight,
    LATERAL (SELECT midnight AT TIME ZONE ${zone} AS second_midnight) AS second,
    LATERAL (SELECT (midnight + (
      (second_midnight - interval '3 hours') AT TIME ZONE 'UTC' - (second_midnight - interval '3 hours') AT TIME ZONE ${zone}
    )) AT TIME ZONE 'UTC' AS first_midnight) AS first`;
}

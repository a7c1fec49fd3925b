import { z } from 'zod';
import { enumParam, field, ifValid, listParam } from './fields.ts';
import { projectId, since, until } from './metric-params.ts';
import { DAY_MS } from './shared/durations.ts';
import { formatLimit, LIMITS } from './shared/limits.ts';
import { countCodePoints, limitedText } from './text.ts';
import { timeZoneName } from './time-zone.ts';

const PATH_MESSAGE = `must be an array such as ["visitors"], of at most ${LIMITS.pathKeys} keys with ${formatLimit(LIMITS.pathCharacters)} characters in total. __proto__ is not allowed.`;

/** A path is an array, not a dotted string, because keys can contain dots. */
export const metricPath = z
  .array(z.string(PATH_MESSAGE).meta({ maxLength: LIMITS.pathCharacters }), PATH_MESSAGE)
  .max(LIMITS.pathKeys, PATH_MESSAGE)
  .refine((keys) => countCodePoints(keys.join('')) <= LIMITS.pathCharacters, PATH_MESSAGE)
  // JSON bodies with this key are rejected, so no payload has it.
  .refine((keys) => !keys.includes('__proto__'), PATH_MESSAGE)
  .meta({
    description: `The path of a value in the payloads: the keys from the outermost to the innermost. In an array, use the index as a string. An empty path means the payload itself. All keys together have at most ${formatLimit(LIMITS.pathCharacters)} characters.`,
    examples: [['visitors'], ['sales', 'eur']],
  });

export const METRIC_AGGREGATES = ['count', 'sum', 'avg', 'min', 'max', 'last'] as const;
export type MetricAggregate = (typeof METRIC_AGGREGATES)[number];

const Measure = z
  .object(
    {
      path: metricPath.default([]),
      aggregate: enumParam(METRIC_AGGREGATES)
        .default('count')
        .meta({
          description:
            'The aggregate of the values. `count` counts the values that are not null. All others need a path, and use numbers only, up to 1e100. `last` is the most recently received number.',
          examples: ['sum'],
        }),
    },
    'must be an object.',
  )
  .refine(({ path, aggregate }) => path.length > 0 || aggregate === 'count', {
    error: 'is missing: only the aggregate count needs no path.',
    path: ['path'],
  })
  .meta({ id: 'Measure', description: 'A number to compute from the metrics.' });
export type Measure = z.infer<typeof Measure>;

export const METRIC_CONDITIONS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'exists',
  'missing',
] as const;
export type MetricCondition = (typeof METRIC_CONDITIONS)[number];

const FILTER_VALUE_MESSAGE = `must be a number, true, false or a string of at most ${formatLimit(LIMITS.filterText)} characters.`;

const MetricFilter = z
  .object(
    {
      path: metricPath,
      is: enumParam(METRIC_CONDITIONS).meta({
        description:
          'The condition. `eq` and `ne`: equal or not equal to `value`; a string in `value` also equals a number or boolean in the payload that it spells, but not the reverse. `ne` includes metrics without a value at the path. `gt`, `gte`, `lt`, `lte`: compares numbers; strings never match. `contains`: a string that contains `value`, with the same capitals. `exists` and `missing`: whether there is a value at the path; null is none.',
        examples: ['eq'],
      }),
      value: z
        .union(
          [z.number(), z.boolean(), limitedText(LIMITS.filterText, FILTER_VALUE_MESSAGE)],
          FILTER_VALUE_MESSAGE,
        )
        .optional()
        .meta({
          description:
            'The value to compare with: a number for `gt`, `gte`, `lt` and `lte`, a string for `contains`, any of these types for `eq` and `ne`. Ignored with `exists` and `missing`.',
          examples: ['/pots'],
        }),
    },
    'must be an object.',
  )
  .refine(
    hasMatchingValue,
    'needs a matching value: a number for gt, gte, lt and lte, a string for contains, any value for eq and ne.',
  )
  .meta({ id: 'MetricFilter', description: 'A condition that metrics must meet.' });
export type MetricFilter = z.infer<typeof MetricFilter>;

function hasMatchingValue({ is, value }: { is: MetricCondition; value?: unknown }): boolean {
  if (is === 'exists' || is === 'missing') return true;
  if (is === 'eq' || is === 'ne') return value !== undefined;
  return typeof value === (is === 'contains' ? 'string' : 'number');
}

export const BUCKET_UNITS = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type BucketUnit = (typeof BUCKET_UNITS)[number];

function isValidRange({ since: from, until: to }: { since: string; until: string }): boolean {
  const durationMs = Date.parse(to) - Date.parse(from);
  return durationMs > 0 && durationMs <= LIMITS.queryDays * DAY_MS;
}

export const QueryMetricsRequest = z
  .object({
    project_id: projectId,
    since,
    until,
    time_zone: field(
      'timeZoneInvalid',
      timeZoneName.default('UTC'),
      'The IANA time zone of the bucket boundaries.',
      'Europe/Lisbon',
    ),
    bucket: enumParam(['auto', ...BUCKET_UNITS])
      .default('auto')
      .meta({
        description: `The length of a bucket. Weeks start on Monday. \`auto\` picks the shortest one that keeps a chart readable; a longer one saves AI clients context, because the response has a value for each bucket. A query can have at most ${formatLimit(LIMITS.buckets)} buckets.`,
        examples: ['day'],
      }),
    measures: listParam(Measure, 1, 1, 'measure')
      .optional()
      // Not `.default()`: code generated from a default that contains objects does not compile.
      .transform(
        (measures): z.output<typeof Measure>[] => measures ?? [{ path: [], aggregate: 'count' }],
      )
      .meta({ description: 'The measure to compute. Default: the number of metrics.' }),
    group_by: metricPath.optional().meta({
      description: `The path of the value to group by. Strings (the first ${LIMITS.groupText} characters), numbers and booleans form groups; all other values are in the group null. Returns only the ${LIMITS.groups} groups with the most metrics.`,
      examples: [['page']],
    }),
    filters: listParam(MetricFilter, 0, LIMITS.filters, 'filters')
      .default([])
      .meta({ description: 'The filters. A metric must match all of them.' }),
  })
  .refine(isValidRange, {
    error: `must be before until, by at most ${formatLimit(LIMITS.queryDays)} days.`,
    path: ['since'],
    when: ifValid('since', 'until'),
  })
  .meta({
    id: 'QueryMetricsRequest',
    description: `A query of metrics. \`since\` must be before \`until\`, by at most ${formatLimit(LIMITS.queryDays)} days.`,
  });

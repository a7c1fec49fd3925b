import { DAY_MS } from './durations.ts';
import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { countCodePoints, limitedText } from './text.ts';
import { projectId, since, until } from './metric-params.ts';

const PATH = `must be an array of at most ${LIMITS.pathKeys} keys with ${LIMITS.pathCharacters.toLocaleString('en')} characters together, none of them __proto__.`;

/** Keys can hold dots, so a path is no text with dots; `message` is the answer to anything else. */
function metricPathSchema(message: string) {
  return (
    z
      .array(z.string(message).meta({ maxLength: LIMITS.pathCharacters }), message)
      .max(LIMITS.pathKeys, message)
      .refine((keys) => countCodePoints(keys.join('')) <= LIMITS.pathCharacters, message)
      // No payload has that key.
      .refine((keys) => !keys.includes('__proto__'), message)
      .meta({
        description:
          'The path of a value in the payloads: its keys from outside to inside. A number as text is a position in an array. An empty path is the payload itself.',
        examples: [['visitors'], ['sales', 'eur']],
      })
  );
}

/** A path in a part of a body. */
export const metricPath = metricPathSchema(PATH);
/** The field `path` of a body. */
export const topLevelMetricPath = metricPathSchema(`path ${PATH}`);

export const METRIC_AGGREGATES = [
  'count',
  'distinct',
  'sum',
  'avg',
  'min',
  'max',
  'p50',
  'p90',
  'p95',
  'p99',
  'last',
] as const;
export type MetricAggregate = (typeof METRIC_AGGREGATES)[number];

const AGGREGATE = `must be one of ${METRIC_AGGREGATES.join(', ')}.`;

const Measure = z
  .object(
    {
      path: metricPath.default([]),
      aggregate: z
        .enum(METRIC_AGGREGATES, AGGREGATE)
        .default('count')
        .meta({
          description:
            'The aggregate of the values. `count` counts values that are not null, `distinct` counts different ones. All others use numbers only, up to 1e100. `p50` is the median, `last` the number received last.',
          examples: ['sum'],
        }),
    },
    'must be an object.',
  )
  .meta({ id: 'Measure', description: 'A number computed from the metrics.' });
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

const CONDITION = `must be one of ${METRIC_CONDITIONS.join(', ')}.`;
const FILTER_VALUE = `must be a number, true, false or a text of at most ${LIMITS.filterText.toLocaleString('en')} characters.`;

const MetricFilter = z
  .object(
    {
      path: metricPath,
      is: z.enum(METRIC_CONDITIONS, CONDITION).meta({
        description:
          'How to compare: equal or not equal, greater or less than a number, a text that contains another, present, or missing.',
        examples: ['eq'],
      }),
      value: z
        .union(
          [z.number(), z.boolean(), limitedText(LIMITS.filterText, FILTER_VALUE)],
          FILTER_VALUE,
        )
        .optional()
        .meta({ description: 'The value to compare with.', examples: ['/checkout'] }),
    },
    'must be an object.',
  )
  .refine(
    hasMatchingValue,
    'needs a value that goes with it: a number with gt, gte, lt and lte, a text with contains, any with eq and ne.',
  )
  .meta({ id: 'MetricFilter', description: 'Which metrics count.' });
export type MetricFilter = z.infer<typeof MetricFilter>;

function hasMatchingValue({ is, value }: { is: MetricCondition; value?: unknown }): boolean {
  if (is === 'exists' || is === 'missing') return true;
  if (is === 'eq' || is === 'ne') return value !== undefined;
  return typeof value === (is === 'contains' ? 'string' : 'number');
}

export const BUCKET_UNITS = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type BucketUnit = (typeof BUCKET_UNITS)[number];

const MEASURES = `measures must be an array of 1 to ${LIMITS.measures} measures.`;
const FILTERS = `filters must be an array of at most ${LIMITS.filters} filters.`;
const BUCKET = `bucket must be auto, ${BUCKET_UNITS.join(', ')}.`;
export const TIME_ZONE_MESSAGE = 'timeZone must be the name of a time zone, like Europe/Lisbon.';
const RANGE = `since must be before until, by ${LIMITS.queryDays.toLocaleString('en')} days at most.`;

function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}

/** Whether a span of time is one, and not too long. */
function isRange({ since: from, until: to }: { since: string; until: string }): boolean {
  const span = Date.parse(to) - Date.parse(from);
  return span > 0 && span <= LIMITS.queryDays * DAY_MS;
}

export const QueryMetricsRequest = z
  .object({
    projectId,
    since,
    until,
    timeZone: z
      .string(TIME_ZONE_MESSAGE)
      .max(64, TIME_ZONE_MESSAGE)
      // Offsets and abbreviations know nothing of summer.
      .regex(/^(?:UTC|[A-Za-z]+(?:\/[A-Za-z0-9_+-]+)+)$/, TIME_ZONE_MESSAGE)
      .refine(isTimeZone, TIME_ZONE_MESSAGE)
      .default('UTC')
      .meta({
        description: 'The IANA time zone whose clock and calendar set the buckets.',
        examples: ['Europe/Lisbon'],
      }),
    bucket: z
      .enum(['auto', ...BUCKET_UNITS], BUCKET)
      .default('auto')
      .meta({
        description: `The length of one bucket; weeks begin on Monday. \`auto\` picks the finest that is still readable. At most ${LIMITS.buckets.toLocaleString('en')} points.`,
        examples: ['day'],
      }),
    measures: z
      .array(Measure, MEASURES)
      .min(1, MEASURES)
      .max(LIMITS.measures, MEASURES)
      .optional()
      // Not `.default()`: zod schemas generated from a default with objects do not compile.
      .transform(
        (measures): z.output<typeof Measure>[] => measures ?? [{ path: [], aggregate: 'count' }],
      )
      .meta({ description: 'The measures to compute; by default metrics are counted.' }),
    groupBy: metricPath.optional().meta({
      description: `The path whose values form the groups: texts (the first ${LIMITS.groupText} characters), numbers, true and false. Everything else is in the group null. Only the ${LIMITS.groups} groups with the most metrics are returned.`,
      examples: [['country']],
    }),
    filters: z
      .array(MetricFilter, FILTERS)
      .max(LIMITS.filters, FILTERS)
      .default([])
      .meta({ description: 'Filters that must all match.' }),
    compare: z
      .boolean('compare must be true or false.')
      .default(false)
      .meta({
        description: 'Whether to return the previous period of the same length, too.',
        examples: [true],
      }),
  })
  .refine(isRange, { error: RANGE, path: ['since'] })
  .meta({
    id: 'QueryMetricsRequest',
    description: 'A query of the metrics of a project.',
  });

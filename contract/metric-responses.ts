import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { timeField } from './fields.ts';
import { metricPath } from './metric-query.ts';

const count = z.number().int().nonnegative();
const value = z.number().nullable();
/** Whole ones, and a part at either end. */
const MAX_BUCKETS = LIMITS.buckets + 2;
const MAX_SERIES = LIMITS.groups * LIMITS.measures;

export const METRIC_FIELD_TYPES = ['number', 'string', 'boolean', 'array', 'object'] as const;
export type MetricFieldType = (typeof METRIC_FIELD_TYPES)[number];

const exampleText = z.string().meta({ maxLength: LIMITS.exampleText });

const MetricField = z
  .object({
    path: metricPath,
    types: z.array(z.enum(METRIC_FIELD_TYPES)).meta({
      description: 'The types of its values. Non-empty objects are described by their own fields.',
      maxItems: METRIC_FIELD_TYPES.length,
      examples: [['number']],
    }),
    share: z.number().meta({
      description: 'The share of metrics in which it is present and not null, from 0 to 1.',
      examples: [0.98],
    }),
    examples: z.array(z.union([exampleText, z.number(), z.boolean()])).meta({
      description: `Up to ${LIMITS.examples} different values, each cut after ${LIMITS.exampleText} characters. Arrays are JSON.`,
      maxItems: LIMITS.examples,
      examples: [[42, 17]],
    }),
    min: value.meta({ description: 'The smallest of its numbers.', examples: [0] }),
    max: value.meta({ description: 'The largest of its numbers.', examples: [311] }),
    distinct: count.meta({
      description: 'The number of different values; 50 means 50 or more.',
      examples: [50],
    }),
  })
  .meta({ id: 'MetricField', description: 'A field of the payloads.' });
export type MetricField = z.infer<typeof MetricField>;

export const DescribeMetricsResponse = z
  .object({
    metrics: count.meta({
      description:
        'The number of metrics examined: at most the newest 1,000 and a megabyte together.',
      examples: [1000],
    }),
    oldest_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description:
          'When the oldest of them was received, to the microsecond (ISO 8601, UTC). Null if there is none.',
        maxLength: 30,
        examples: ['2026-01-31T09:30:00.123456Z'],
      }),
    fields: z.array(MetricField).meta({
      description: `Up to ${LIMITS.describedFields} fields, the most frequent first.`,
      maxItems: LIMITS.describedFields,
    }),
    cut: z.boolean().meta({ description: 'Whether there are more fields.', examples: [false] }),
  })
  .meta({ id: 'DescribeMetricsResponse', description: 'The fields in the payloads of a project.' });

const seriesFields = {
  since: timeField('From this time on', '2026-01-01T00:00:00.000Z'),
  until: timeField('Before this time', '2026-02-01T00:00:00.000Z'),
  times: z.array(z.iso.datetime().meta({ maxLength: 30 })).meta({
    description: 'The start of each bucket. The first is at or before since.',
    maxItems: MAX_BUCKETS,
    examples: [['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']],
  }),
  series: z
    .array(
      z
        .object({
          measure: count.meta({
            description: 'The index of the measure in the query.',
            examples: [0],
          }),
          group: z
            .string()
            .nullable()
            .meta({
              description: 'The value of groupBy. Null without groupBy.',
              maxLength: LIMITS.groupText,
              examples: ['pt'],
            }),
          values: z.array(value).meta({
            description:
              'One value for each bucket. In an empty bucket, count, distinct and sum are 0 and all others null.',
            maxItems: MAX_BUCKETS,
            examples: [[120, 97]],
          }),
        })
        .meta({ id: 'Series', description: 'One measure of one group, by bucket.' }),
    )
    .meta({
      description: 'The series, with those of the largest group first.',
      maxItems: MAX_SERIES,
    }),
  totals: z.array(value).meta({
    description: 'The total of each series.',
    maxItems: MAX_SERIES,
    examples: [[217]],
  }),
  rows: count.meta({ description: 'The number of metrics that matched.', examples: [2893] }),
  groups: count.meta({
    description: 'The number of all groups, including those left out.',
    examples: [1],
  }),
  sampled: z
    .object({
      every: count.meta({ description: 'One in this many metrics was read.', examples: [16] }),
    })
    .nullable()
    .meta({
      description:
        'Null if every metric was read; then all numbers are exact. Otherwise a sample was read, always the same one: rows, count and sum are scaled up, distinct is a lower bound, and all others are those of the sample.',
      examples: [null],
    }),
};

const MetricSeries = z
  .object(seriesFields)
  .meta({ id: 'MetricSeries', description: 'Measures of metrics, by bucket.' });

export const QueryMetricsResponse = z
  .object({
    ...seriesFields,
    bucket: z
      .enum(['minute', 'hour', 'day', 'week', 'month'])
      .meta({ description: 'The length of one bucket.', examples: ['day'] }),
    previous: MetricSeries.nullable().meta({
      description:
        'The series of the previous period of the same length. Null unless requested with compare.',
      examples: [null],
    }),
  })
  .meta({ id: 'QueryMetricsResponse', description: 'The results of a query of metrics.' });

const Metric = z
  .object({
    id: z.string().meta({ description: 'The id of the metric.', maxLength: 20, examples: ['17'] }),
    received_at: z.iso.datetime().meta({
      description: 'When it was received, to the microsecond (ISO 8601, UTC).',
      maxLength: 30,
      examples: ['2026-01-31T09:30:00.123456Z'],
    }),
    payload: z.record(z.string(), z.unknown()).meta({
      description: 'The payload as it was sent.',
      examples: [{ visitors: 42 }],
    }),
  })
  .meta({ id: 'Metric', description: 'A metric as it was received.' });

export const ListMetricsResponse = z
  .object({
    metrics: z
      .array(Metric)
      .meta({ description: 'The metrics, newest first.', maxItems: LIMITS.listedMetrics }),
    next: z
      .string()
      .nullable()
      .meta({
        description: 'The value of `after` for older metrics; null if there are none.',
        maxLength: 200,
        examples: [null],
      }),
  })
  .meta({ id: 'ListMetricsResponse', description: 'Metrics of a project.' });

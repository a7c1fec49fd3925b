import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { time } from './fields.ts';
import { metricPath } from './metric-query.ts';

const count = z.number().int().nonnegative();
const value = z.number().nullable();
/** Whole ones, and a part at either end. */
const MAX_BUCKETS = LIMITS.buckets + 2;
const MAX_SERIES = LIMITS.groups * LIMITS.measures;

export const FIELD_TYPES = ['number', 'string', 'boolean', 'array', 'object'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

const exampleText = z.string().meta({ maxLength: LIMITS.exampleText });

const MetricField = z
  .object({
    path: metricPath,
    types: z.array(z.enum(FIELD_TYPES)).meta({
      description:
        'The types of its values; objects that are not empty are described by their own fields.',
      maxItems: FIELD_TYPES.length,
      examples: [['number']],
    }),
    share: z.number().meta({
      description: 'The part of the metrics that have it and not as null, from 0 to 1.',
      examples: [0.98],
    }),
    examples: z.array(z.union([exampleText, z.number(), z.boolean()])).meta({
      description: `Up to ${LIMITS.examples} different values, cut after ${LIMITS.exampleText} characters; arrays as JSON.`,
      maxItems: LIMITS.examples,
      examples: [[42, 17]],
    }),
    min: value.meta({ description: 'The least of its numbers.', examples: [0] }),
    max: value.meta({ description: 'The greatest of its numbers.', examples: [311] }),
    distinct: count.meta({
      description: 'How many different values it has; 50 stands for that many or more.',
      examples: [50],
    }),
  })
  .meta({ id: 'MetricField', description: 'A field of the payloads.' });
export type MetricField = z.infer<typeof MetricField>;

export const DescribeMetricsResponse = z
  .object({
    metrics: count.meta({
      description:
        'How many metrics were looked at: the newest 1,000 at most, of a megabyte together.',
      examples: [1000],
    }),
    oldest_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description:
          'When the oldest of them was received, to the microsecond (ISO 8601, UTC); null if there is none.',
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
  since: time('From this time on', '2026-01-01T00:00:00.000Z'),
  until: time('Before this time', '2026-02-01T00:00:00.000Z'),
  times: z.array(z.iso.datetime().meta({ maxLength: 30 })).meta({
    description: 'When each bucket begins, the first at since or before it.',
    maxItems: MAX_BUCKETS,
    examples: [['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']],
  }),
  series: z
    .array(
      z
        .object({
          measure: count.meta({ description: 'The position of the measure.', examples: [0] }),
          group: z
            .string()
            .nullable()
            .meta({
              description: 'The group: a value of groupBy; null without one.',
              maxLength: LIMITS.groupText,
              examples: ['pt'],
            }),
          values: z.array(value).meta({
            description:
              'One for each bucket; of nothing, count, distinct and sum are 0 and all others null.',
            maxItems: MAX_BUCKETS,
            examples: [[120, 97]],
          }),
        })
        .meta({ id: 'Series', description: 'A measure of a group, bucket by bucket.' }),
    )
    .meta({ description: 'The series of the largest group first.', maxItems: MAX_SERIES }),
  totals: z.array(value).meta({
    description: 'The total of each series.',
    maxItems: MAX_SERIES,
    examples: [[217]],
  }),
  rows: count.meta({ description: 'How many metrics counted.', examples: [2893] }),
  groups: count.meta({
    description: 'How many groups there are, also those that are not told.',
    examples: [1],
  }),
  sampled: z
    .object({
      every: count.meta({ description: 'One of so many metrics was read.', examples: [16] }),
    })
    .nullable()
    .meta({
      description:
        'Null if every metric was read: then all numbers are exact. Else the same one of so many was read each time: rows, count and sum are multiplied, distinct is at least so many, and all others are those of the metrics that were read.',
      examples: [null],
    }),
};

const MetricSeries = z
  .object(seriesFields)
  .meta({ id: 'MetricSeries', description: 'Measures of metrics, bucket by bucket.' });

export const QueryMetricsResponse = z
  .object({
    ...seriesFields,
    bucket: z
      .enum(['minute', 'hour', 'day', 'week', 'month'])
      .meta({ description: 'The length of time of one point.', examples: ['day'] }),
    previous: MetricSeries.nullable().meta({
      description:
        'The series of the previous period of the same length; null if it was not asked for.',
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

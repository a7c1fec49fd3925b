import { z } from 'zod';
import {
  booleanField,
  nullableTextField,
  objectSchema,
  textField,
  timeField,
  countField,
} from './fields.ts';
import { metricPath } from './metric-query.ts';
import { LIMITS } from './shared/limits.ts';

const value = z.number().nullable();
/** One partial bucket can be added at each end. */
const MAX_BUCKETS = LIMITS.buckets + 2;

export const METRIC_FIELD_TYPES = ['number', 'string', 'boolean', 'array', 'object'] as const;
export type MetricFieldType = (typeof METRIC_FIELD_TYPES)[number];

const exampleText = z.string().meta({ maxLength: LIMITS.exampleText });

const MetricField = objectSchema('MetricField', 'A field in the metric payloads.', {
  path: metricPath,
  types: z.array(z.enum(METRIC_FIELD_TYPES)).meta({
    description: 'The types of its values. The fields of non-empty objects are listed separately.',
    maxItems: METRIC_FIELD_TYPES.length,
    examples: [['number']],
  }),
  share: z.number().meta({
    description: 'The share of metrics in which the field is present and not null, from 0 to 1.',
    examples: [0.98],
  }),
  examples: z.array(z.union([exampleText, z.number(), z.boolean()])).meta({
    description: `Up to ${LIMITS.examples} distinct values, each truncated to ${LIMITS.exampleText} characters. Arrays are shown as JSON.`,
    maxItems: LIMITS.examples,
    examples: [[42, 17]],
  }),
  min: value.meta({
    description: 'The smallest number. Null if the field has no numbers.',
    examples: [0],
  }),
  max: value.meta({
    description: 'The largest number. Null if the field has no numbers.',
    examples: [311],
  }),
  distinct: countField('The number of distinct values. 50 means 50 or more.', 50),
});
export type MetricField = z.infer<typeof MetricField>;

export const GetMetricFieldsResponse = objectSchema(
  'GetMetricFieldsResponse',
  'The fields in the metric payloads of a project.',
  {
    metrics: countField(
      'The number of metrics examined: the newest ones, at most 1,000 and one megabyte in total.',
      1000,
    ),
    oldest_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description:
          'When the oldest examined metric was received (ISO 8601, UTC). Null if there is none.',
        maxLength: 30,
        examples: ['2026-01-31T09:30:00.123Z'],
      }),
    fields: z.array(MetricField).meta({
      description: `Up to ${LIMITS.describedFields} fields, the most frequent first.`,
      maxItems: LIMITS.describedFields,
    }),
    truncated: booleanField('Whether fields were left out.', false),
  },
);

export const QueryMetricsResponse = objectSchema(
  'QueryMetricsResponse',
  'The results of a metrics query.',
  {
    since: timeField('The start of the range, inclusive', '2026-01-01T00:00:00.000Z'),
    until: timeField('The end of the range, exclusive', '2026-02-01T00:00:00.000Z'),
    times: z.array(z.iso.datetime().meta({ maxLength: 30 })).meta({
      description: 'The start of each bucket. The first one is at or before `since`.',
      maxItems: MAX_BUCKETS,
      examples: [['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']],
    }),
    series: z
      .array(
        objectSchema('Series', 'The values of one group.', {
          measure: countField(
            'The index of the measure in `measures` of the request: 0, because a query has one.',
            0,
          ),
          group: z
            .union([z.string().max(LIMITS.groupText), z.number(), z.boolean()])
            .nullable()
            .meta({
              description: 'The value at the `group_by` path. Null without `group_by`.',
              examples: ['/pots'],
            }),
          values: z.array(value).meta({
            description:
              'One value per bucket. In an empty bucket `count` and `sum` are 0, and all other aggregates are null.',
            maxItems: MAX_BUCKETS,
            examples: [[120, 97]],
          }),
        }),
      )
      .meta({ description: 'The series, largest group first.', maxItems: LIMITS.groups }),
    totals: z.array(value).meta({
      description: 'The total of each series, in the order of `series`.',
      maxItems: LIMITS.groups,
      examples: [[217]],
    }),
    rows: countField('The number of metrics that matched.', 2893),
    groups: countField('The total number of groups, including those left out of `series`.', 1),
    bucket: z
      .enum(['minute', 'hour', 'day', 'week', 'month'])
      .meta({ description: 'The length of a bucket.', examples: ['day'] }),
  },
);

const Metric = objectSchema('Metric', 'A metric as it was received.', {
  id: textField('The id of the metric.', 20, '17'),
  received_at: z.iso.datetime().meta({
    description: 'When it was received (ISO 8601, UTC).',
    maxLength: 30,
    examples: ['2026-01-31T09:30:00.123Z'],
  }),
  payload: z.record(z.string(), z.unknown()).meta({
    description: 'The payload as it was submitted.',
    examples: [{ visitors: 42 }],
  }),
});

export const ListMetricsResponse = objectSchema('ListMetricsResponse', 'A batch of metrics.', {
  metrics: z
    .array(Metric)
    .meta({ description: 'The metrics, newest first.', maxItems: LIMITS.listedMetrics }),
  next: nullableTextField(
    'The cursor of the next batch: send it as `after`. Null if there are no older metrics.',
    200,
    null,
  ),
});

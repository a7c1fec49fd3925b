import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { LIMITS } from '../limits.ts';
import { success } from '../result-fields.ts';
import { queryNumber } from '../query-number.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { QUERY_DEFAULTS, AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import {
  DescribeMetricsResponse,
  ListMetricsResponse,
  QueryMetricsResponse,
} from '../metric-responses.ts';
import { metricViews } from './metric-views.ts';
import { QueryMetricsRequest, TIME_ZONE_MESSAGE } from '../metric-query.ts';
import {
  EXPORT_FORMATS,
  PROJECT_ID_MESSAGE,
  projectId,
  SINCE_MESSAGE,
  since,
  UNTIL_MESSAGE,
  until,
  METRIC_READ_REFUSALS,
} from '../metric-params.ts';

const LIMIT = `limit must be a whole number from 1 to ${LIMITS.listedMetrics.toLocaleString('en')}.`;
const AFTER = 'after must be the next of an earlier answer about this project.';

const DescribeMetricsQuery = z.object({
  projectId,
  since: since.optional(),
  until: until.optional(),
});

const ListMetricsQuery = DescribeMetricsQuery.extend({
  limit: queryNumber(z.int(LIMIT).min(1, LIMIT).max(LIMITS.listedMetrics, LIMIT))
    .default(100)
    .meta({ description: 'Maximum number of metrics.', examples: [100] }),
  after: z
    .string(AFTER)
    .max(200, AFTER)
    .optional()
    .meta({
      description: 'Cursor: the `next` of the previous batch. Default: the newest metrics.',
      examples: ['MjAyNi0wMS0zMVQwOTozMDowMC4wMDAwMDBaIDE3IHg'],
    }),
});

const FORMAT = `format must be one of ${EXPORT_FORMATS.join(', ')}.`;

const ExportMetricsQuery = DescribeMetricsQuery.extend({
  format: z
    .enum(EXPORT_FORMATS, FORMAT)
    .default('ndjson')
    .meta({
      description: 'One JSON object per line, one array of objects, or a table.',
      examples: ['csv'],
    }),
});

const MetricsExport = z.unknown().meta({
  id: 'MetricsExport',
  type: 'string',
  contentMediaType: 'application/x-ndjson',
  description: 'A file in the requested format.',
});

/** Error in the query of a GET. */
const RANGE_REFUSALS = {
  projectIdMissing: invalidField('projectId', 'No project was named.', PROJECT_ID_MESSAGE),
  sinceInvalid: invalidField(
    'since',
    'The beginning is not a time, or not before the end.',
    SINCE_MESSAGE,
  ),
  untilInvalid: invalidField('until', 'The end is not a time.', UNTIL_MESSAGE),
};

const queryEndpoints = defineEndpoints(QUERY_DEFAULTS, {
  queryMetrics: {
    method: 'POST',
    path: '/owner/metrics/query-metrics',
    summary: 'Query metrics',
    description:
      'Computes measures of the metrics of a project, by bucket and in total. It changes nothing. Up to 100,000 metrics the answer is exact; beyond that a sample is read, and `sampled` says so.',
    body: QueryMetricsRequest,
    responses: { 200: QueryMetricsResponse },
    metadata: {
      failure: 'The metrics could not be summed up.',
      readOnly: true,
      scope: 'read',
      refusals: {
        ...METRIC_READ_REFUSALS,
        tooManyBuckets: forField(
          'bucket',
          refusal(
            400,
            `More than ${LIMITS.buckets.toLocaleString('en')} points were asked for.`,
            'The answer would have more than {limit} points. Choose a longer bucket.',
            { limit: LIMITS.buckets.toLocaleString('en') },
          ),
        ),
        timeZoneInvalid: invalidField(
          'timeZone',
          'The database does not know the time zone.',
          TIME_ZONE_MESSAGE,
        ),
      },
    },
  },
});

const readEndpoints = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  describeMetrics: {
    method: 'GET',
    path: '/owner/metrics/describe-metrics',
    summary: 'Find the fields of metrics',
    description: 'Returns the fields in the newest payloads of a project, with types and examples.',
    query: DescribeMetricsQuery,
    responses: { 200: DescribeMetricsResponse },
    metadata: {
      failure: 'The metrics could not be described.',
      refusals: { ...RANGE_REFUSALS, ...METRIC_READ_REFUSALS },
    },
  },
  listMetrics: {
    method: 'GET',
    path: '/owner/metrics/list-metrics',
    summary: 'List metrics',
    description:
      'Returns metrics of a project as they were received, newest first, in batches of at most 1,000 metrics and a megabyte, unless a single one is larger.',
    query: ListMetricsQuery,
    responses: { 200: ListMetricsResponse },
    metadata: {
      list: 'metrics',
      failure: 'The metrics could not be listed.',
      refusals: {
        ...RANGE_REFUSALS,
        ...METRIC_READ_REFUSALS,
        limitInvalid: invalidField('limit', 'The limit is not valid.', LIMIT),
        cursorInvalid: invalidField('after', 'The cursor is not one of this project.', AFTER),
      },
    },
  },
  exportMetrics: {
    method: 'GET',
    path: '/owner/metrics/export-metrics',
    summary: 'Export metrics',
    description:
      'Streams all metrics of a project as a file, oldest first, with payloads as they are stored.',
    query: ExportMetricsQuery,
    responses: { 200: MetricsExport },
    metadata: {
      failure: 'The metrics could not be exported.',
      file: ['application/x-ndjson', 'application/json', 'text/csv'],
      refusals: {
        ...RANGE_REFUSALS,
        ...METRIC_READ_REFUSALS,
        formatInvalid: invalidField('format', 'The format is not one of these.', FORMAT),
      },
    },
  },
});

const DAYS = `days must be a whole number from 0 to ${LIMITS.queryDays.toLocaleString('en')}.`;

const DeleteMetricsRequest = z
  .object({ projectId, since: since.optional(), until: until.optional() })
  .meta({
    id: 'DeleteMetricsRequest',
    description: 'The metrics to delete: without since and until, all of them.',
  });

const days = z
  .int(DAYS)
  .min(0, DAYS)
  .max(LIMITS.queryDays, DAYS)
  .meta({
    description: 'Number of days (UTC) to keep metrics. 0 keeps them forever.',
    examples: [90],
  });

const UpdateRetentionRequest = z
  .object({ projectId, days })
  .meta({ id: 'UpdateRetentionRequest', description: 'For how long to keep metrics.' });

const DeleteMetricsResponse = z
  .object({ success })
  .meta({ id: 'DeleteMetricsResponse', description: 'The metrics are being deleted.' });

const RetentionResponse = z
  .object({
    days,
    deleting: z.boolean().meta({
      description: 'Whether metrics are being deleted.',
      examples: [false],
    }),
  })
  .meta({ id: 'RetentionResponse', description: 'For how long metrics are kept.' });

const { projectForbidden } = METRIC_READ_REFUSALS;

const retentionEndpoints = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  deleteMetrics: {
    method: 'POST',
    path: '/owner/metrics/delete-metrics',
    summary: 'Delete metrics',
    description:
      'Deletes the metrics of a range in the background: thousands take moments, millions take minutes. Metrics received later stay.',
    body: DeleteMetricsRequest,
    responses: { 200: DeleteMetricsResponse },
    metadata: {
      failure: 'The metrics could not be deleted.',
      destructive: true,
      idempotent: true,
      refusals: { projectForbidden, ...RECENT_LOGIN_REFUSALS },
    },
  },
  getRetention: {
    method: 'GET',
    path: '/owner/metrics/get-retention',
    summary: 'Read how long metrics are kept',
    description: 'Returns how many days a project keeps its metrics.',
    query: z.object({ projectId }),
    responses: { 200: RetentionResponse },
    metadata: {
      failure: 'The retention could not be fetched.',
      refusals: { projectIdMissing: RANGE_REFUSALS.projectIdMissing, projectForbidden },
    },
  },
  updateRetention: {
    method: 'POST',
    path: '/owner/metrics/update-retention',
    summary: 'Change how long metrics are kept',
    description: 'Deletes metrics older than the given number of days, now and once a day.',
    body: UpdateRetentionRequest,
    responses: { 200: RetentionResponse },
    metadata: {
      failure: 'The retention could not be changed.',
      destructive: true,
      idempotent: true,
      refusals: { projectForbidden, ...RECENT_LOGIN_REFUSALS },
    },
  },
});

/** The metrics of a project: to read, to delete, for how long they are kept, and saved views of them. */
export const metrics = {
  ...queryEndpoints,
  ...readEndpoints,
  ...retentionEndpoints,
  ...metricViews,
};

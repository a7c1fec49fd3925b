import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { formatLimit, LIMITS } from '#contract/shared/limits.ts';
import { successResponse } from '../result-fields.ts';
import { queryNumber } from '../query-number.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { QUERY_DEFAULTS, AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import {
  DescribeMetricsResponse,
  ListMetricsResponse,
  QueryMetricsResponse,
} from '../metric-responses.ts';
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
import { booleanField, objectSchema, intParam } from '../fields.ts';

const LIMIT_MESSAGE = `limit must be a whole number from 1 to ${formatLimit(LIMITS.listedMetrics)}.`;
const AFTER_MESSAGE = 'after must be the next of an earlier response for this project.';

const DescribeMetricsQuery = z.object({
  project_id: projectId,
  since: since.optional(),
  until: until.optional(),
});

const ListMetricsQuery = DescribeMetricsQuery.extend({
  limit: queryNumber(intParam(1, LIMITS.listedMetrics, LIMIT_MESSAGE))
    .default(100)
    .meta({ description: 'The maximum number of metrics to return.', examples: [100] }),
  after: z
    .string(AFTER_MESSAGE)
    .max(200, AFTER_MESSAGE)
    .optional()
    .meta({
      description:
        'A cursor: the `next` of the previous batch. Default: start with the newest metrics.',
      examples: ['MjAyNi0wMS0zMVQwOTozMDowMC4wMDAwMDBaIDE3IHg'],
    }),
});

const FORMAT_MESSAGE = `format must be one of ${EXPORT_FORMATS.join(', ')}.`;

const ExportMetricsQuery = DescribeMetricsQuery.extend({
  format: z
    .enum(EXPORT_FORMATS, FORMAT_MESSAGE)
    .default('ndjson')
    .meta({
      description:
        'The file format. `ndjson`: one JSON object per line. `json`: one array of objects. `csv`: a table.',
      examples: ['csv'],
    }),
});

const MetricsExport = z.unknown().meta({
  id: 'MetricsExport',
  type: 'string',
  contentMediaType: 'application/x-ndjson',
  description: 'A file in the requested format.',
});

const RANGE_REFUSALS = {
  projectIdMissing: invalidField('project_id', 'The project ID is missing.', PROJECT_ID_MESSAGE),
  sinceInvalid: invalidField(
    'since',
    '`since` is not a valid time, or not before `until`.',
    SINCE_MESSAGE,
  ),
  untilInvalid: invalidField('until', '`until` is not a valid time.', UNTIL_MESSAGE),
};

const queryEndpoints = defineEndpoints(QUERY_DEFAULTS, {
  queryMetrics: {
    method: 'POST',
    path: '/owner/metrics/query-metrics',
    summary: 'Query metrics',
    description:
      'Computes aggregates of the metrics of a project, by bucket and in total. It changes nothing. For up to 100,000 metrics the results are exact. Beyond that they are computed from a sample, as `sampled` shows.',
    body: QueryMetricsRequest,
    responses: { 200: QueryMetricsResponse },
    metadata: {
      untrustedText: true,
      failure: 'The metrics could not be aggregated.',
      readOnly: true,
      scope: 'read',
      refusals: {
        ...METRIC_READ_REFUSALS,
        tooManyBuckets: forField(
          'bucket',
          refusal(
            400,
            `More than ${formatLimit(LIMITS.buckets)} points were requested.`,
            'The result would have more than {limit} points. Choose a longer bucket.',
            { limit: formatLimit(LIMITS.buckets) },
          ),
        ),
        timeZoneInvalid: invalidField(
          'time_zone',
          'The time zone is not valid, or the database does not support it.',
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
    summary: 'List the fields of metrics',
    description: 'Returns the fields in the newest payloads of a project, with types and examples.',
    query: DescribeMetricsQuery,
    responses: { 200: DescribeMetricsResponse },
    metadata: {
      untrustedText: true,
      failure: 'The metrics could not be described.',
      refusals: { ...RANGE_REFUSALS, ...METRIC_READ_REFUSALS },
    },
  },
  listMetrics: {
    method: 'GET',
    path: '/owner/metrics/list-metrics',
    summary: 'List metrics',
    description:
      'Returns the metrics of a project as they were received, newest first, in batches of at most 1,000 metrics and one megabyte. A single larger metric is still returned.',
    query: ListMetricsQuery,
    responses: { 200: ListMetricsResponse },
    metadata: {
      untrustedText: true,
      listField: 'metrics',
      failure: 'The metrics could not be listed.',
      refusals: {
        ...RANGE_REFUSALS,
        ...METRIC_READ_REFUSALS,
        limitInvalid: invalidField('limit', 'The limit is not valid.', LIMIT_MESSAGE),
        cursorInvalid: invalidField(
          'after',
          'The cursor does not belong to this project.',
          AFTER_MESSAGE,
        ),
      },
    },
  },
  exportMetrics: {
    method: 'GET',
    path: '/owner/metrics/export-metrics',
    summary: 'Export metrics',
    description:
      'Streams the metrics of a project as a file, oldest first, with their payloads as stored.',
    query: ExportMetricsQuery,
    responses: { 200: MetricsExport },
    metadata: {
      failure: 'The metrics could not be exported.',
      fileTypes: ['application/x-ndjson', 'application/json', 'text/csv'],
      refusals: {
        ...RANGE_REFUSALS,
        ...METRIC_READ_REFUSALS,
        formatInvalid: invalidField('format', 'The format is not valid.', FORMAT_MESSAGE),
      },
    },
  },
});

const DAYS_MESSAGE = `days must be a whole number from 0 to ${formatLimit(LIMITS.queryDays)}.`;

const DeleteMetricsRequest = objectSchema(
  'DeleteMetricsRequest',
  'The range to delete. Without `since` and `until`, all metrics of the project.',
  { project_id: projectId, since: since.optional(), until: until.optional() },
);

const days = intParam(0, LIMITS.queryDays, DAYS_MESSAGE).meta({
  description: 'The retention period in days (UTC). 0 keeps metrics forever.',
  examples: [90],
});

const UpdateRetentionRequest = objectSchema('UpdateRetentionRequest', 'The new retention period.', {
  project_id: projectId,
  days,
});

const DeleteMetricsResponse = successResponse(
  'DeleteMetricsResponse',
  'The metrics are being deleted.',
);

const RetentionResponse = objectSchema('RetentionResponse', 'The retention period.', {
  days,
  deleting: booleanField('Whether older metrics are still being deleted.', false),
});

const { projectForbidden } = METRIC_READ_REFUSALS;

const retentionEndpoints = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  deleteMetrics: {
    method: 'POST',
    path: '/owner/metrics/delete-metrics',
    summary: 'Delete metrics',
    description:
      'Deletes the metrics in a time range, in the background: thousands take moments, millions take minutes. Metrics received after the request are kept.',
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
    summary: 'Read the retention period',
    description: 'Returns the number of days for which a project keeps its metrics.',
    query: z.object({ project_id: projectId }),
    responses: { 200: RetentionResponse },
    metadata: {
      failure: 'The retention could not be fetched.',
      refusals: { projectIdMissing: RANGE_REFUSALS.projectIdMissing, projectForbidden },
    },
  },
  updateRetention: {
    method: 'POST',
    path: '/owner/metrics/update-retention',
    summary: 'Change the retention period',
    description: 'Sets the retention period. Older metrics are deleted now and once a day.',
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

export const metrics = {
  ...queryEndpoints,
  ...readEndpoints,
  ...retentionEndpoints,
};

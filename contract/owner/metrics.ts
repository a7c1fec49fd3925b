import { z } from 'zod';
import { formatLimit, LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { QUERY_DEFAULTS, AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { field, booleanField, objectSchema, intParam, enumParam } from '../fields.ts';
import { EXPORT_FORMATS, projectId, since, until, METRIC_READ_REFUSALS } from '../metric-params.ts';
import { QueryMetricsRequest } from '../metric-query.ts';
import {
  GetMetricFieldsResponse,
  ListMetricsResponse,
  QueryMetricsResponse,
} from '../metric-responses.ts';
import { queryNumber } from '../query-values.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { forField, refusal } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { limitedText } from '../text.ts';
import { EXPORT_REFUSALS } from './account.ts';

const ProjectQuery = z.object({ project_id: field('projectIdMissing', projectId) });

const GetMetricFieldsQuery = ProjectQuery.extend({
  since: field('sinceInvalid', since.optional()),
  until: field('untilInvalid', until.optional()),
});

const ListMetricsQuery = GetMetricFieldsQuery.extend({
  limit: field(
    'limitInvalid',
    queryNumber(intParam(1, LIMITS.listedMetrics)).default(100),
    'The maximum number of metrics to return.',
    100,
  ),
  after: field(
    'cursorInvalid',
    limitedText(200, 'must be the next of an earlier response for this project.').optional(),
    'A cursor: the `next` of the previous batch. Default: start with the newest metrics.',
    'MjAyNi0wMS0zMVQwOTozMDowMC4wMDAwMDBaIDE3IHg',
  ),
});

const ExportMetricsQuery = GetMetricFieldsQuery.extend({
  format: field(
    'formatInvalid',
    enumParam(EXPORT_FORMATS).default('ndjson'),
    'The file format. `ndjson`: one JSON object per line. `json`: one array of objects. `csv`: a table.',
    'csv',
  ),
});

const ExportMetricsResponse = z.unknown().meta({
  id: 'ExportMetricsResponse',
  type: 'string',
  contentMediaType: 'application/x-ndjson',
  description: 'A file in the requested format.',
});

const EXPORTED = { id: '17', received_at: '2026-01-31T09:30:00.123Z', payload: { visitors: 42 } };

const queryEndpoints = defineOwnerEndpoints('metrics', QUERY_DEFAULTS, {
  queryMetrics: {
    method: 'POST',
    summary: 'Query metrics',
    description:
      'Computes aggregates of the metrics of a project, by bucket and in total; `getMetricFields` lists their paths. It changes nothing.',
    body: QueryMetricsRequest,
    response: QueryMetricsResponse,
    untrustedFields: ['group'],
    failure: 'The metrics could not be aggregated.',
    readOnly: true,
    // If `filter` instead of `filters` were ignored, the numbers would be wrong.
    refusesUnknownFields: true,
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
    },
  },
});

const readEndpoints = defineOwnerEndpoints('metrics', AUTHENTICATED_DEFAULTS, {
  getMetricFields: {
    method: 'GET',
    summary: 'List the fields of metrics',
    description: 'Returns the fields in the newest payloads of a project, with types and examples.',
    query: GetMetricFieldsQuery,
    response: GetMetricFieldsResponse,
    untrustedFields: 'all',
    failure: 'The metric fields could not be read.',
    refusals: METRIC_READ_REFUSALS,
  },
  listMetrics: {
    method: 'GET',
    summary: 'List metrics',
    description:
      'Returns the metrics of a project as they were received, newest first, in batches of at most 1,000 metrics and one megabyte. A single larger metric is still returned.',
    query: ListMetricsQuery,
    response: ListMetricsResponse,
    untrustedFields: 'all',
    listField: 'metrics',
    failure: 'The metrics could not be listed.',
    refusals: METRIC_READ_REFUSALS,
  },
  exportMetrics: {
    method: 'GET',
    summary: 'Export metrics',
    description:
      'Streams the metrics of a project as a file, oldest first, with their payloads as stored. CSV begins with a byte order mark.',
    query: ExportMetricsQuery,
    response: ExportMetricsResponse,
    failure: 'The metrics could not be exported.',
    fileTypes: ['application/x-ndjson', 'application/json', 'text/csv'],
    fileExamples: {
      'application/x-ndjson': { value: `${JSON.stringify(EXPORTED)}\n` },
      'application/json': {
        value: [EXPORTED],
        schema: { type: 'array', items: { $ref: '#/components/schemas/Metric' } },
      },
      'text/csv': {
        value: `\uFEFFid,received_at,payload\r\n17,${EXPORTED.received_at},"{""visitors"":42}"\r\n`,
      },
    },
    refusals: { ...METRIC_READ_REFUSALS, ...EXPORT_REFUSALS },
  },
});

const days = intParam(0, LIMITS.queryDays).meta({
  description: 'The retention period in days (UTC). 0 keeps metrics forever.',
  examples: [90],
});

const RetentionResponse = objectSchema('RetentionResponse', 'The retention period.', {
  days,
  deleting: booleanField('Whether older metrics are still being deleted.', false),
});

const { projectForbidden } = METRIC_READ_REFUSALS;

const retentionEndpoints = defineOwnerEndpoints('metrics', AUTHENTICATED_DEFAULTS, {
  deleteMetrics: {
    method: 'POST',
    summary: 'Delete metrics',
    description:
      'Deletes the metrics in a time range, in the background: thousands take moments, millions take minutes. Metrics received after the request are kept.',
    body: { project_id: projectId, since: since.optional(), until: until.optional() },
    response: SuccessResponse,
    recentLogin: true,
    failure: 'The metrics could not be deleted.',
    destructive: true,
    idempotent: true,
    refusals: { projectForbidden },
  },
  getMetricRetention: {
    method: 'GET',
    summary: 'Read the retention period',
    description: 'Returns the number of days for which a project keeps its metrics.',
    query: ProjectQuery,
    response: RetentionResponse,
    failure: 'The retention could not be fetched.',
    refusals: { projectForbidden },
  },
  updateMetricRetention: {
    method: 'POST',
    summary: 'Change the retention period',
    description: 'Sets the retention period. Older metrics are deleted now and once a day.',
    body: {
      project_id: projectId,
      days,
    },
    response: RetentionResponse,
    failure: 'The retention could not be changed.',
    destructive: true,
    idempotent: true,
    refusals: { projectForbidden, ...RECENT_LOGIN_REFUSALS },
  },
});

export const metrics = {
  ...queryEndpoints,
  ...readEndpoints,
  ...retentionEndpoints,
};

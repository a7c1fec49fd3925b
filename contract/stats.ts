import { z } from 'zod';
import { defineEndpoints } from './define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from './endpoint-defaults.ts';
import { PROJECT_ID, EXAMPLE_TIME } from './examples.ts';
import { field, idField, objectSchema, resultSchema, textField } from './fields.ts';
import { METRIC_READ_REFUSALS } from './metric-params.ts';
import { forField, refusal } from './refusal.ts';
import { messageField } from './result-fields.ts';
import { formatLimit, LIMITS } from './shared/limits.ts';
import { matchingText } from './text.ts';

export const Project = objectSchema('Project', 'A project that metrics can be sent to.', {
  id: idField(
    'The id of the project, to send as `projectId`, or as `project_id` in the owner API.',
    PROJECT_ID,
  ),
  name: textField('The name of the project.', LIMITS.projectName, 'Shop'),
  created_at: z.iso.datetime().meta({
    description: 'When the project was created (ISO 8601, UTC).',
    maxLength: 30,
    examples: [EXAMPLE_TIME],
  }),
});

export const ProjectsResponse = objectSchema('ProjectsResponse', 'The projects of the account.', {
  projects: z.array(Project).meta({ description: 'The projects, oldest first.' }),
});

export const IngestMetricsRequest = objectSchema('IngestMetricsRequest', 'The metric to submit.', {
  projectId: field(
    'projectIdMissing',
    matchingText(/\S/, 'The project ID is required.'),
    'The id of one of your projects (`getProjects`).',
    PROJECT_ID,
  ),
  payload: field(
    'metricPayloadInvalid',
    z
      .record(z.string(), z.unknown(), 'The metric payload is required and must be an object.')
      .meta({
        id: 'MetricPayload',
        description: `Any JSON object, nested at most ${LIMITS.jsonDepth} levels deep. The whole body has at most ${formatLimit(LIMITS.jsonMembers)} keys and values. Integers beyond ±(2^53 - 1) that would be rounded, such as nanoseconds since 1970, are refused: send them as strings.`,
        examples: [{ visitors: 42, page: '/pots', duration_ms: 12.5 }],
      }),
  ),
});
export type IngestMetricsRequest = z.infer<typeof IngestMetricsRequest>;

export const METRIC_LIMIT_REFUSALS = {
  metricLimitReached: refusal(
    429,
    'The account reached its daily limit of metrics, in bytes (UTC day).',
    'This account has reached its daily limit of metrics. Try again in {wait}.',
    { wait: '5 hours' },
  ),
};

/** Not a code of its own: to its key, each other project is forbidden. */
export const PROJECT_KEY_REFUSALS = {
  projectForbidden: forField(
    'projectId',
    refusal(403, 'The key is for another project.', 'This key is for another project.'),
  ),
};

export const stats = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  getProjects: {
    method: 'GET',
    path: '/stats/get-projects',
    summary: 'List the projects',
    description: 'Returns the projects of the account, oldest first.',
    response: ProjectsResponse,
    listField: 'projects',
    failure: 'The projects could not be fetched.',
  },
  ingestMetrics: {
    method: 'POST',
    path: '/stats/ingest-metrics',
    summary: 'Submit a metric',
    description:
      'Records one metric of a project, such as how many people came or what was sold. A success means that the metric is committed to the database.',
    body: IngestMetricsRequest,
    response: resultSchema('The metric was stored.', {
      message: messageField('The metric was ingested.'),
    }),
    failure: 'The metric could not be ingested.',
    scope: 'metrics',
    access: 'ownIdempotency',
    refusals: {
      projectForbidden: forField('projectId', {
        ...METRIC_READ_REFUSALS.projectForbidden,
        when: `${METRIC_READ_REFUSALS.projectForbidden.when} Or the key is for another project.`,
      }),
      ...METRIC_LIMIT_REFUSALS,
    },
  },
});

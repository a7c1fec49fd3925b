import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { LIMITS } from '../limits.ts';
import { PROJECT_ID_MESSAGE, projectId, METRIC_READ_REFUSALS } from '../metric-params.ts';
import { invalidField } from '../refusal.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { oneLine } from '../text.ts';
import { objectSchema } from '../fields.ts';

const NAME_MESSAGE = `The name of a view is one line of 1 to ${LIMITS.savedViewName} characters.`;
const QUERY_MESSAGE = `The query of a view is a query string of 1 to ${LIMITS.savedViewQuery} characters.`;
const VIEWS_MESSAGE = `views must be a list of at most ${LIMITS.savedViews} views, each with a different name.`;

const MetricView = z.object(
  {
    name: oneLine(LIMITS.savedViewName, NAME_MESSAGE).meta({
      description: 'The name of the view.',
      examples: ['Orders by country'],
    }),
    query: z
      .string(QUERY_MESSAGE)
      .max(LIMITS.savedViewQuery, QUERY_MESSAGE)
      .regex(/^[!$-;=?-Z_a-z~]+$/, QUERY_MESSAGE)
      .meta({
        description: 'The query string of the view: the part of the dashboard URL after `?`.',
        examples: ['range=30d&field=%5B%22orders%22%5D&aggregate=sum'],
      }),
  },
  VIEWS_MESSAGE,
);

export const MetricViews = z
  .array(MetricView, VIEWS_MESSAGE)
  .max(LIMITS.savedViews, VIEWS_MESSAGE)
  .refine((views) => new Set(views.map(({ name }) => name)).size === views.length, VIEWS_MESSAGE)
  .meta({ description: 'All saved views of the project, in display order.' });

const UpdateSavedViewsRequest = objectSchema(
  'UpdateSavedViewsRequest',
  'The new list of saved views of a project.',
  { project_id: projectId, views: MetricViews },
);

const ViewsResponse = objectSchema('SavedViewsResponse', 'The saved views of a project.', {
  views: MetricViews,
});

const { projectForbidden } = METRIC_READ_REFUSALS;

export const metricViews = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  getSavedViews: {
    method: 'GET',
    path: '/owner/metrics/get-saved-views',
    summary: 'List saved views',
    description: 'Returns the saved views of a project.',
    query: z.object({ project_id: projectId }),
    responses: { 200: ViewsResponse },
    metadata: {
      listField: 'views',
      failure: 'The views could not be fetched.',
      refusals: {
        projectIdMissing: invalidField(
          'project_id',
          'The project ID is missing.',
          PROJECT_ID_MESSAGE,
        ),
        projectForbidden,
      },
    },
  },
  updateSavedViews: {
    method: 'POST',
    path: '/owner/metrics/update-saved-views',
    summary: 'Change saved views',
    description: `Replaces all saved views of a project. A project can have up to ${LIMITS.savedViews}.`,
    body: UpdateSavedViewsRequest,
    responses: { 200: ViewsResponse },
    metadata: {
      failure: 'The views could not be saved.',
      idempotent: true,
      refusals: { projectForbidden },
    },
  },
});

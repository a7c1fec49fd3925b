import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { LIMITS } from '../limits.ts';
import { PROJECT_ID_MESSAGE, projectId, METRIC_READ_REFUSALS } from '../metric-params.ts';
import { invalidField } from '../refusal.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { oneLine } from '../text.ts';

const NAME = `The name of a view is one line of 1 to ${LIMITS.viewName} characters.`;
const QUERY = `The query of a view is a query string of 1 to ${LIMITS.viewQuery} characters.`;
const VIEWS = `views must be a list of at most ${LIMITS.views} views, each with another name.`;

const MetricView = z.object(
  {
    name: oneLine(LIMITS.viewName, NAME).meta({
      description: 'Name of the view.',
      examples: ['Orders by country'],
    }),
    query: z
      .string(QUERY)
      .max(LIMITS.viewQuery, QUERY)
      .regex(/^[!$-;=?-Z_a-z~]+$/, QUERY)
      .meta({
        description: 'Query of the view, as the address of the dashboard has it behind `?`.',
        examples: ['range=30d&field=%5B%22orders%22%5D&aggregate=sum'],
      }),
  },
  VIEWS,
);

const views = z
  .array(MetricView, VIEWS)
  .max(LIMITS.views, VIEWS)
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, VIEWS)
  .meta({ description: 'All saved views of the project, in their order.' });

const UpdateSavedViewsRequest = z.object({ projectId, views }).meta({
  id: 'UpdateSavedViewsRequest',
  description: 'The views that replace those of a project.',
});

const ViewsResponse = z
  .object({ views })
  .meta({ id: 'SavedViewsResponse', description: 'The saved views of a project.' });

const { projectForbidden } = METRIC_READ_REFUSALS;

/** Saved views of the metrics of a project. */
export const metricViews = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  getSavedViews: {
    method: 'GET',
    path: '/owner/metrics/get-saved-views',
    summary: 'List saved views',
    description: 'Returns the saved views of a project.',
    query: z.object({ projectId }),
    responses: { 200: ViewsResponse },
    metadata: {
      list: 'views',
      failure: 'The views could not be fetched.',
      refusals: {
        projectIdMissing: invalidField('projectId', 'No project was named.', PROJECT_ID_MESSAGE),
        projectForbidden,
      },
    },
  },
  updateSavedViews: {
    method: 'POST',
    path: '/owner/metrics/update-saved-views',
    summary: 'Change saved views',
    description: `Replaces the saved views of a project, at most ${LIMITS.views}.`,
    body: UpdateSavedViewsRequest,
    responses: { 200: ViewsResponse },
    metadata: {
      failure: 'The views could not be saved.',
      idempotent: true,
      refusals: { projectForbidden },
    },
  },
});

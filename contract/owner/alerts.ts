import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import {
  ALERT_STATES,
  alertFields,
  hasMatchingThreshold,
  hasNeededPath,
  PATH_RULE,
  THRESHOLD_MISMATCH_MESSAGE,
  THRESHOLD_RULE,
} from '../alert-condition.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { ALERT_ID } from '../examples.ts';
import {
  booleanField,
  field,
  idField,
  nullableTextField,
  objectSchema,
  resultSchema,
  timeField,
} from '../fields.ts';
import { forField, refusal, notFound } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { uuid } from '../uuid.ts';
import { connectionId, CONNECTION_REFUSALS } from './connections.ts';
import { PROJECT_REFUSALS, projectId } from './projects.ts';

const EXAMPLE_TIME = '2026-01-31T09:30:00.000Z';

const alertId = field(
  'alertIdInvalid',
  uuid('must be the id of one of your alerts.'),
  'The id of one of your alerts.',
  ALERT_ID,
);

const value = z.number().nullable();
const connection = connectionId.nullish().meta({
  description:
    'The only connection that gets its messages. Without it, all connections that carry `alert_firing` or `alert_recovered` do.',
  examples: [null],
});

const Alert = objectSchema('Alert', 'An alert on the metrics of a project.', {
  id: idField('The id of the alert.', ALERT_ID),
  path: z.array(z.string().meta({ maxLength: LIMITS.pathCharacters })).meta({
    description: 'The path of the value in the payloads. Empty for the metrics themselves.',
    maxItems: LIMITS.pathKeys,
    examples: [['duration_ms']],
  }),
  aggregate: alertFields.aggregate.unwrap().meta({
    description: 'The aggregate to compare with the threshold.',
    examples: ['avg'],
  }),
  minutes: alertFields.minutes,
  comparison: alertFields.comparison,
  threshold: value.meta({
    description: 'The number to compare with. Null with `absent`.',
    examples: [10],
  }),
  pause_minutes: alertFields.pause_minutes.unwrap().meta({
    description: `${alertFields.pause_minutes.meta()!.description} What is true at the end of the pause is sent then.`,
    examples: [60],
  }),
  notify_no_data: booleanField(
    'Whether connections get a message when the time window has no value any more.',
    true,
  ),
  connection_id: idField(
    'The only connection that gets its messages. Null: all that carry alerts.',
    null,
  ).nullable(),
  state: z.enum(ALERT_STATES).meta({
    description:
      'The result of the latest evaluation. `new`: not evaluated yet. `no_data`: there was no number to compare.',
    examples: ['firing'],
  }),
  value: value.meta({ description: 'The value at the latest evaluation.', examples: [12] }),
  changed_at: timeField('When the state last changed', EXAMPLE_TIME).nullable(),
  evaluated_at: timeField('When the alert was last evaluated', EXAMPLE_TIME).nullable(),
  sent_at: timeField('When a message was last handed to connections', EXAMPLE_TIME).nullable(),
  paused_until: timeField(
    'Before this time, no message that it fires is sent, because of `pause_minutes`; null if there is no pause',
    '2026-01-31T10:30:00.000Z',
  ).nullable(),
  last_error: nullableTextField(
    'Why the alert could not be evaluated, or null.',
    LIMITS.message,
    null,
  ),
  created_at: timeField('When the alert was created', EXAMPLE_TIME),
});

const CreateAlertRequest = z
  .object({ project_id: projectId, ...alertFields, connection_id: connection })
  .refine(hasMatchingThreshold, THRESHOLD_RULE)
  .refine(hasNeededPath, PATH_RULE)
  .meta({ id: 'CreateAlertRequest', description: 'The alert to create.' });

const UpdateAlertRequest = z
  .object({ alert_id: alertId, ...alertFields, connection_id: connection })
  .refine(hasMatchingThreshold, THRESHOLD_RULE)
  .refine(hasNeededPath, PATH_RULE)
  .meta({
    id: 'UpdateAlertRequest',
    description: 'The alert with its new condition and connection.',
  });

const AlertResponse = objectSchema('AlertResponse', 'The alert.', { alert: Alert });

const ALERT_LIMIT_REFUSALS = {
  alertLimitReached: refusal(
    400,
    `The account already has ${LIMITS.alerts} alerts.`,
    'This account has reached its limit of {limit} alerts. Delete one first.',
    { limit: LIMITS.alerts },
  ),
};

const ALERT_REFUSALS = {
  alertNotFound: notFound('alert'),
};

const CONDITION_REFUSALS = {
  thresholdInvalid: forField(
    'threshold',
    refusal(
      400,
      'The threshold does not fit the comparison.',
      `threshold ${THRESHOLD_MISMATCH_MESSAGE}`,
    ),
  ),
  ...CONNECTION_REFUSALS,
};

export const alerts = defineOwnerEndpoints('alerts', AUTHENTICATED_DEFAULTS, {
  listAlerts: {
    method: 'GET',
    summary: 'List the alerts of a project',
    description: 'Returns the alerts of a project with their states.',
    query: { project_id: projectId },
    response: resultSchema('The alerts of a project.', {
      alerts: z
        .array(Alert)
        .meta({ description: 'The alerts of the project, oldest first.', maxItems: LIMITS.alerts }),
    }),
    untrustedFields: 'all',
    listField: 'alerts',
    failure: 'The alerts could not be fetched.',
    refusals: PROJECT_REFUSALS,
  },
  createAlert: {
    method: 'POST',
    summary: 'Create an alert',
    description:
      'Creates an alert, which is evaluated about once a minute: its connections get an event when it starts to fire, when it recovers, and when its data stops. The path may be new; `getMetricFields` lists the paths in use.',
    body: CreateAlertRequest,
    response: AlertResponse,
    failure: 'The alert could not be created.',
    refusals: { ...PROJECT_REFUSALS, ...CONDITION_REFUSALS, ...ALERT_LIMIT_REFUSALS },
  },
  updateAlert: {
    method: 'POST',
    summary: 'Change an alert',
    description:
      'Replaces the condition and the connection of an alert: fields that are left out return to their defaults, only `notify_no_data` keeps its value. Its state becomes `new`.',
    body: UpdateAlertRequest,
    response: AlertResponse,
    failure: 'The alert could not be changed.',
    idempotent: true,
    refusals: { ...ALERT_REFUSALS, ...CONDITION_REFUSALS },
  },
  deleteAlert: {
    method: 'POST',
    summary: 'Delete an alert',
    description: 'Deletes an alert. It causes no more events.',
    body: {
      alert_id: alertId,
    },
    response: SuccessResponse,
    failure: 'The alert could not be deleted.',
    refusals: ALERT_REFUSALS,
    destructive: true,
    idempotent: true,
  },
});

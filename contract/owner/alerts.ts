import { z } from 'zod';
import {
  ALERT_STATES,
  alertFields,
  hasMatchingThreshold,
  THRESHOLD_MISMATCH_MESSAGE,
} from '../alert-condition.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { CHAT_REFUSALS } from '../chat-refusals.ts';
import { field, idField, nullableTextField, objectSchema, timeField } from '../fields.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { SuccessResponse } from '../result-fields.ts';
import { forField, refusal, notFound } from '../refusal.ts';
import { EXTERNAL_WRITE_REFUSALS } from '../request-refusals.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { uuid } from '../uuid.ts';
import { PROJECT_REFUSALS, projectId } from './projects.ts';
import { STORED_WEBHOOK_REFUSALS, UNREADABLE_WEBHOOK_REFUSALS, webhookId } from './webhooks.ts';

const EXAMPLE_ID = '5f0e2d7c-6b1a-4c39-9d84-1e2f3a4b5c60';
const EXAMPLE_TIME = '2026-01-31T09:30:00.000Z';

const alertId = field(
  'alertIdInvalid',
  uuid('must be the id of one of your alerts.'),
  'The id of one of your alerts.',
  EXAMPLE_ID,
);

const value = z.number().nullable();
/** The targets of all channels but email. */
export const ALERT_TARGET = {
  webhook_id: webhookId.nullish().meta({
    description:
      'The stored webhook to send messages through. Without it, messages are mailed to your confirmed address.',
    examples: [null],
  }),
};

export type AlertTarget = Partial<Record<keyof typeof ALERT_TARGET, string | null | undefined>>;

const storedTarget = {
  webhook_id: idField('The stored webhook. Null if messages are mailed.', null).nullable(),
} satisfies Record<keyof AlertTarget, unknown>;

const Alert = objectSchema('Alert', 'An alert on the metrics of a project.', {
  id: idField('The id of the alert.', EXAMPLE_ID),
  path: z.array(z.string().meta({ maxLength: LIMITS.pathCharacters })).meta({
    description: 'The path of the value in the payloads. Empty for the metrics themselves.',
    maxItems: LIMITS.pathKeys,
    examples: [['errors']],
  }),
  aggregate: alertFields.aggregate.unwrap().meta({
    description: 'The aggregate to compare with the threshold.',
    examples: ['sum'],
  }),
  minutes: alertFields.minutes,
  comparison: alertFields.comparison,
  threshold: value.meta({
    description: 'The number to compare with. Null with `absent`.',
    examples: [10],
  }),
  pause_minutes: z.int().meta({
    description: 'The minimum time between two messages that the alert fires, in minutes.',
    minimum: 0,
    maximum: LIMITS.alertPauseMinutes,
    examples: [60],
  }),
  ...storedTarget,
  state: z.enum(ALERT_STATES).meta({
    description:
      'The result of the latest evaluation. `new`: not evaluated yet. `no_data`: there was no number to compare.',
    examples: ['firing'],
  }),
  value: value.meta({ description: 'The value at the latest evaluation.', examples: [12] }),
  changed_at: timeField('When the state last changed', EXAMPLE_TIME).nullable(),
  evaluated_at: timeField('When the alert was last evaluated', EXAMPLE_TIME).nullable(),
  sent_at: timeField('When a message was last sent or mailed', EXAMPLE_TIME).nullable(),
  last_error: nullableTextField(
    'Why the alert could not be evaluated, or its latest message could not be sent. Null if neither failed.',
    LIMITS.message,
    null,
  ),
  created_at: timeField('When the alert was created', EXAMPLE_TIME),
});

const ListAlertsQuery = z.object({ project_id: projectId });

const ListAlertsResponse = objectSchema('ListAlertsResponse', 'The alerts of a project.', {
  alerts: z
    .array(Alert)
    .meta({ description: 'The alerts of the project, oldest first.', maxItems: LIMITS.alerts }),
  email: nullableTextField(
    'The confirmed address for alerts by mail. Null if there is none, or the server sends no mail.',
    LIMITS.email,
    'jane@example.com',
  ),
});

const CreateAlertRequest = z
  .object({ project_id: projectId, ...alertFields, ...ALERT_TARGET })
  .refine(hasMatchingThreshold, { error: THRESHOLD_MISMATCH_MESSAGE, path: ['threshold'] })
  .meta({ id: 'CreateAlertRequest', description: 'The alert to create.' });

const UpdateAlertRequest = z
  .object({ alert_id: alertId, ...alertFields, ...ALERT_TARGET })
  .refine(hasMatchingThreshold, { error: THRESHOLD_MISMATCH_MESSAGE, path: ['threshold'] })
  .meta({ id: 'UpdateAlertRequest', description: 'The alert with its new condition and target.' });

const AlertRequest = objectSchema('AlertRequest', 'The alert.', { alert_id: alertId });

const AlertResponse = objectSchema('AlertResponse', 'The alert.', { alert: Alert });

const ALERT_LIMIT_REFUSALS = {
  alertLimitReached: refusal(
    400,
    `The account already has ${LIMITS.alerts} alerts.`,
    'This account has reached its limit of {limit} alerts. Delete one first.',
    { limit: LIMITS.alerts },
  ),
};

export const ALERT_ADDRESS_REFUSALS = {
  alertAddressMissing: refusal(
    400,
    'The alert has no webhook, and it cannot be mailed: the account has no confirmed address, or the server sends no mail.',
    'Alerts cannot be mailed: choose a webhook, or confirm a forwarding address first.',
  ),
};

const ALERT_REFUSALS = {
  alertNotFound: notFound('alert'),
};

/** The reasons why a channel does not send a message. */
export const MESSAGE_REFUSALS = {
  ...ALERT_ADDRESS_REFUSALS,
  ...UNREADABLE_WEBHOOK_REFUSALS,
  ...CHAT_REFUSALS,
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
  ...STORED_WEBHOOK_REFUSALS,
  ...ALERT_ADDRESS_REFUSALS,
};

export const alerts = defineOwnerEndpoints('alerts', AUTHENTICATED_DEFAULTS, {
  listAlerts: {
    method: 'GET',
    summary: 'List the alerts of a project',
    description: 'Returns the alerts of a project with their states.',
    query: ListAlertsQuery,
    responses: { 200: ListAlertsResponse },
    metadata: {
      untrustedText: true,
      listField: 'alerts',
      failure: 'The alerts could not be fetched.',
      refusals: PROJECT_REFUSALS,
    },
  },
  createAlert: {
    method: 'POST',
    summary: 'Create an alert',
    description:
      'Creates an alert. It is evaluated about once a minute. It sends a message when it starts to fire and when it recovers.',
    body: CreateAlertRequest,
    responses: { 200: AlertResponse },
    metadata: {
      failure: 'The alert could not be created.',
      refusals: { ...PROJECT_REFUSALS, ...CONDITION_REFUSALS, ...ALERT_LIMIT_REFUSALS },
    },
  },
  updateAlert: {
    method: 'POST',
    summary: 'Change an alert',
    description:
      'Replaces the condition and the target of an alert, and resets its state to `new`.',
    body: UpdateAlertRequest,
    responses: { 200: AlertResponse },
    metadata: {
      failure: 'The alert could not be changed.',
      idempotent: true,
      refusals: { ...ALERT_REFUSALS, ...CONDITION_REFUSALS },
    },
  },
  deleteAlert: {
    method: 'POST',
    summary: 'Delete an alert',
    description: 'Deletes an alert. It sends no more messages.',
    body: AlertRequest,
    responses: { 200: SuccessResponse },
    metadata: {
      failure: 'The alert could not be deleted.',
      refusals: ALERT_REFUSALS,
      destructive: true,
      idempotent: true,
    },
  },
  sendTestAlert: {
    method: 'POST',
    summary: 'Send a test message',
    description: 'Sends a test message to the target of the alert, in any state.',
    body: AlertRequest,
    responses: { 200: SuccessResponse },
    metadata: {
      untrustedText: true,
      failure: 'The test message could not be sent.',
      refusals: {
        ...ALERT_REFUSALS,
        ...MESSAGE_REFUSALS,
        ...EXTERNAL_WRITE_REFUSALS,
      },
      access: 'external',
    },
  },
});

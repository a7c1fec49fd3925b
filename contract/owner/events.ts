import { z } from 'zod';
import { EVENT_KINDS, EVENT_TYPES } from '#contract/shared/event-types.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { EXAMPLE_TIME } from '../examples.ts';
import {
  booleanParam,
  field,
  idField,
  nullableTextField,
  objectSchema,
  resultSchema,
  textField,
  timeField,
  intParam,
  enumParam,
} from '../fields.ts';
import { queryBoolean, queryNumber } from '../query-values.ts';
import { uuid } from '../uuid.ts';

const Event = objectSchema('Event', 'Something that happened to the account.', {
  id: idField('The id of the event.', '4d7f1b90-2c86-4e35-b1a9-60e8c3d5f274'),
  type: z.enum(EVENT_TYPES).meta({
    description: 'The type of the event.',
    examples: ['display_name_updated'],
  }),
  summary: textField(
    'A short description of the event.',
    LIMITS.message,
    'Name changed from @jane to @jane-doe',
  ),
  action: textField(
    'The summary without who caused the event.',
    LIMITS.message,
    'Name changed from @jane to @jane-doe',
  ),
  key_label: nullableTextField(
    'The label of the key that caused the event, or its id if it has no label. Null if a session or the operator caused it.',
    LIMITS.message,
    null,
  ),
  outcome: z.enum(['pending', 'succeeded', 'failed']).meta({
    description: 'The outcome. `pending` until it is known.',
    examples: ['succeeded'],
  }),
  detail: z.record(z.string(), z.unknown()).meta({
    description:
      'Details of the event; never a secret. `by` is the id of the key or session that caused it, or `operator`.',
    examples: [{ from: 'jane', to: 'jane-doe' }],
  }),
  created_at: timeField('When the event started', EXAMPLE_TIME),
  completed_at: timeField('When its outcome was known', EXAMPLE_TIME).nullable(),
});

export const events = defineOwnerEndpoints('events', AUTHENTICATED_DEFAULTS, {
  listEvents: {
    method: 'GET',
    summary: 'List the events',
    description:
      'Returns the history of the account, newest first, in batches: logins and logouts; created and removed keys and passkeys; changes of the display name, of forwarding, of the page (at most one event per key or session in ten minutes) and of its visibility; alerts, custom domains and chat messages. Events of the server need the scope `operator`.',
    query: {
      limit: field(
        'limitInvalid',
        queryNumber(intParam(1, LIMITS.listEntries)).default(50),
        'The maximum number of events to return.',
        50,
      ),
      type: field(
        'kindInvalid',
        enumParam(EVENT_KINDS).optional(),
        'Return only events of this kind. Default: all kinds.',
        'page',
      ),
      failed: field(
        'failedInvalid',
        queryBoolean(booleanParam()).default(false),
        'Whether to return only problems: events that failed, alerts, failed backups, and connections, domains and forwarding that stopped working.',
        true,
      ),
      after: field(
        'cursorInvalid',
        uuid('must be the id of one of your events.').optional(),
        'A cursor: the `next` of the previous batch. Default: start with the latest events.',
        '4d7f1b90-2c86-4e35-b1a9-60e8c3d5f274',
      ),
    },
    response: resultSchema('A batch of events.', {
      events: z
        .array(Event)
        .meta({ description: 'The events, newest first.', maxItems: LIMITS.listEntries }),
      next: idField(
        'The cursor of the next batch: send it as `after`. Null if there are no older events.',
        null,
      ).nullable(),
    }),
    listField: 'events',
    failure: 'The events could not be fetched.',
  },
});

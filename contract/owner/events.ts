import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { LIMITS } from '../limits.ts';
import { queryNumber } from '../query-number.ts';
import { invalidField } from '../refusal.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { uuid } from '../uuid.ts';
import { timeField } from '../fields.ts';
import { EVENT_KINDS, EVENT_TYPES } from './event-types.ts';

const LIMIT = `limit must be a whole number from 1 to ${LIMITS.listed}.`;
const KIND = `kind must be one of ${EVENT_KINDS.join(', ')}.`;
const AFTER = 'after must be the id of one of your events.';

const ListEventsQuery = z.object({
  limit: queryNumber(z.int(LIMIT).min(1, LIMIT).max(LIMITS.listed, LIMIT))
    .default(50)
    .meta({ description: 'Maximum number of events.', examples: [50] }),
  kind: z
    .enum(EVENT_KINDS, KIND)
    .optional()
    .meta({ description: 'Kind of the events. Default: every kind.', examples: ['page'] }),
  after: uuid(AFTER)
    .optional()
    .meta({
      description: 'Cursor: the `next` of the previous batch. Default: the latest events.',
      examples: ['0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20'],
    }),
});

const Event = z
  .object({
    id: uuid().meta({
      description: 'The id of the event.',
      examples: ['0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20'],
    }),
    type: z.enum(EVENT_TYPES).meta({
      description: 'The kind of event.',
      examples: ['display_name_updated'],
    }),
    summary: z.string().meta({
      description: 'The event in a few words.',
      maxLength: LIMITS.sentence,
      examples: ['Display name changed from jane to jane-doe'],
    }),
    outcome: z.enum(['pending', 'succeeded', 'failed']).meta({
      description: 'The outcome. It is pending while unknown.',
      examples: ['succeeded'],
    }),
    detail: z.record(z.string(), z.unknown()).meta({
      description:
        'More about the event, never a secret. `by` is the id of the key or session that did it, or `operator`.',
      examples: [{ from: 'jane', to: 'jane-doe' }],
    }),
    created_at: timeField('When it began', '2026-01-31T09:30:00.000Z'),
    completed_at: timeField('When its outcome was known', '2026-01-31T09:30:00.000Z').nullable(),
  })
  .meta({ id: 'Event', description: 'Something that happened to the account.' });

const EventsResponse = z
  .object({
    events: z
      .array(Event)
      .meta({ description: 'The events, newest first.', maxItems: LIMITS.listed }),
    next: uuid()
      .nullable()
      .meta({
        description: 'The value of `after` for older events; null if there are none.',
        examples: [null],
      }),
  })
  .meta({ id: 'EventsResponse', description: 'A batch of events.' });

/** Events of an account. */
export const events = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  listEvents: {
    method: 'GET',
    path: '/owner/events/list-events',
    summary: 'List the events',
    description:
      'Returns what happened to the account, newest first, in batches: logins and logouts, keys and passkeys created and removed, changes of the name, of forwarding, of the page (one in ten minutes for each key or session) and of its visibility, alerts, custom domains, and chat messages.',
    query: ListEventsQuery,
    responses: { 200: EventsResponse },
    metadata: {
      list: 'events',
      failure: 'The events could not be fetched.',
      refusals: {
        limitInvalid: invalidField('limit', 'The limit is not valid.', LIMIT),
        kindInvalid: invalidField('kind', 'There is no such kind of event.', KIND),
        cursorInvalid: invalidField('after', 'The account has no event with this id.', AFTER),
      },
    },
  },
});

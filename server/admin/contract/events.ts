import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { AccountReference } from './accounts.ts';
import { errors } from './errors.ts';

const c = initContract();

const LIMIT = 'The limit is a whole number from 1 to 1000.';

export const EventLimit = z.coerce.number(LIMIT).int(LIMIT).min(1, LIMIT).max(1_000, LIMIT);

export const Event = z.object({
  id: z.uuid(),
  type: z.string(),
  outcome: z.enum(['pending', 'succeeded', 'failed']),
  detail: z.record(z.string(), z.unknown()),
  created_at: z.iso.datetime(),
  completed_at: z.iso.datetime().nullable(),
});
export type Event = z.infer<typeof Event>;

/** The analytics events of an account (specification, Events). */
export const events = c.router(
  {
    listEvents: {
      method: 'GET',
      path: '/events/list',
      summary: 'List the events of an account, newest first',
      query: z.object({ account: AccountReference, limit: EventLimit.default(50) }),
      responses: { 200: z.array(Event), ...errors },
      metadata: { failure: 'The events could not be listed.' },
    },
  },
  { strictStatusCodes: true },
);

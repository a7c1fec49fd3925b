import { z } from 'zod';
import { defineEndpoints } from '#contract/define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from '#contract/endpoint-defaults.ts';
import type { contract } from '#contract/index.ts';
import { refusal } from '#contract/refusal.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { type Refuse, createRefuser } from '#server/platform/refusal.ts';

// The compiler checks this file: each line below a @ts-expect-error must not compile.

const route = {
  method: 'GET',
  path: '/things/read',
  summary: 'Read the thing',
  description: 'Returns the thing.',
  response: z.object({ thing: z.string() }),
  failure: 'The thing could not be read.',
} as const;

defineEndpoints(AUTHENTICATED_DEFAULTS, { read: route });

const { failure: _failure, ...withoutFailure } = route;
// @ts-expect-error: no message for the 500 response
defineEndpoints(AUTHENTICATED_DEFAULTS, { read: withoutFailure });
const { summary: _summary, ...withoutSummary } = route;
// @ts-expect-error: no summary
defineEndpoints(AUTHENTICATED_DEFAULTS, { read: withoutSummary });
const { description: _description, ...withoutDescription } = route;
// @ts-expect-error: no description
defineEndpoints(AUTHENTICATED_DEFAULTS, { read: withoutDescription });
const { response: _response, ...withoutResponse } = route;
// @ts-expect-error: no success response
defineEndpoints(AUTHENTICATED_DEFAULTS, { read: withoutResponse });

refusal(409, 'Another account has the name.', 'The name is taken.');
refusal(409, 'Another account has the name.', 'The name {name} is taken.', { name: 'jane' });
// @ts-expect-error: a placeholder without an example
refusal(409, 'Another account has the name.', 'The name {name} is taken.');
// @ts-expect-error: an example for an unknown placeholder
refusal(409, 'Another account has the name.', 'The name {name} is taken.', { title: 'jane' });

const things = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  read: {
    ...route,
    refusals: {
      thingGone: refusal(404, 'It is gone.', 'The thing is gone.'),
      thingTaken: refusal(409, 'It is taken.', '{owner} has taken the thing.', { owner: 'Jane' }),
    },
  },
});

export const handlers: Handlers<typeof things> = {
  read: async ({ refuse }) => {
    if (Math.random() > 0.7) throw refuse('thingGone');
    if (Math.random() > 0.7) throw refuse('thingGone', { cause: new Error('why') });
    if (Math.random() > 0.7) throw refuse('thingTaken', { owner: 'Jane' });
    // @ts-expect-error: a missing placeholder value
    if (Math.random() > 0.7) throw refuse('thingTaken');
    // @ts-expect-error: a value for an unknown placeholder
    if (Math.random() > 0.7) throw refuse('thingTaken', { name: 'Jane' });
    // @ts-expect-error: an undeclared refusal
    if (Math.random() > 0.7) throw refuse('profileNotFound');
    return { thing: 'a stone' };
  },
};

export const statsHandlers: Partial<Handlers<typeof contract.stats>> = {
  getProjects: ({ refuse }) => {
    // @ts-expect-error: a refusal that only another endpoint declares
    throw refuse('projectForbidden');
  },
  ingestMetrics: ({ refuse }) => {
    throw refuse('projectForbidden');
  },
};

const { refusals } = things.read.metadata;
declare function acceptRefuse(refuse: Refuse<Pick<typeof refusals, 'thingGone'>>): void;
acceptRefuse(createRefuser(refusals));
// @ts-expect-error: a function for other refusals
acceptRefuse(createRefuser({ thingTaken: refusals.thingTaken }));

import { z } from 'zod';
import { defineEndpoints } from '#contract/define-endpoints.ts';
import { refusal } from '#contract/refusal.ts';
import { AUTHENTICATED_DEFAULTS } from '#contract/endpoint-defaults.ts';
import type { contract } from '#contract/index.ts';
import type { Handlers } from '#server/http/contract/register-contract.ts';
import { type Refuse, refuserOf } from '#server/refusal.ts';

// Each marked line must not compile. If it does, its @ts-expect-error is an error.

const read = {
  method: 'GET',
  path: '/things/read',
  summary: 'Read the thing',
  description: 'Returns the thing.',
  responses: { 200: z.object({ thing: z.string() }) },
} as const;
const metadata = { failure: 'The thing could not be read.' };

defineEndpoints(AUTHENTICATED_DEFAULTS, { read: { ...read, metadata } });

// @ts-expect-error: an endpoint without metadata
defineEndpoints(AUTHENTICATED_DEFAULTS, { read });
// @ts-expect-error: without the message of its 500
defineEndpoints(AUTHENTICATED_DEFAULTS, { read: { ...read, metadata: {} } });
const { summary: _summary, ...unsummarized } = read;
// @ts-expect-error: without a summary
defineEndpoints(AUTHENTICATED_DEFAULTS, { read: { ...unsummarized, metadata } });
const { description: _description, ...undescribed } = read;
// @ts-expect-error: without a description
defineEndpoints(AUTHENTICATED_DEFAULTS, { read: { ...undescribed, metadata } });
// @ts-expect-error: without a success response
defineEndpoints(AUTHENTICATED_DEFAULTS, { read: { ...read, responses: {}, metadata } });

refusal(409, 'Another account has the name.', 'The name is taken.');
refusal(409, 'Another account has the name.', 'The name {name} is taken.', { name: 'jane' });
// @ts-expect-error: a gap without an example
refusal(409, 'Another account has the name.', 'The name {name} is taken.');
// @ts-expect-error: an example of another gap
refusal(409, 'Another account has the name.', 'The name {name} is taken.', { title: 'jane' });

const things = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  read: {
    ...read,
    metadata: {
      ...metadata,
      refusals: {
        thingGone: refusal(404, 'It is gone.', 'The thing is gone.'),
        thingTaken: refusal(409, 'It is taken.', '{owner} has taken the thing.', { owner: 'Jane' }),
      },
    },
  },
});

export const refusing: Handlers<typeof things> = {
  read: async ({ refuse }) => {
    if (Math.random() > 0.7) throw refuse('thingGone');
    if (Math.random() > 0.7) throw refuse('thingGone', { cause: new Error('why') });
    if (Math.random() > 0.7) throw refuse('thingTaken', { owner: 'Jane' });
    // @ts-expect-error: a gap that is not filled
    if (Math.random() > 0.7) throw refuse('thingTaken');
    // @ts-expect-error: a filling of another gap
    if (Math.random() > 0.7) throw refuse('thingTaken', { name: 'Jane' });
    // @ts-expect-error: a refusal that the endpoint does not declare
    if (Math.random() > 0.7) throw refuse('profileNotFound');
    return { status: 200, body: { thing: 'a stone' } };
  },
};

export const refusingOthers: Partial<Handlers<typeof contract.stats>> = {
  getProjects: ({ refuse }) => {
    // @ts-expect-error: a refusal that only the other endpoint of the area declares
    throw refuse('projectForbidden');
  },
  ingestMetrics: ({ refuse }) => {
    throw refuse('projectForbidden');
  },
};

const { refusals } = things.read.metadata;
declare function act(refuse: Refuse<Pick<typeof refusals, 'thingGone'>>): void;
act(refuserOf(refusals));
// @ts-expect-error: something that refuses for reasons which are not declared here
act(refuserOf({ thingTaken: refusals.thingTaken }));

import { initContract } from '@ts-rest/core';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineEndpoints } from '#contract/define-endpoints.ts';
import { refusal } from '#contract/refusal.ts';
import { AUTHENTICATED_DEFAULTS } from '#contract/endpoint-defaults.ts';
import { registerContract } from '#server/http/contract/register-contract.ts';
import { sendError } from '#server/http/responses/error-response.ts';
import { DiskFullTracker } from '#server/http/disk-full-tracker.ts';
import { refuserOf } from '#server/refusal.ts';

const GONE = { thingGone: refusal(404, 'It is gone.', 'The {thing} is gone.', { thing: 'stone' }) };

function endpoint(path: string, refusals: typeof GONE | Record<string, never>) {
  return {
    method: 'GET',
    path,
    summary: 'Read the thing',
    description: 'Returns the thing.',
    responses: { 200: z.object({ name: z.string().optional() }) },
    metadata: { failure: 'The thing could not be read.', refusals },
  } as const;
}

const contract = initContract().router({
  things: defineEndpoints(AUTHENTICATED_DEFAULTS, {
    declaring: endpoint('/declaring', GONE),
    silent: endpoint('/silent', {}),
  }),
});

/** Status and body of both endpoints with the same handler. */
async function answersOf(read: () => Promise<{ status: 200; body: { name?: string } }>) {
  await using app = Fastify();
  app.decorate('diskFullTracker', new DiskFullTracker());
  app.setErrorHandler(sendError);
  const handlers = { things: { declaring: read, silent: read } };
  await app.register(async (scope) =>
    registerContract(scope, contract, handlers, (_request, _reply, handle) =>
      handle({ accountId: '', db: undefined as never }),
    ),
  );
  const answers = await Promise.all(['/declaring', '/silent'].map((url) => app.inject(url)));
  return answers.map((answer) => [answer.statusCode, answer.json()]);
}

it('a refusal is returned by an endpoint that declares it, and is a 500 elsewhere', async () => {
  const refuse = refuserOf(GONE);
  expect(await answersOf(() => Promise.reject(refuse('thingGone', { thing: '{thing}' })))).toEqual([
    [404, { error: 'The {thing} is gone.' }],
    [500, { error: 'The thing could not be read.' }],
  ]);
});

it('undeclared fields are removed from a response', async () => {
  const body = { name: 'stone', secret: 'hash' };
  const answer = [200, { name: 'stone' }];
  expect(await answersOf(() => Promise.resolve({ status: 200, body }))).toEqual([answer, answer]);
});

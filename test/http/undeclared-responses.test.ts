import { initContract } from '@ts-rest/core';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineEndpoints } from '#contract/define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from '#contract/endpoint-defaults.ts';
import { refusal } from '#contract/refusal.ts';
import { registerContract } from '#server/platform/http/contract/register-contract.ts';
import { DiskFullTracker } from '#server/platform/http/disk-full-tracker.ts';
import { sendError } from '#server/platform/http/responses/error-response.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const THING_GONE = {
  thingGone: refusal(404, 'It is gone.', 'The {thing} is gone.', { thing: 'stone' }),
};

function endpoint(path: string, refusals: typeof THING_GONE | Record<string, never>) {
  return {
    method: 'GET',
    path,
    summary: 'Read the thing',
    description: 'Returns the thing.',
    response: z.object({ name: z.string().optional() }),
    failure: 'The thing could not be read.',
    refusals,
  } as const;
}

const contract = initContract().router({
  things: defineEndpoints(AUTHENTICATED_DEFAULTS, {
    declaring: endpoint('/declaring', THING_GONE),
    silent: endpoint('/silent', {}),
  }),
});

/** Gives both endpoints the same handler, and returns their statuses and bodies. */
async function requestBoth(handler: () => Promise<{ name?: string }>) {
  await using app = Fastify();
  app.decorate('diskFullTracker', new DiskFullTracker());
  app.setErrorHandler(sendError);
  const handlers = { things: { declaring: handler, silent: handler } };
  await app.register(async (scope) =>
    registerContract(scope, contract, handlers, (_request, _route, handle) =>
      handle(undefined as never),
    ),
  );
  const responses = await Promise.all(['/declaring', '/silent'].map((url) => app.inject(url)));
  return responses.map((response) => [response.statusCode, response.json()]);
}

it('an endpoint that throws a refusal returns it if the contract declares it, and 500 otherwise', async () => {
  const refuse = createRefuser(THING_GONE);
  expect(
    await requestBoth(() => Promise.reject(refuse('thingGone', { thing: '{thing}' }))),
  ).toEqual([
    [404, { error: 'The {thing} is gone.' }],
    [500, { error: 'The thing could not be read.' }],
  ]);
});

it('fields that the contract does not declare are removed from responses', async () => {
  const body = { name: 'stone', secret: 'hash' };
  const expected = [200, { name: 'stone' }];
  expect(await requestBoth(() => Promise.resolve(body))).toEqual([expected, expected]);
});

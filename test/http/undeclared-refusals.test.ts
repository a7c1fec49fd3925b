import { initContract } from '@ts-rest/core';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { area } from '../../contract/area.ts';
import { refusal } from '../../contract/refusal.ts';
import { AUTHENTICATED } from '../../contract/surfaces.ts';
import { registerContract } from '../../server/http/contract/adapter.ts';
import { answerError } from '../../server/http/answers/error-answer.ts';
import { FullDisk } from '../../server/http/full-disk.ts';
import { refuserOf } from '../../server/service/refusal.ts';

const GONE = { thingGone: refusal(404, 'It is gone.', 'The {thing} is gone.', { thing: 'stone' }) };

function endpoint(path: string, refusals: typeof GONE | Record<string, never>) {
  return {
    method: 'GET',
    path,
    summary: 'Read the thing',
    description: 'Returns the thing.',
    responses: { 200: z.object({}) },
    metadata: { failure: 'The thing could not be read.', refusals },
  } as const;
}

it('a refusal is answered where the endpoint declares it, and is a failure elsewhere', async () => {
  const contract = initContract().router({
    things: area(AUTHENTICATED, {
      declaring: endpoint('/declaring', GONE),
      silent: endpoint('/silent', {}),
    }),
  });
  const app = Fastify();
  app.decorate('fullDisk', new FullDisk());
  app.setErrorHandler(answerError);
  const refuse = refuserOf(GONE);
  const read = () => Promise.reject(refuse('thingGone', { thing: '{thing}' }));
  const handlers = { things: { declaring: read, silent: read } };
  await app.register(async (scope) =>
    registerContract(scope, contract, handlers, (_request, _reply, handle) =>
      handle({ accountId: '', db: undefined as never }),
    ),
  );
  const answers = await Promise.all(['/declaring', '/silent'].map((url) => app.inject(url)));
  expect(answers.map((answer) => [answer.statusCode, answer.json()])).toEqual([
    [404, { error: 'The {thing} is gone.' }],
    [500, { error: 'The thing could not be read.' }],
  ]);
  await app.close();
});

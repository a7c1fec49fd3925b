import { describe, expect, it } from 'vitest';
import { DOCUMENTS, serializeDocument } from '../../openapi/document.ts';
import { call } from '../support/call.ts';
import { createSchemaCompiler } from '../support/openapi-schema-compiler.ts';
import { useServer } from '../support/use-server.ts';

const owner = createSchemaCompiler(await DOCUMENTS['openapi-owner.json']());

const { server, account } = useServer({
  account: true,
  webhookHosts: ['localhost:9443', 'chat.example.org'],
});

it.each(Object.values(DOCUMENTS))('patterns do not escape slashes', async (build) => {
  expect(await serializeDocument(build)).not.toContain(String.raw`\\/`);
});

describe('a number in a query', () => {
  it.each([
    '/owner/page/get-views?days=',
    '/owner/page/get-version?version=',
    '/owner/events/list-events?limit=',
  ])('must be decimal digits: %s', async (path) => {
    for (const number of ['0x7', '0b11', '1e1', '1.5', '-1', '+1', ' 1', ''])
      expect([
        number,
        (await call(server.app, { path: path + encodeURIComponent(number), key: account.key }))
          .status,
      ]).toEqual([number, 400]);
  });
});

it('the document refuses what the owner contract refuses', () => {
  const reads = (name: string, body: object) => owner(`#/components/schemas/${name}`)(body);
  expect(reads('SavePageRequest', { version: 0, avatar_url: 'x' })).toBeTypeOf('string');
  expect(reads('CreateSessionRequest', { link: 'a' })).toBeUndefined();
  expect(reads('CreateSessionRequest', { link: 'a', apiKey: 'b' })).toBeTypeOf('string');
  expect(reads('CreateSessionRequest', {})).toBeTypeOf('string');
});

it('the document that a server serves accepts the webhooks that it accepts', async () => {
  const served = (await call(server.app, { path: '/openapi.json' })).body as object;
  const read = createSchemaCompiler(served)('#/components/schemas/SendChatWebhookRequest');
  const problem = (host: string) =>
    read({ webhookUrl: `https://${host}/api/webhooks/1/token`, payload: { content: 'Hello!' } });
  expect(problem('localhost:9443')).toBeUndefined();
  expect(problem('chat.example.org')).toBeUndefined();
  expect(problem('discord.com')).toBeTypeOf('string');
  expect(problem('chatXexample.org')).toBeTypeOf('string');
});

import { expect, it } from 'vitest';
import { buildOwnerDocument } from '../../contract/openapi/document.ts';
import { call } from '../support/call.ts';
import { createSchemaCompiler } from '../support/openapi-schema-compiler.ts';
import { useServer } from '../support/use-server.ts';

const ownerValidator = createSchemaCompiler(await buildOwnerDocument());

const { server, account } = useServer({
  account: true,
  CHAT_WEBHOOK_HOSTS: ['localhost:9443', 'chat.example.org'],
});

it.each([
  '/owner/page/get-page-views?days=',
  '/owner/page/get-page-version?version=',
  '/owner/events/list-events?limit=',
])('a number in a query must be decimal digits: %s', async (path) => {
  for (const value of ['0x7', '0b11', '1e1', '1.5', '-1', '+1', ' 1', ''])
    expect([
      value,
      (await call(server.app, { path: path + encodeURIComponent(value), key: account.key })).status,
    ]).toEqual([value, 400]);
});

it('the owner document validates combinations of fields like the contract', () => {
  const validate = (name: string, body: object) =>
    ownerValidator(`#/components/schemas/${name}`)(body);
  expect(validate('UpdatePageRequest', { version: 0, avatar_url: 'x' })).toBeTypeOf('string');
  expect(validate('CreateSessionRequest', { login_url: 'a' })).toBeUndefined();
  expect(validate('CreateSessionRequest', { login_url: 'a', api_key: 'b' })).toBeTypeOf('string');
  expect(validate('CreateSessionRequest', {})).toBeTypeOf('string');
});

it('the served document accepts the webhook hosts that the server is configured with', async () => {
  const document = (await call(server.app, { path: '/openapi.json' })).body as object;
  const validate = createSchemaCompiler(document)('#/components/schemas/SendChatWebhookRequest');
  const errorFor = (host: string) =>
    validate({
      webhookUrl: `https://${host}/api/webhooks/1/token`,
      payload: { content: 'Hello!' },
    });
  expect(errorFor('localhost:9443')).toBeUndefined();
  expect(errorFor('chat.example.org')).toBeUndefined();
  expect(errorFor('discord.com')).toBeTypeOf('string');
  expect(errorFor('chatXexample.org')).toBeTypeOf('string');
});

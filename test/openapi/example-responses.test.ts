import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDocument } from '#contract/openapi/document.ts';
import { createDatabaseForwarding } from '#server/features/forwarding/forwarding.ts';
import { call } from '../support/call.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';

const { components } = (await buildDocument()) as unknown as {
  components: { examples: Record<string, { value: unknown }> };
};
const webhookUrl = 'https://discord.com/api/webhooks/1105936272348135000/your-webhook-token';
const message = { content: 'Hello!' };

let server: TestApp;
let jane: TestAccount;
let projectId: string;

beforeAll(async () => {
  const database = await openTestDatabase();
  server = await startTestApp(
    {
      chat: { deliver: async () => '1' },
      forwarding: createDatabaseForwarding('postfix', database.db),
      MAIL_DOMAIN: 'example.org',
    },
    database,
  );
  jane = await server.createAccount();
  await jane.client.account.updateDisplayName({ display_name: 'Jane Doe' });
  projectId = await server.createProject(jane);
});
afterAll(() => server.close());

async function send(
  method: 'GET' | 'PATCH' | 'POST',
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const { key } = await server.createAccount();
  const content = typeof body === 'string' ? { payload: body } : { json: body };
  return (await call(server.app, { method, path: url, key, headers, ...content })).body;
}

it.each([
  ['DisplayNameMissing', '/account/update-display-name', {}],
  ['DisplayNameTooShort', '/account/update-display-name', { display_name: '-a-' }],
  ['DisplayNameInvalid', '/account/update-display-name', { display_name: 'José Doe' }],
  ['DisplayNameReserved', '/account/update-display-name', { display_name: 'Admin' }],
  ['DisplayNameTaken', '/account/update-display-name', { display_name: 'jane doe' }],
  ['ThemeInvalid', '/site/update-site-configuration', { theme_id: 'none' }],
  ['EnabledMissing', '/email-forwarding/email-forwarding-toggle', {}],
  [
    'DisplayNameNotSet',
    '/email-forwarding/email-forwarding-toggle',
    { enabled: true, email: 'jane@example.com' },
  ],
  [
    'ForwardingAddressInvalid',
    '/email-forwarding/email-forwarding-toggle',
    { enabled: true, email: 'jane' },
  ],
  [
    'ForwardingAddressNotAllowed',
    '/email-forwarding/email-forwarding-toggle',
    { enabled: true, email: 'jane@corp.internal' },
  ],
  ['ValidationFailed', '/site/update-site-configuration', { blocks: [{ type: 'Text' }] }],
  ['ProjectIdMissing', '/stats/ingest-metrics', { payload: {} }],
  ['MetricPayloadInvalid', '/stats/ingest-metrics', { projectId: 'x' }],
  [
    'WebhookUrlInvalid',
    '/hooks/send-chat-webhook',
    { webhookUrl: 'https://example.com/api/webhooks/1/t', payload: message },
  ],
  ['MessageEmpty', '/hooks/send-chat-webhook', { webhookUrl, payload: {} }],
  ['JsonMalformed', '/stats/ingest-metrics', '{"projectId": 1 x'],
  ['JsonKeyForbidden', '/stats/ingest-metrics', '{"a":{"__proto__":1}}'],
  ['NumberTooLarge', '/stats/ingest-metrics', '{"payload":{"size":1e400}}'],
  ['NestingTooDeep', '/stats/ingest-metrics', `${'['.repeat(66)}${']'.repeat(66)}`],
  ['TextUnsupported', '/stats/ingest-metrics', '{"payload":{"name":"\\u0000"}}'],
  ['BodyTooLarge', '/stats/ingest-metrics', `"${'x'.repeat(1_048_576)}"`],
])("the example %s equals the server's response", async (example, url, body) => {
  expect(await send('POST', url, body)).toEqual(components.examples[example]!.value);
});

it("the examples that need other headers or stored data equal the server's responses", async () => {
  const { examples } = components;
  const { headers } = jane;
  const forwarding = '/email-forwarding/email-forwarding-toggle';
  expect(await send('POST', forwarding, { enabled: true }, headers)).toEqual(
    examples.ForwardingAddressMissing!.value,
  );
  expect(
    await send('POST', forwarding, { enabled: true, email: 'jane@example.com' }, headers),
  ).toEqual(examples.EmailForwardingToggleResponse!.value);
  expect(await send('POST', '/stats/ingest-metrics', { projectId, payload: {} })).toEqual(
    examples.ProjectForbidden!.value,
  );
  expect(await send('PATCH', '/hooks/send-chat-webhook', { webhookUrl, payload: message })).toEqual(
    examples.MessageIdInvalid!.value,
  );
  expect(
    await send('POST', '/stats/ingest-metrics', 'x', { 'content-type': 'text/plain' }),
  ).toEqual(examples.ContentTypeUnsupported!.value);
  for (const [name, value, example] of [
    ['content-encoding', 'gzip', 'ContentEncodingUnsupported'],
    ['idempotency-key', 'two words', 'IdempotencyKeyInvalid'],
  ] as const)
    expect(await send('POST', '/stats/ingest-metrics', {}, { [name]: value })).toEqual(
      examples[example]!.value,
    );
  const withKey = { ...headers, 'idempotency-key': 'a' };
  await send('POST', '/stats/ingest-metrics', { projectId, payload: {} }, withKey);
  expect(
    await send('POST', '/stats/ingest-metrics', { projectId, payload: { a: 1 } }, withKey),
  ).toEqual(examples.IdempotencyKeyReused!.value);
  for (const [url, example] of [
    ['/stats/get-projects', 'ApiKeyMalformed'],
    ['/site/get-site-status', 'ApiKeyMalformed2'],
  ] as const)
    expect(await send('GET', url, undefined, { 'x-api-key': 'x' })).toEqual(
      examples[example]!.value,
    );
});

it("the examples of success equal the server's responses", async () => {
  const { examples } = components;
  const { headers } = await server.createAccount();
  for (const [method, url, body, example] of [
    [
      'POST',
      '/site/update-site-configuration',
      examples.UpdateSiteConfigurationRequest!.value,
      'UpdateSiteConfigurationResponse',
    ],
    ['POST', '/site/toggle-site-visibility', undefined, 'ToggleSiteVisibilityResponse'],
    ['GET', '/site/get-site-status', undefined, 'SiteStatusResponse'],
  ] as const)
    expect(await send(method, url, body, headers)).toEqual(examples[example]!.value);
  const metric = { projectId, payload: { visitors: 42 } };
  expect(await send('POST', '/stats/ingest-metrics', metric, jane.headers)).toEqual(
    examples.IngestMetricsResponse!.value,
  );
  expect(await send('GET', '/account/get-display-name', undefined, jane.headers)).toEqual(
    examples.DisplayNameResponse!.value,
  );
  const renamed = await send(
    'POST',
    '/account/update-display-name',
    examples.UpdateDisplayNameRequest!.value,
    jane.headers,
  );
  expect(renamed).toEqual(examples.UpdateDisplayNameResponse!.value);
});

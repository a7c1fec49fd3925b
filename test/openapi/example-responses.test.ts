import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDocument } from '#contract/openapi/document.ts';
import { formatMessage, type Refusal } from '#contract/refusal.ts';
import { AUTHENTICATION_REFUSALS, WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { createDatabaseForwarding } from '#server/features/forwarding/forwarding.ts';
import { call } from '../support/call.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';

interface Media {
  example?: object;
  examples?: Record<string, { value: object }>;
}
interface Body {
  description: string;
  content?: { 'application/json': Media };
}
const { paths, components } = buildDocument() as unknown as {
  paths: Record<
    string,
    Record<string, { operationId: string; requestBody?: Body; responses: Record<string, Body> }>
  >;
  components: { responses: Record<string, Body> };
};
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
const operationOf = (id: string) => operations.find(({ operationId }) => operationId === id)!;

/** The example of the request of an operation, or of its success. */
const requestExample = (id: string) =>
  operationOf(id).requestBody!.content!['application/json'].example;
const responseExample = (id: string) =>
  operationOf(id).responses['200']!.content!['application/json'].example;

/** The example of an error, in a response whose name begins so. */
function errorExample(code: string, response = ''): unknown {
  const examples = Object.entries(components.responses).flatMap(
    ([name, { description, content }]) => {
      if (!content || !name.startsWith(response)) return [];
      const { example, examples: byCode = {} } = content['application/json'];
      const [first] = /(?<=`)\w+/.exec(description)!;
      return first === code && example ? [example] : (byCode[code]?.value ?? []);
    },
  );
  if (examples.length > 0) return examples[0];
  // The contract has examples of those that many operations share.
  const shared: Refusal = { ...WRITE_REFUSALS, ...AUTHENTICATION_REFUSALS }[
    code as 'jsonMalformed'
  ];
  return { error: formatMessage(shared.message, shared.example) };
}

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
      MAIL_DOMAIN: 'club.example',
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
  ['displayNameMissing', '/account/update-display-name', {}],
  ['displayNameTooShort', '/account/update-display-name', { display_name: '-a-' }],
  ['displayNameInvalid', '/account/update-display-name', { display_name: 'José Doe' }],
  ['displayNameReserved', '/account/update-display-name', { display_name: 'Admin' }],
  ['displayNameTaken', '/account/update-display-name', { display_name: 'jane doe' }],
  ['themeInvalid', '/site/update-site-configuration', { theme_id: 'none' }],
  ['enabledMissing', '/email-forwarding/email-forwarding-toggle', {}],
  [
    'displayNameNotSet',
    '/email-forwarding/email-forwarding-toggle',
    { enabled: true, email: 'jane@example.com' },
  ],
  [
    'forwardingAddressInvalid',
    '/email-forwarding/email-forwarding-toggle',
    { enabled: true, email: 'jane' },
  ],
  [
    'forwardingAddressNotAllowed',
    '/email-forwarding/email-forwarding-toggle',
    { enabled: true, email: 'jane@corp.internal' },
  ],
  ['validationFailed', '/site/update-site-configuration', { blocks: [{ type: 'Text' }] }],
  ['projectIdMissing', '/stats/ingest-metrics', { payload: {} }],
  ['metricPayloadInvalid', '/stats/ingest-metrics', { projectId: 'x' }],
  [
    'webhookUrlInvalid',
    '/hooks/send-chat-webhook',
    { webhookUrl: 'https://example.com/api/webhooks/1/t', payload: message },
  ],
  ['messageEmpty', '/hooks/send-chat-webhook', { webhookUrl, payload: {} }],
  ['jsonMalformed', '/stats/ingest-metrics', '{"projectId": 1 x'],
  ['jsonKeyForbidden', '/stats/ingest-metrics', '{"a":{"__proto__":1}}'],
  ['numberTooLarge', '/stats/ingest-metrics', '{"payload":{"size":1e400}}'],
  ['nestingTooDeep', '/stats/ingest-metrics', `${'['.repeat(66)}${']'.repeat(66)}`],
  ['textUnsupported', '/stats/ingest-metrics', '{"payload":{"name":"\\u0000"}}'],
  ['bodyTooLarge', '/stats/ingest-metrics', `"${'x'.repeat(1_048_576)}"`],
])("the example %s equals the server's response", async (example, url, body) => {
  expect(await send('POST', url, body)).toEqual(errorExample(example));
});

it("the examples that need other headers or stored data equal the server's responses", async () => {
  const { headers } = jane;
  const forwarding = '/email-forwarding/email-forwarding-toggle';
  expect(await send('POST', forwarding, { enabled: true }, headers)).toEqual(
    errorExample('forwardingAddressMissing'),
  );
  expect(
    await send('POST', forwarding, { enabled: true, email: 'jane@example.com' }, headers),
  ).toEqual(responseExample('emailForwardingToggle'));
  expect(await send('POST', '/stats/ingest-metrics', { projectId, payload: {} })).toEqual(
    errorExample('projectForbidden'),
  );
  expect(await send('PATCH', '/hooks/send-chat-webhook', { webhookUrl, payload: message })).toEqual(
    errorExample('messageIdInvalid'),
  );
  expect(
    await send('POST', '/stats/ingest-metrics', 'x', { 'content-type': 'text/plain' }),
  ).toEqual(errorExample('contentTypeUnsupported'));
  for (const [name, value, example] of [
    ['content-encoding', 'gzip', 'contentEncodingUnsupported'],
    ['idempotency-key', 'two words', 'idempotencyKeyInvalid'],
  ] as const)
    expect(await send('POST', '/stats/ingest-metrics', {}, { [name]: value })).toEqual(
      errorExample(example),
    );
  const withKey = { ...headers, 'idempotency-key': 'a' };
  await send('POST', '/stats/ingest-metrics', { projectId, payload: {} }, withKey);
  expect(
    await send('POST', '/stats/ingest-metrics', { projectId, payload: { a: 1 } }, withKey),
  ).toEqual(errorExample('idempotencyKeyReused'));
  const malformed = { 'x-api-key': 'x' };
  expect(await send('GET', '/stats/get-projects', undefined, malformed)).toEqual(
    errorExample('apiKeyMalformed'),
  );
  // They all have the same message.
  expect(await send('GET', '/site/get-site-status', undefined, malformed)).toEqual(
    errorExample('apiKeyMissing', 'Unauthorized2'),
  );
});

it("the examples of success equal the server's responses", async () => {
  const { headers } = await server.createAccount();
  for (const [method, url, body, id] of [
    [
      'POST',
      '/site/update-site-configuration',
      requestExample('updateSiteConfiguration'),
      'updateSiteConfiguration',
    ],
    ['POST', '/site/toggle-site-visibility', undefined, 'toggleSiteVisibility'],
    ['GET', '/site/get-site-status', undefined, 'getSiteStatus'],
  ] as const)
    expect(await send(method, url, body, headers)).toEqual(responseExample(id));
  const metric = { projectId, payload: { visitors: 42 } };
  expect(await send('POST', '/stats/ingest-metrics', metric, jane.headers)).toEqual(
    responseExample('ingestMetrics'),
  );
  expect(await send('GET', '/account/get-display-name', undefined, jane.headers)).toEqual(
    responseExample('getDisplayName'),
  );
  const renamed = await send(
    'POST',
    '/account/update-display-name',
    requestExample('updateDisplayName'),
    jane.headers,
  );
  expect(renamed).toEqual(responseExample('updateDisplayName'));
});

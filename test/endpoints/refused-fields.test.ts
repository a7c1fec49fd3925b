import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { errorCodeOf } from '#contract/fields.ts';
import { call } from '../support/call.ts';
import {
  authenticatedEndpoints,
  createExample,
  forEachEndpoint,
  createOperator,
  unauthenticatedEndpoints,
} from '../support/endpoints.ts';
import { SAME_ORIGIN_HEADERS } from '../support/session.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();
let key: string;
beforeAll(async () => {
  const account = await createOperator(server);
  ({ key } = account);
});

/** Every field refuses at least one of these. */
const INVALID_VALUES = ['', '\n', {}, 5, -1, [], 'x'.repeat(200_000)];
const INVALID_QUERY_VALUES = ['', '\n', 'x'.repeat(1_001)];

const endpoints = [...authenticatedEndpoints, ...unauthenticatedEndpoints].flatMap((endpoint) => {
  const schema = endpoint.query ?? endpoint.body;
  return schema instanceof z.ZodObject ? [{ ...endpoint, schema }] : [];
});

it('the message about a missing field contains its name, at every endpoint', () =>
  forEachEndpoint(endpoints, async ({ method, path, schema }) => {
    const isLogin = unauthenticatedEndpoints.some((endpoint) => endpoint.path === path);
    for (const [name, field] of Object.entries<z.ZodType>(schema.shape)) {
      if (field.safeParse(undefined).success) continue;
      const { [name]: _missing, ...fields } = createExample(schema);
      const query = new URLSearchParams(fields as Record<string, string>).toString();
      const { status, body } = await call(server.app, {
        method,
        key,
        headers: isLogin ? SAME_ORIGIN_HEADERS : {},
        ...(method === 'GET' ? { path: `${path}?${query}` } : { path, json: fields }),
      });
      expect([name, status]).toEqual([name, 400]);
      expect((body as { error: string }).error.split(/[^\w-]+/)).toContain(name);
    }
  }));

it('every refusal of a field names the field, at every endpoint', () =>
  forEachEndpoint(endpoints, async ({ method, path, schema }) => {
    const isGet = method === 'GET';
    for (const [name, field] of Object.entries<z.ZodType>(schema.shape)) {
      // A value that the field refuses as a whole, not only a nested part.
      const invalidValue = (isGet ? INVALID_QUERY_VALUES : INVALID_VALUES).find(
        (value) => field.safeParse(value).error?.issues[0]?.path.length === 0,
      );
      const fields = { ...createExample(schema), [name]: invalidValue };
      const { status, headers } = await call(server.app, {
        method,
        key,
        headers: { 'sec-fetch-site': 'same-origin' },
        ...(isGet
          ? { path: `${path}?${new URLSearchParams(fields as Record<string, string>).toString()}` }
          : { path, json: fields }),
      });
      const expected = [name, 400, errorCodeOf(field) ?? 'validationFailed'];
      expect([name, status, headers['x-error-code']]).toEqual(expected);
      expect(headers['x-error-field']?.split(',')[0]).toBe(name);
    }
  }));

it('items of lists are refused with a rule of ours, not of the schema library', () => {
  const messages = endpoints.flatMap(({ schema }) =>
    Object.values<z.ZodType>(schema.shape).flatMap((field) =>
      [[null], ['x'], [5]].flatMap((value) => field.safeParse(value).error?.issues ?? []),
    ),
  );
  expect(messages.length).toBeGreaterThan(100);
  expect(messages.filter(({ message }) => /^Invalid|^Too|^Unrecognized/.test(message))).toEqual([]);
});

it('every time in a request takes any UTC offset, and needs one', () => {
  const times = endpoints.flatMap(({ schema }) =>
    Object.entries<z.ZodType>(schema.shape).filter(([, field]) =>
      JSON.stringify(z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' })).includes(
        '"date-time"',
      ),
    ),
  );
  expect(new Set(times.map(([name]) => name))).toEqual(new Set(['expires_at', 'since', 'until']));
  for (const [name, field] of times) {
    for (const time of ['2030-01-31T09:30:00+00:00', '2030-01-31T10:30:00+01:00'])
      expect([name, field.parse(time)]).toEqual([name, '2030-01-31T09:30:00Z']);
    const error = field.safeParse('2030-01-31T09:30:00').error?.issues[0]?.message;
    expect([name, error]).toEqual([name, expect.stringContaining('+01:00.')]);
  }
});

it('a response names up to ten invalid fields, and its message explains the first and names five more', async () => {
  const path = '/site/update-site-configuration';
  const post = async (json: unknown) => {
    const response = await call(server.app, { method: 'POST', path, key, json });
    return [response.headers['x-error-field'], response.body];
  };
  const blocks = [{ content: 'x' }, { type: 'text', content: 'ü', id: 'not a UUID' }];
  expect(await post({ bio: 1, mood: 1, blocks })).toEqual([
    'bio,mood,blocks.0.type,blocks.1.id',
    {
      error: expect.stringMatching(
        /^bio must be .*\. Also wrong: mood, blocks\.1\.id\. Also missing: blocks\.0\.type\.$/,
      ),
    },
  ]);
  expect(await post({ boi: 'x', blocks })).toEqual([
    'blocks.0.type,blocks.1.id',
    {
      error:
        'blocks.0.type is required. Also wrong: blocks.1.id. boi is not a field of this operation. Did you mean bio?',
    },
  ]);
  const [fields, body] = await post({ blocks: Array.from({ length: 20 }, () => ({})) });
  expect((fields as string).split(',')).toHaveLength(10);
  expect(body).toEqual({
    error:
      'blocks.0.type is required. Also missing: blocks.1.type, blocks.2.type, blocks.3.type, blocks.4.type, blocks.5.type and 14 more.',
  });
});

it('an operation without a body accepts an empty one of any content type', () =>
  forEachEndpoint(
    authenticatedEndpoints.filter(
      ({ method, body }) => method === 'POST' && !(body instanceof z.ZodType),
    ),
    async ({ method, path }) => {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': '0',
        'sec-fetch-site': 'same-origin',
      };
      expect((await call(server.app, { method, path, key, headers })).status).not.toBe(415);
    },
  ));

it.each([
  [
    '/site/update-site-configuration',
    { custom_theme: { text_color: 'red' } },
    'custom_theme.text_color must be a hex color of the form #RRGGBB.',
  ],
  [
    '/hooks/send-chat-webhook',
    { webhookUrl: 'https://discord.com/api/webhooks/1/token', payload: { embeds: [{ title: 5 }] } },
    'payload.embeds.0.title must be a string.',
  ],
  ['/owner/reports/close-reports', { report_ids: ['5'] }, 'report_ids.0 must be a UUID.'],
])('%s names a nested field by its path: %j', async (path, json, error) => {
  const response = await call(server.app, { method: 'POST', path, key, json });
  expect(response).toMatchObject({
    status: 400,
    headers: { 'x-error-code': 'validationFailed', 'x-error-field': error.split(' ')[0] },
    body: { error },
  });
});

it.each([
  [
    '/owner/alerts/create-alert',
    { aggregate: 'sum', minutes: 5, comparison: 'above' },
    'project_id,threshold,path',
  ],
  [
    '/owner/metrics/query-metrics',
    { since: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' },
    'project_id,since',
  ],
  [
    '/owner/visitors/query-visitors',
    { since: '2026-02-01', until: '2026-01-01', limit: 0 },
    'limit,since',
  ],
  ['/owner/alerts/create-alert', null, 'project_id'],
])('rules about several fields are checked beside others: %s %j', async (path, json, fields) => {
  const { headers } = await call(server.app, { method: 'POST', key, path, json });
  expect(headers['x-error-field']).toBe(fields);
});

it.each([
  [
    { path: '/owner/connections/send-test-event', json: { id: 'x' } },
    'connection_id is missing. id is not a field of this operation. Its fields: connection_id.',
  ],
  [
    { path: '/owner/connections/send-test-event', json: { connection_ids: ['x'] } },
    'connection_id is missing. connection_ids is not a field of this operation. Did you mean connection_id?',
  ],
  [{ path: '/owner/connections/send-test-event', json: {} }, 'connection_id is missing.'],
  [{ method: 'GET', path: '/owner/metrics/list-metrics' }, 'project_id is missing.'],
  [
    { method: 'GET', path: '/owner/metrics/list-metrics?projectId=x' },
    'project_id is missing. projectId is not a field of this operation. Did you mean project_id?',
  ],
  [
    { path: '/stats/ingest-metrics', json: { project_id: 'x', payload: {} } },
    'The project ID is required (projectId). project_id is not a field of this operation. Did you mean projectId?',
  ],
  [
    {
      path: '/owner/alerts/create-alert',
      json: {
        treshold: 5,
        project_id: crypto.randomUUID(),
        path: ['n'],
        minutes: 5,
        comparison: 'above',
      },
    },
    'threshold is required with above and below, and must be null or left out with absent. treshold is not a field of this operation. Did you mean threshold?',
  ],
  [
    { path: '/site/update-site-configuration', json: { boi: 'x', mood: 1 } },
    'mood must be a string of at most 200 characters, or null. boi is not a field of this operation. Did you mean bio?',
  ],
])('a field at fault is named, with the unknown one: %j', async (request, error) => {
  const response = await call(server.app, { method: 'POST', key, ...request });
  const query = new URL(request.path, 'http://x').searchParams.keys();
  const unknown = [...query, ...Object.keys('json' in request ? request.json : {})][0];
  expect([response.status, response.body, response.headers['x-ignored-fields']]).toEqual([
    400,
    { error },
    unknown,
  ]);
});

it('a refused page has the names of all ignored fields, also those of its blocks', async () => {
  const blocks = [null, { type: 5, x: 1 }, { type: 'link', url: 'https://x.example', titel: 'x' }];
  const response = await call(server.app, {
    ...{ method: 'POST', path: '/site/update-site-configuration', key },
    json: { boi: 'x', mood: 1, blocks, custom_theme: { colour: 'red' } },
  });
  expect(response).toMatchObject({
    status: 400,
    headers: { 'x-ignored-fields': 'boi,custom_theme.colour,blocks.2.titel' },
  });
});

it('the fields at fault are not among the ignored ones', async () => {
  const blocks = [{ type: 'link', url: 'nope' }, { type: 'Text' }];
  const response = await call(server.app, {
    ...{ method: 'POST', path: '/site/update-site-configuration', key },
    json: { boi: 'x', blocks },
  });
  expect(response).toMatchObject({
    status: 400,
    headers: { 'x-error-field': 'blocks.0.url,blocks.1.type', 'x-ignored-fields': 'boi' },
  });
});

it('field names in headers are encoded', async () => {
  const path = '/site/update-site-configuration';
  const send = (name: string) =>
    call(server.app, { method: 'POST', path, key, json: { [name]: 1 } });
  expect((await send('größe 1%')).headers).toMatchObject({
    'x-ignored-fields': encodeURIComponent('größe 1%'),
  });
  // HTTP clients limit the size of headers.
  expect((await send('x'.repeat(2_000))).headers).not.toHaveProperty('x-ignored-fields');
});

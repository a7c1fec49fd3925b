import { afterEach, describe, expect, it } from 'vitest';
import { sendRaw, expectRefusal, useListening } from '../support/raw-socket.ts';
import { useServer } from '../support/use-server.ts';
import { withTitles } from '../support/with-titles.ts';

const STATUS = '/site/get-site-status';
const TOGGLE = '/site/toggle-site-visibility';
const UPDATE = '/site/update-site-configuration';

const { server, account } = useServer({ account: true });
const port = useListening(server);
afterEach(expectAlive);

/** Expects the server to still accept valid requests. */
async function expectAlive(): Promise<void> {
  const response = await sendHead('GET', STATUS);
  if (response?.status !== 200) throw new Error(`a valid request returned ${response?.status}`);
}

function requestHead(method: string, path: string, ...lines: string[]): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    `X-API-KEY: ${account.key}`,
    ...lines,
    '',
  ].join('\r\n');
}

/** Sends a request without a body, and returns the first response. */
async function sendHead(...request: Parameters<typeof requestHead>) {
  const [response] = await sendRaw(port(), requestHead(...request), '\r\n');
  return response;
}

const JSON_TYPE = 'Content-Type: application/json';

it('an absolute URL as the request target is accepted if its authority matches the Host header', async () => {
  const response = await sendHead('GET', `http://LocalHost${STATUS}`);
  expect(response?.status).toBe(200);
});

it.each(['http://pages.example', 'http://localhost:81', 'https://jane@localhost'])(
  'an absolute URL as the request target gets 400 if its authority differs: %s',
  async (origin) => {
    const response = await sendHead('GET', origin + STATUS);
    expectRefusal(response, 400);
    expect(response?.headers['x-error-code']).toBe('hostInvalid');
  },
);

it('a body that is too large gets 413 based on its Content-Length', async () => {
  const request = requestHead('POST', UPDATE, JSON_TYPE, 'Content-Length: 1048577');
  const [response] = await sendRaw(port(), request, '\r\n{"bio":');
  expectRefusal(response, 413);
});

it('a body that is too large gets 413 when it is chunked, and the connection is closed', async () => {
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  const request = requestHead('POST', UPDATE, JSON_TYPE, 'Transfer-Encoding: chunked').replace(
    'Connection: close\r\n',
    '',
  );
  const [response, ...otherResponses] = await sendRaw(
    port(),
    `${request}\r\n`,
    chunk.repeat(32),
    '0\r\n\r\n',
  );
  expectRefusal(response, 413);
  expect(response?.headers.connection).toBe('close');
  expect(otherResponses).toEqual([]);
});

it.each(
  withTitles([
    'garbage\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001',
    'GET / HTTP/1.1\r\nHost: x\r\nX: a\u0000b\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ]),
)(
  'a request that the parser rejects gets 400 and ends the connection: $title',
  async ({ value }) => {
    const [response, ...otherResponses] = await sendRaw(port(), value);
    expectRefusal(response, 400);
    expect(JSON.parse(response!.body)).toEqual({ error: 'The request is malformed.' });
    expect(response?.headers.connection).toBe('close');
    expect(otherResponses).toEqual([]);
  },
);

it('the Host header is required, except with HTTP/1.0', async () => {
  const request = requestHead('GET', STATUS).replace('Host: localhost\r\n', '');
  const [response] = await sendRaw(port(), request, '\r\n');
  expectRefusal(response, 400);
  const [oldResponse] = await sendRaw(port(), request.replace('HTTP/1.1', 'HTTP/1.0'), '\r\n');
  expect(oldResponse).toMatchObject({ status: 200, body: '{"enabled":false}' });
});

it.each(
  withTitles([
    'Host: a\r\nHost: a',
    'Host: a\r\nhOST: b',
    'Host:',
    'Host: a b',
    'Host: user@a',
    'Host: a,b:1:2',
    'Host: é',
    'Host: a`id`',
  ]),
)('the Host header must be one host: $title', async ({ value }) => {
  for (const [path, version] of [
    [STATUS, '1.1'],
    [STATUS, '1.0'],
    ['/healthz', '1.1'],
    ['/nowhere', '1.1'],
  ] as const) {
    const request = requestHead('GET', path).replace('Host: localhost', value);
    const [response] = await sendRaw(port(), request.replace('/1.1', `/${version}`), '\r\n');
    expectRefusal(response, 400);
    expect(JSON.parse(response!.body)).toEqual({ error: 'The Host header is not valid.' });
  }
});

it.each(withTitles(['a', 'a.example:80', 'a_b.example', '127.0.0.1:3000', '[::1]:3000', 'x%20y:']))(
  'the Host header may be $title',
  async ({ value }) => {
    const request = requestHead('GET', STATUS).replace('localhost', value);
    expect(await sendRaw(port(), request, '\r\n')).toMatchObject([{ status: 200 }]);
  },
);

it.each(['gzip, chunked', 'x, CHUNKED', 'gzip\r\nTransfer-Encoding: chunked'])(
  'the Transfer-Encoding header with %j gets 415',
  async (coding) => {
    const request = requestHead('POST', TOGGLE, JSON_TYPE, `Transfer-Encoding: ${coding}`);
    const [response] = await sendRaw(port(), `${request}\r\n2\r\n{}\r\n0\r\n\r\n`);
    expectRefusal(response, 415);
    expect((await account.client.site.getSiteStatus()).enabled).toBe(false);
  },
);

describe.each([
  ...['text/plain', 'application/x-www-form-urlencoded', 'malformed', '', undefined],
  'application/json',
])('the content type %j', (type) => {
  const send = (framing: string, ...body: string[]) => {
    const lines = [...(type === undefined ? [] : [`Content-Type: ${type}`]), framing];
    const head = requestHead('POST', TOGGLE, ...lines).replace('Connection: close\r\n', '');
    return sendRaw(port(), `${head}\r\n`, ...body, `${requestHead('GET', STATUS)}\r\n`);
  };

  it.each([
    ['Transfer-Encoding: chunked', '0\r\n\r\n'],
    ['Content-Length: 0', ''],
    ['X-Framing: none', ''],
  ])(`the content type ${type} without a body is accepted: %s`, async (framing, body) => {
    expect((await send(framing, body)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it.each([
    ['Transfer-Encoding: chunked', '1\r\n{\r\n', '1\r\n}\r\n0\r\n\r\n'],
    ['Content-Length: 2', '{', '}'],
  ])(`the content type ${type} with a body is only for JSON: %s`, async (framing, ...body) => {
    const [response, next] = await send(framing, ...body);
    expect(response?.status).toBe(type === 'application/json' ? 200 : 415);
    if (framing === 'Content-Length: 2') expect(next?.status).toBe(200);
  });
});

it('a connection is reused, even after an error response', async () => {
  const keepAliveRequest = (method: string, path: string, ...lines: string[]) =>
    `${requestHead(method, path, ...lines).replace('Connection: close\r\n', '')}\r\n`;
  const body = `{"bio":"${'x'.repeat(5_000)}"}`;
  const responses = await sendRaw(
    port(),
    keepAliveRequest('GET', STATUS),
    keepAliveRequest('POST', UPDATE, JSON_TYPE, `Content-Length: ${body.length}`) + body,
    keepAliveRequest('POST', '/nowhere', JSON_TYPE, `Content-Length: ${body.length}`) + body,
    keepAliveRequest('GET', UPDATE),
    `${requestHead('GET', STATUS)}\r\n`,
  );
  expect(responses.map(({ status }) => status)).toEqual([200, 400, 404, 405, 200]);
  const ids = responses.map(({ headers }) => headers['x-request-id']);
  expect(new Set(ids).size).toBe(ids.length);
});

import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { fetchJson, startServer } from '../support/server-process.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';
import { installSdk } from './sdk.ts';

let sdk: Awaited<ReturnType<typeof installSdk>>;
beforeAll(async () => {
  sdk = await installSdk();
});
afterAll(() => sdk.remove());

/** Logs when Node loads the tracing code. */
const LOG_TRACING = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    if (/opentelemetry|tracing[.]ts/.test(url)) console.error('it is loaded: ' + url);
    return next(url, context);
  } });`)}`;

const SERVER = 2;
const ERROR = 2;

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number; message?: string };
  attributes: { key: string; value: Record<string, unknown> }[];
  events?: unknown[];
}

/** An OpenTelemetry collector that accepts JSON. */
async function startCollector() {
  const received: string[] = [];
  const server = createServer((asked, response) => {
    void text(asked).then((body) => {
      received.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Starts a traced server on a database with one account. */
async function startTraced(settings: Record<string, string> = {}) {
  const collector = await startCollector();
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const database = connectPostgresDatabase(DATABASE_URL);
  onTestFinished(() => database.close());
  const { key } = await insertTestAccount(database.db);
  const server = await startServer({
    DATABASE_URL,
    NODE_OPTIONS: `--import=${sdk.url}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    // Spans are sent only on exit.
    OTEL_BSP_SCHEDULE_DELAY: '600000',
    ...settings,
  });
  return {
    server,
    key,
    db: database.db,
    /** Stops the server and returns its output and spans. */
    end: async () => {
      server.signal('SIGTERM');
      expect(await server.exit).toBe(0);
      const sent = collector.received.join('\n');
      const spans = collector.received.flatMap((body) =>
        (
          JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
        ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
      );
      return { sent, spans };
    },
  };
}

function attributesOf({ attributes }: Span): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, Object.values(value)[0]] as const),
  );
}

function findSpan(spans: Span[], name: string): Span {
  const matches = spans.filter((span) => span.name === name);
  expect(matches, spans.map((span) => span.name).join(', ')).toHaveLength(1);
  return matches[0]!;
}

it('a request has a span and spans of its statements, in the caller’s trace', async () => {
  const { server, key, end } = await startTraced();
  const traceId = 'c0ffee00c0ffee00c0ffee00c0ffee00';
  const sent = request(`${server.url}/site/update-site-configuration`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      expect: '100-continue',
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      'x-request-id': 'mine',
    },
  });
  // The body is sent after the earlier requests are answered.
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.end(JSON.stringify({ bio: 'Hello.' }));
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  expect(reply.resume().statusCode).toBe(200);
  const { spans } = await end();
  const span = findSpan(spans, 'POST /site/update-site-configuration');
  expect(span).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7', kind: SERVER });
  expect(attributesOf(span)).toEqual({
    'http.request.method': 'POST',
    'http.route': '/site/update-site-configuration',
    'http.response.status_code': expect.anything() as unknown,
    'nameplate.request_id': 'mine',
  });
  expect(Number(attributesOf(span)['http.response.status_code'])).toBe(200);
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
  const names = statements.map(({ name }) => name);
  // Queries before and after the body was read.
  expect(names).toEqual(expect.arrayContaining(['select api_keys', 'insert sites', 'commit']));
  for (const statement of statements) {
    expect(statement.traceId).toBe(traceId);
    expect(attributesOf(statement)).toEqual({
      'db.system.name': 'postgresql',
      'db.query.text': expect.any(String) as unknown,
    });
  }
});

it('a refusal is not an error; a failure is one, with the failed statement and without its message', async () => {
  const { server, key, db, end } = await startTraced();
  const change = (json: object) =>
    fetchJson(`${server.url}/site/update-site-configuration`, { key, method: 'POST', json });
  expect((await change({ bio: 1 })).status).toBe(400);
  await sql`ALTER TABLE sites ADD CHECK (bio <> 'no')`.execute(db);
  expect((await change({ bio: 'no' })).status).toBe(500);
  expect((await fetch(`${server.url}/nowhere`)).status).toBe(404);
  const { spans } = await end();
  const statusOf = (span: Span) => Number(attributesOf(span)['http.response.status_code']);
  const changes = spans.filter(({ name }) => name === 'POST /site/update-site-configuration');
  const [refused, failed] = changes.toSorted((one, other) => statusOf(one) - statusOf(other));
  expect(statusOf(refused!)).toBe(400);
  expect(refused!.status.code ?? 0).toBe(0);
  expect(attributesOf(refused!)).toMatchObject({ 'nameplate.reason': 'validationFailed' });
  expect(statusOf(failed!)).toBe(500);
  expect(failed!.status).toEqual({ code: ERROR });
  expect(attributesOf(failed!)).toMatchObject({ 'error.type': '500' });
  const broken = spans.filter((span) => attributesOf(span)['error.type'] === '23514');
  expect(broken).toHaveLength(1);
  expect(broken[0]).toMatchObject({ parentSpanId: failed!.spanId, status: { code: ERROR } });
  expect(broken[0]!.status).not.toHaveProperty('message');
  expect(broken[0]!.events ?? []).toEqual([]);
  expect(attributesOf(findSpan(spans, 'GET'))).not.toHaveProperty('http.route');
});

it('spans contain neither the caller’s data nor secret settings', async () => {
  const { server, key, db, end } = await startTraced({
    EMAIL_FORWARDING_PROVIDER: 'improvmx',
    IMPROVMX_API_KEY: 'canary-provider',
    FORWARDING_API_URL: 'http://127.0.0.1:1',
  });
  await sql`ALTER TABLE sites ADD CHECK (bio <> 'canary-refused')`.execute(db);
  const ask = (path: string, init?: Parameters<typeof fetchJson>[1]) =>
    fetchJson(`${server.url}${path}`, {
      key,
      headers: { 'idempotency-key': 'canary-idempotency', cookie: 'a=canary-cookie' },
      ...init,
    });
  const post = (path: string, json: object) => ask(path, { method: 'POST', json });
  await post('/account/update-display-name', { displayName: 'canary-name' });
  await post('/site/update-site-configuration', { bio: 'canary-bio' });
  await post('/site/update-site-configuration', { bio: 'canary-refused' });
  await post('/site/update-site-configuration', { avatar_url: 'canary-invalid' });
  await ask('/site/get-site-configuration?theme=canary-query');
  await ask('/account/get-display-name', { key: 'np_canary.canaryKey' });
  await fetch(`${server.url}/@canary-path?canary-query`);
  await fetch(`${server.url}/canary-nowhere`);
  const { sent, spans } = await end();
  expect(spans.length).toBeGreaterThan(10);
  expect(sent).not.toMatch(/canary/i);
  for (const secret of [key, ...key.split('.')]) expect(sent).not.toContain(secret);
});

it('a collector that does not respond causes no delay', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => {
    silent.close();
    silent.closeAllConnections();
  });
  const { server, key, end } = await startTraced({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
  });
  expect((await fetchJson(`${server.url}/account/get-display-name`, { key })).status).toBe(200);
  await end();
});

it('without an SDK no tracing code is loaded', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const without = await startServer({ DATABASE_URL, NODE_OPTIONS: `--import=${LOG_TRACING}` });
  expect(without.stderr()).not.toContain('it is loaded');
  const traced = await startServer({
    DATABASE_URL,
    OTEL_SDK_DISABLED: 'true',
    NODE_OPTIONS: `--import=${LOG_TRACING} --import=${sdk.url}`,
  });
  expect(traced.stderr()).toContain('it is loaded');
});

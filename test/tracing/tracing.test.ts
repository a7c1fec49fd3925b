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

/** Preload module that logs when Node loads tracing code. */
const LOG_TRACING = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    if (/opentelemetry|tracing[.]ts/.test(url)) console.error('tracing is loaded: ' + url);
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
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
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
    stop: async () => {
      server.signal('SIGTERM');
      expect(await server.exited).toBe(0);
      const sentText = collector.received.join('\n');
      const spans = collector.received.flatMap((body) =>
        (
          JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
        ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
      );
      return { sentText, spans };
    },
  };
}

function getAttributes({ attributes }: Span): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, Object.values(value)[0]] as const),
  );
}

function findSpan(spans: Span[], name: string): Span {
  const matches = spans.filter((span) => span.name === name);
  expect(matches, spans.map((span) => span.name).join(', ')).toHaveLength(1);
  return matches[0]!;
}

it('a request and its statements have spans in the caller’s trace', async () => {
  const { server, key, stop } = await startTraced();
  const traceId = 'c0ffee00c0ffee00c0ffee00c0ffee00';
  const clientRequest = request(`${server.url}/site/update-site-configuration`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      expect: '100-continue',
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      'x-request-id': 'mine',
    },
  });
  // Sends the body only after the server has responded with 100 Continue.
  clientRequest.flushHeaders();
  await once(clientRequest, 'continue');
  clientRequest.end(JSON.stringify({ bio: 'Hello.' }));
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(200);
  const { spans } = await stop();
  const span = findSpan(spans, 'POST /site/update-site-configuration');
  expect(span).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7', kind: SERVER });
  expect(getAttributes(span)).toEqual({
    'http.request.method': 'POST',
    'http.route': '/site/update-site-configuration',
    'http.response.status_code': expect.anything() as unknown,
    'nameplate.request_id': 'mine',
  });
  expect(Number(getAttributes(span)['http.response.status_code'])).toBe(200);
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
  const names = statements.map(({ name }) => name);
  // Includes statements from before and after the server read the body.
  expect(names).toEqual(expect.arrayContaining(['select api_keys', 'insert sites', 'commit']));
  for (const statement of statements) {
    expect(statement.traceId).toBe(traceId);
    expect(getAttributes(statement)).toEqual({
      'db.system.name': 'postgresql',
      'db.query.text': expect.any(String) as unknown,
    });
  }
});

it('a refused request is not an error, but a failed one is: its span has the failed statement without its message', async () => {
  const { server, key, db, stop } = await startTraced();
  const update = (json: object) =>
    fetchJson(`${server.url}/site/update-site-configuration`, { key, method: 'POST', json });
  expect((await update({ bio: 1 })).status).toBe(400);
  await sql`ALTER TABLE sites ADD CHECK (bio <> 'no')`.execute(db);
  expect((await update({ bio: 'no' })).status).toBe(500);
  expect((await fetch(`${server.url}/nowhere`)).status).toBe(404);
  const { spans } = await stop();
  const getStatus = (span: Span) => Number(getAttributes(span)['http.response.status_code']);
  const updateSpans = spans.filter(({ name }) => name === 'POST /site/update-site-configuration');
  const [refused, failed] = updateSpans.toSorted((a, b) => getStatus(a) - getStatus(b));
  expect(getStatus(refused!)).toBe(400);
  expect(refused!.status.code ?? 0).toBe(0);
  expect(getAttributes(refused!)).toMatchObject({ 'nameplate.reason': 'validationFailed' });
  expect(getStatus(failed!)).toBe(500);
  expect(failed!.status).toEqual({ code: ERROR });
  expect(getAttributes(failed!)).toMatchObject({ 'error.type': '500' });
  const failedStatements = spans.filter((span) => getAttributes(span)['error.type'] === '23514');
  expect(failedStatements).toHaveLength(1);
  expect(failedStatements[0]).toMatchObject({
    parentSpanId: failed!.spanId,
    status: { code: ERROR },
  });
  expect(failedStatements[0]!.status).not.toHaveProperty('message');
  expect(failedStatements[0]!.events ?? []).toEqual([]);
  expect(getAttributes(findSpan(spans, 'GET'))).not.toHaveProperty('http.route');
});

it('spans contain neither the caller’s data nor secret settings', async () => {
  const { server, key, db, stop } = await startTraced({
    EMAIL_FORWARDING_PROVIDER: 'improvmx',
    IMPROVMX_API_KEY: 'canary-provider',
    FORWARDING_API_URL: 'http://127.0.0.1:1',
  });
  await sql`ALTER TABLE sites ADD CHECK (bio <> 'canary-refused')`.execute(db);
  const requestPath = (path: string, init?: Parameters<typeof fetchJson>[1]) =>
    fetchJson(`${server.url}${path}`, {
      key,
      headers: { 'idempotency-key': 'canary-idempotency', cookie: 'a=canary-cookie' },
      ...init,
    });
  const post = (path: string, json: object) => requestPath(path, { method: 'POST', json });
  await post('/account/update-display-name', { displayName: 'canary-name' });
  await post('/site/update-site-configuration', { bio: 'canary-bio' });
  await post('/site/update-site-configuration', { bio: 'canary-refused' });
  await post('/site/update-site-configuration', { avatar_url: 'canary-invalid' });
  await requestPath('/site/get-site-configuration?theme=canary-query');
  await requestPath('/account/get-display-name', { key: 'np_canary.canaryKey' });
  await fetch(`${server.url}/@canary-path?canary-query`);
  await fetch(`${server.url}/canary-nowhere`);
  const { sentText, spans } = await stop();
  expect(spans.length).toBeGreaterThan(10);
  expect(sentText).not.toMatch(/canary/i);
  for (const secret of [key, ...key.split('.')]) expect(sentText).not.toContain(secret);
});

it('a collector that does not respond causes no delay', async () => {
  const silentServer = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silentServer, 'listening');
  onTestFinished(() => {
    silentServer.close();
    silentServer.closeAllConnections();
  });
  const { server, key, stop } = await startTraced({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(silentServer.address() as AddressInfo).port}`,
  });
  expect((await fetchJson(`${server.url}/account/get-display-name`, { key })).status).toBe(200);
  await stop();
});

it('without an SDK no tracing code is loaded', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const untraced = await startServer({ DATABASE_URL, NODE_OPTIONS: `--import=${LOG_TRACING}` });
  expect(untraced.stderr()).not.toContain('tracing is loaded');
  const traced = await startServer({
    DATABASE_URL,
    OTEL_SDK_DISABLED: 'true',
    NODE_OPTIONS: `--import=${LOG_TRACING} --import=${sdk.url}`,
  });
  expect(traced.stderr()).toContain('tracing is loaded');
});

import { loadConfig } from '#server/platform/settings/config.ts';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEntryPoint } from '#server/platform/http/entry-point.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import { createServer } from '#server/platform/http/server.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import { call } from '../support/call.ts';

/** Responds with HTML, also for errors, and accepts forms. */
const pageEntryPoint = createEntryPoint(async (scope) => {
  scope.addHook('onRequest', async (_request, response) => {
    response.headers(securityHeaders({ 'style-src': "'self'" })).type('text/html; charset=utf-8');
  });
  scope.setErrorHandler((error, _request, response) => {
    const { status, headers } = error as RefusalError;
    return response
      .status(status)
      .headers(headers)
      .send(`<p>${(error as Error).message}</p>`);
  });
  scope.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
  scope.get('/@:name', (request) => `<h1>${(request.params as { name: string }).name}</h1>`);
  scope.post('/@:name', (request) => `<p>${String(request.body)}</p>`);
});

/** Responds with JSON and rejects all callers. */
const apiEntryPoint = createEntryPoint(async (scope) => {
  await scope.register(async (api) => {
    api.addHook('onRequest', () => Promise.reject(new Error('refused')));
    api.get('/data/:id', () => ({}));
  });
});

let app: FastifyInstance;
beforeAll(async () => {
  app = createServer({
    config: loadConfig({}),
    log: pino({ level: 'silent' }),
    lifecycle: { isReady: true },
    instruments: undefined,
  });
  await app.register(pageEntryPoint);
  await app.register(apiEntryPoint);
});
afterAll(() => app.close());

describe('an entry point', () => {
  it('can add its own headers', async () => {
    const { statusCode, headers, payload } = await app.inject('/@jane');
    expect([statusCode, payload]).toEqual([200, '<h1>jane</h1>']);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'self'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/./),
    });
    expect(headers).not.toHaveProperty('cache-control');
  });

  it('can parse its own body types', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/@jane',
      headers: { 'content-type': 'text/plain' },
      payload: 'hello',
    });
    expect([response.statusCode, response.payload]).toEqual([200, '<p>hello</p>']);
  });

  it.each([
    ['PUT', '/@jane'],
    ['DELETE', '/@j%61ne?x'],
    ['OPTIONS', '/@jane'],
    ['TRACE', '/@jane'],
    ['PROPFIND', '/@jane'],
  ])('formats the 405 for %s %s like its other errors', async (method, url) => {
    const { statusCode, headers, payload } = await app.inject({ method: method as 'PUT', url });
    expect([statusCode, headers.allow, payload]).toEqual([
      405,
      'GET, HEAD, POST',
      '<p>The method is not supported here; use GET, HEAD, POST.</p>',
    ]);
    expect(headers['content-security-policy']).toContain("style-src 'self'");
  });

  it('returns 405 before it authenticates the caller or reads the body', async () => {
    const request = { method: 'PATCH', path: '/data/1', payload: '{"broken' };
    expect(await call(app, request)).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
      body: { error: 'The method is not supported here; use GET, HEAD.' },
    });
    expect(await call(app, { path: '/data/1' })).toMatchObject({ status: 500 });
  });
});

describe('a path that belongs to no entry point', () => {
  it.each(['/', '/@jane/x', '/data', '/nowhere'])('returns a JSON 404: %s', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND'])
      expect(await call(app, { method, path })).toMatchObject({
        status: 404,
        body: {
          error: 'There is nothing at this path. See /docs and /openapi.json.',
        },
      });
  });
});

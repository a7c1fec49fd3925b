import { hash } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { coreEndpoints, ownerEndpoints } from '../support/endpoints.ts';
import { expectErrorBody } from '../support/response-expectations.ts';
import { postForm } from '../support/session.ts';
import { useServer } from '../support/use-server.ts';

const CANARY = 'canary7f3a';

const { server } = useServer({
  rateLimitOptions: { requestsPerMinute: 0, missingPagesPerMinute: 1 },
});

const { server: publicServer } = useServer();

/** Adds the canary to every part of a request that an error page could repeat. */
async function requestWithCanary(request: InjectOptions & { url: string }) {
  const url = `${request.url}${request.url.includes('?') ? '&' : '?'}x=${CANARY}`;
  const response = await server.app.inject({
    ...request,
    url,
    headers: {
      accept: 'text/html',
      referer: `https://${CANARY}.example/`,
      cookie: `nameplate=${CANARY}; ${CANARY}=1`,
      'user-agent': CANARY,
      'accept-language': CANARY,
      ...request.headers,
    },
  });
  const {
    'x-request-id': id,
    date: _date,
    'content-length': _length,
    ...headers
  } = response.headers;
  expect(id).not.toContain(CANARY);
  return { status: response.statusCode, headers, payload: response.payload };
}

const ERROR_PAGE_CSP =
  /^default-src 'none'; base-uri 'none'; form-action 'self'; style-src 'self' 'sha256-[\w+/=]{44}'; img-src 'self'; font-src 'self'; (?:sandbox [\w -]+; )?frame-ancestors '(?:none|self)'$/;

const withHost = (host: string) => ({ headers: { host } });
it.each<[number, InjectOptions & { url: string }]>([
  [400, { url: `/.well-known/webfinger?resource=${CANARY}` }],
  [401, { url: '/dashboard/preview', method: 'POST', payload: CANARY, headers: { cookie: '' } }],
  [403, { url: '/dashboard/preview', method: 'POST', headers: { cookie: 'nameplate=x' } }],
  [404, { url: `/@${CANARY}` }],
  [429, { url: `/@${CANARY}` }],
  [404, { url: `/confirm/${CANARY}` }],
  [404, { url: `/fonts/${CANARY}` }],
  [404, { url: `/dashboard/assets/${CANARY}` }],
  [405, { url: `/@${CANARY}`, method: 'DELETE', payload: CANARY }],
  [405, { url: `/dashboard/${CANARY}`, method: 'POST', payload: CANARY }],
  [421, { url: `/@${CANARY}`, ...withHost(`${CANARY}.example`) }],
  [421, { url: `/dashboard/${CANARY}`, ...withHost(`${CANARY}.example`) }],
])('%i has the headers of all error pages and repeats no input: %j', async (status, request) => {
  if (status === 429) await requestWithCanary({ url: '/@another' });
  const { headers, payload, ...response } = await requestWithCanary(request);
  expect(response.status).toBe(status);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'content-security-policy': expect.stringMatching(ERROR_PAGE_CSP),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  const style = /<style>([^]*?)<\/style>/.exec(payload)![1]!;
  expect(headers['content-security-policy']).toContain(hash('sha256', style, 'base64'));
  expect(headers).not.toHaveProperty('set-cookie');
  expect(JSON.stringify(headers) + payload).not.toContain(CANARY);
  expect(payload).toMatch(/<h1>(?:[^<]|<wbr \/>)+<\/h1>/);
});

it('an error page 500 has the same headers and reveals no details', async () => {
  const { schema } = server.db;
  await schema.alterTable('sites').renameTo('elsewhere').execute();
  onTestFinished(() => schema.alterTable('elsewhere').renameTo('sites').execute());
  const { status, headers, payload } = await requestWithCanary({ url: `/@${CANARY}` });
  expect(status).toBe(500);
  expect(headers['content-security-policy']).toMatch(ERROR_PAGE_CSP);
  expect(payload).toContain('<h1>Something went wrong on the server.</h1>');
  expect(payload).not.toMatch(/canary|sites|relation/);
  // The browser keeps what was written, and sends it again from the page before.
  const form = await postForm(server, '/@jane-doe/message', { email: 'ann@example.com' });
  expect(form.statusCode).toBe(500);
  expect(form.payload).toContain('what you wrote is still there');
  expect(form.payload).not.toContain('Try again</a>');
});

it.each([...coreEndpoints, ...ownerEndpoints])(
  '$method $path returns JSON errors for any Accept header',
  async ({ method, path }) => {
    for (const accept of ['text/html', 'application/xhtml+xml, text/html;q=0.9', 'image/*', CANARY])
      for (const sentMethod of [method, 'DELETE'] as const) {
        const { status, headers, payload } = await requestWithCanary({
          method: sentMethod as 'GET',
          url: path,
          headers: { accept, cookie: '' },
        });
        expect(status).toBeGreaterThanOrEqual(400);
        expect(headers['content-type']).toBe('application/json; charset=utf-8');
        expectErrorBody(JSON.parse(payload));
        expect(payload).not.toContain(CANARY);
      }
  },
);

const BROWSER_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const requestUnknownPath = async (
  url: string,
  accept = BROWSER_ACCEPT,
  method: 'GET' | 'HEAD' | 'POST' = 'GET',
) => {
  const { statusCode, headers, payload } = await server.app.inject({
    method,
    url,
    headers: { accept },
  });
  expect([url, statusCode, headers['x-error-code']]).toEqual([url, 404, 'pathNotFound']);
  return { headers, payload, isPage: String(headers['content-type']).startsWith('text/html') };
};

it('an unknown path returns an HTML page with a link to the home page to browsers', async () => {
  for (const url of ['/nowhere', '/some/path?a=b', '/account', '/lena.html']) {
    const { headers, payload } = await requestUnknownPath(url);
    expect(headers['content-security-policy']).toMatch(ERROR_PAGE_CSP);
    expect(headers['cache-control']).toBe('no-store, no-transform');
    expect(payload).toContain('<h1>No page here</h1>');
    expect(payload).toContain('<a class="button" href="http://localhost/">Go to the home page</a>');
    expect(payload).toContain(
      '<a class="button" href="http://localhost/dashboard/login" referrerpolicy="same-origin">Sign in</a>',
    );
  }
  expect(await requestUnknownPath('/nowhere', BROWSER_ACCEPT, 'HEAD')).toMatchObject({
    isPage: true,
    payload: '',
  });
  const preferred = await requestUnknownPath('/nowhere', 'application/json;q=0.5, text/html');
  expect(preferred.isPage).toBe(true);
});

it('an unknown path returns a JSON error to other clients', async () => {
  for (const accept of ['*/*', '', 'application/json', 'application/json, text/html', 'image/*'])
    expectErrorBody(JSON.parse((await requestUnknownPath('/nowhere', accept)).payload));
  const posted = await requestUnknownPath('/nowhere', BROWSER_ACCEPT, 'POST');
  expectErrorBody(JSON.parse(posted.payload));
});

it.each([
  ['/@nobody-here', undefined, 'text/html'],
  ['/@nobody-here', '*/*', 'text/html'],
  ['/@nobody-here', 'text/html, application/json;q=0.9', 'text/html'],
  ['/@nobody-here', 'application/json', 'application/json'],
  ['/@nobody-here/page.json', '*/*', 'application/json'],
  ['/@nobody-here/page.json', BROWSER_ACCEPT, 'text/html'],
  ['/@nobody-here/feed.xml', '*/*', 'text/html'],
])('an unknown path of a page (%s with Accept %s) gets %s', async (url, accept, type) => {
  const { statusCode, headers } = await publicServer.app.inject({
    url,
    headers: accept === undefined ? {} : { accept },
  });
  expect([statusCode, headers['content-type']]).toEqual([404, `${type}; charset=utf-8`]);
});

it('an unknown path suggests /@name for /name if that page is visible', async () => {
  const { client } = await server.createNamedAccount('jane-doe');
  expect((await requestUnknownPath('/jane-doe')).payload).not.toContain('Did you mean');
  await client.site.toggleSiteVisibility();
  for (const url of ['/jane-doe', '/Jane-Doe/', '/jane-doe?x=1'])
    expect((await requestUnknownPath(url)).payload).toContain(
      '<a class="button primary" href="http://localhost/@jane-doe">localhost/@jane-doe</a>',
    );
  for (const url of ['/admin', '/jd', '/wp-login.php', '/jane-doe/x', '/jane%20doe', '/-jane-'])
    expect((await requestUnknownPath(url)).payload).not.toContain('Did you mean');
});

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import fc from 'fast-check';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authenticatedEndpoints,
  makeOperator,
  unauthenticatedEndpoints,
} from '../support/endpoints.ts';
import { addPicture } from '../support/pictures.ts';
import { logIn } from '../support/session.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';

const ORIGIN = 'https://names.example.org';
const DOMAIN = 'jane.example';
const BLOCK = '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20';

/** Who may call a route, and how they authenticate. */
type Who =
  /** No authentication. */
  | 'everybody'
  /** No authentication, but same-origin only. */
  | 'own pages'
  /** API key or session cookie. */
  | 'accounts'
  /** API key only. */
  | 'keys'
  /** Session cookie, same-origin only. */
  | 'own pages of accounts';

interface Route {
  method: string;
  url: string;
  who: Who;
  cache: string;
  policy: string;
  /** An example URL that exists, and its status. */
  example?: string | undefined;
  status?: number;
  /** The host, if it is not the server's own. */
  host?: string;
}

const DATA = "default-src 'none'; frame-ancestors 'none'";
const STORED = 'public, max-age=31536000, immutable';
const SENTENCE =
  "default-src 'none'; base-uri 'none'; form-action 'self'; style-src 'sha256'; font-src 'self'; frame-ancestors 'none'";
const LANDING =
  "default-src 'none'; base-uri 'none'; form-action 'self'; style-src 'sha256'; font-src 'self'; script-src 'sha256'; connect-src 'self'; img-src 'self'; frame-ancestors 'none'";
const SITE =
  "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256'; img-src 'self' https: data:; font-src 'self'; frame-ancestors 'none'";
const DASHBOARD =
  "default-src 'none'; base-uri 'none'; form-action 'self'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: https:; connect-src 'self'; frame-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors 'none'";
const REFERENCE =
  "default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'self' 'sha256' 'sha256'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";
const FRAMED =
  "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256'; img-src 'self' https: data:; font-src 'self'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'";

const open = (
  url: string,
  cache: string,
  policy: string,
  more: Pick<Route, 'example' | 'status' | 'host'> = {},
): Route => ({ method: 'GET', url, who: 'everybody', cache, policy, ...more });

/** All routes, without HEAD, which exists wherever GET does. */
const ROUTES: Route[] = [
  ...authenticatedEndpoints.map(({ method, path }) => ({
    method,
    url: path,
    who: 'accounts' as const,
    cache: 'no-store',
    policy: DATA,
  })),
  ...unauthenticatedEndpoints.map(({ method, path }) => ({
    method,
    url: path,
    who: 'own pages' as const,
    cache: 'no-store',
    policy: DATA,
  })),
  { method: 'POST', url: '/mcp', who: 'keys', cache: 'no-store', policy: DATA },
  open('/healthz', 'no-store', DATA),
  open('/readyz', 'no-store', DATA),
  open('/openapi.json', 'no-store', DATA),
  open('/owner/openapi.json', 'no-store', DATA),
  open('/docs', 'no-store', DATA, { status: 301 }),
  open('/docs/', 'no-store', REFERENCE),
  open('/docs/js/scalar.js', 'public, max-age=3600', DATA),
  open('/', 'no-store', LANDING),
  { method: 'POST', url: '/', who: 'own pages', cache: 'no-store', policy: SENTENCE },
  ...['paper', 'ember', 'daylight'].map((name) =>
    open(`/examples/${name}.webp`, 'public, max-age=86400', SENTENCE),
  ),
  open('/favicon.ico', 'public, max-age=86400', SENTENCE),
  open('/robots.txt', 'public, max-age=3600', SENTENCE),
  open('/.well-known/security.txt', 'no-store', SENTENCE),
  open('/.well-known/webfinger', 'no-cache', DATA, {
    example: '/.well-known/webfinger?resource=acct:potter-of-lisbon@names.example.org',
  }),
  open('/.well-known/nameplate/domain', 'no-store', DATA, {
    example: `/.well-known/nameplate/domain?domain=${DOMAIN}`,
  }),
  open('/@:name', 'no-cache', SITE, { example: '/@potter-of-lisbon' }),
  open('/@:name/', 'no-store', SENTENCE, { example: '/@potter-of-lisbon/', status: 308 }),
  open('/@:name/card.png', 'no-cache', DATA, { example: '/@potter-of-lisbon/card.png' }),
  open('/@:name/qr.svg', 'no-cache', DATA, { example: '/@potter-of-lisbon/qr.svg' }),
  open('/@:name/card.vcf', 'no-cache', DATA, { example: '/@potter-of-lisbon/card.vcf' }),
  open('/@:name/page.json', 'no-cache', DATA, { example: '/@potter-of-lisbon/page.json' }),
  {
    ...open('/@:name/click', 'no-store', DATA, {
      example: '/@potter-of-lisbon/click',
      status: 204,
    }),
    method: 'POST',
  },
  open('/@:name/metric/:block.svg', 'no-cache', SITE.replace(/; img-src.*; f/, '; f'), {
    example: `/@potter-of-lisbon/metric/${BLOCK}.svg`,
  }),
  open('/@:name/report', 'no-store', SENTENCE, {
    example: '/@potter-of-lisbon/report',
    status: 404,
  }),
  {
    ...open('/@:name/report', 'no-store', SENTENCE, { example: '/@potter-of-lisbon/report' }),
    method: 'POST',
    who: 'own pages',
  },
  ...['/card.png', '/qr.svg', '/card.vcf', '/page.json'].map((url) =>
    open(url, 'no-cache', DATA, { host: DOMAIN }),
  ),
  open('/report', 'no-store', SENTENCE, { host: DOMAIN, status: 303 }),
  { ...open('/click', 'no-store', DATA, { host: DOMAIN, status: 204 }), method: 'POST' },
  open('/metric/:block.svg', 'no-cache', SITE.replace(/; img-src.*; f/, '; f'), {
    example: `/metric/${BLOCK}.svg`,
    host: DOMAIN,
  }),
  open('/fonts/:file', STORED, DATA),
  open('/pictures/:picture/:size.webp', 'private, max-age=86400, immutable', DATA),
  open('/confirm/:token', 'no-store', SENTENCE, { example: '/confirm/x', status: 404 }),
  {
    ...open('/confirm/:token', 'no-store', SENTENCE, { example: '/confirm/x', status: 404 }),
    method: 'POST',
  },
  open('/dashboard', 'no-store', SENTENCE, { status: 308 }),
  open('/dashboard/*', 'no-store', DASHBOARD, { example: '/dashboard/' }),
  open('/dashboard/assets/:file', STORED, DATA),
  {
    method: 'POST',
    url: '/dashboard/preview',
    who: 'own pages of accounts',
    cache: 'no-store',
    policy: FRAMED,
  },
];

let server: TestApp;
let account: TestAccount;
let session: Record<string, string>;
const found: string[] = [];
beforeAll(async () => {
  const begun = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      const methods = [method].flat();
      // Wildcard routes that respond to other methods with 405.
      if (!methods.includes('PROPFIND'))
        for (const known of methods) if (known !== 'HEAD') found.push(`${known} ${url}`);
    });
  subscribe('fastify.initialization', begun);
  server = await startTestApp({ publicUrl: ORIGIN, abuseContact: 'abuse@example.org' });
  unsubscribe('fastify.initialization', begun);
  account = await server.createAccount();
  await makeOperator(server, account);
  const projectId = await server.createProject(account);
  await account.client.account.updateDisplayName({ display_name: 'potter-of-lisbon' });
  await account.client.site.updateSiteConfiguration({
    bio: 'Potter',
    custom_theme: { font_family: 'Inter' },
    blocks: [{ id: BLOCK, type: 'metric', project: projectId }],
  });
  await account.client.site.toggleSiteVisibility();
  const proved = { token: 'A'.repeat(22), verified_at: new Date() };
  await server.database.db
    .insertInto('domains')
    .values({ account_id: account.id, domain: DOMAIN, ...proved })
    .execute();
  session = await logIn(server, account.id);
  const page = (await server.app.inject('/@potter-of-lisbon')).payload;
  const dashboard = (await server.app.inject('/dashboard/')).payload;
  const examples: Record<string, string | undefined> = {
    '/pictures/:picture/:size.webp': new URL((await addPicture(server, account)).url).pathname,
    '/fonts/:file': /\/fonts\/[\w.-]+/.exec(page)?.[0],
    '/dashboard/assets/:file': /\/dashboard\/assets\/[\w.-]+/.exec(dashboard)?.[0],
  };
  for (const route of ROUTES) route.example ??= examples[route.url];
});
afterAll(() => server.close());

function ask({ method, url, host, example = url }: Route, request: InjectOptions = {}) {
  return server.app.inject({
    ...request,
    headers: { ...request.headers, ...(host && { host }) },
    method: method as 'GET',
    url: request.url ?? example,
  });
}

const policyOf = (headers: Record<string, unknown>) =>
  String(headers['content-security-policy']).replace(/'sha256-[^']*'/g, "'sha256'");

/** All database rows, without times of last use and page views. */
async function everything(): Promise<unknown> {
  const { db } = server.database;
  const { rows: tables } = await sql<{ name: string }>`SELECT table_name AS name
    FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      AND table_name <> 'page_visits' ORDER BY 1`.execute(db);
  const all: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await sql`SELECT count(*)::int AS count,
      md5(string_agg((to_jsonb(t) - 'last_used_at' - 'last_seen_at')::text, '' ORDER BY to_jsonb(t)::text)) AS rows
      FROM ${sql.table(name)} t`.execute(db);
    all[name] = rows[0];
  }
  return all;
}

it('the list contains every route', () => {
  expect(found.toSorted()).toEqual(ROUTES.map(({ method, url }) => `${method} ${url}`).toSorted());
});

const TITLED = ROUTES.map((route) => ({ ...route, title: `${route.method} ${route.url}` }));

function routeOf(title: string): Route {
  return ROUTES.find(({ method, url }) => `${method} ${url}` === title)!;
}

describe.each(TITLED)('$title', ({ title, ...listed }) => {
  const route = () => routeOf(title);
  const { who, method, url } = listed;
  // Only previews read this type, so nothing happens.
  const text = { 'content-type': 'text/plain' };
  const body = method === 'GET' ? {} : { payload: 'site={}' };

  it('is for ${who}, with the listed caching and security headers', async () => {
    const { cache, policy, status = 200 } = route();
    const plain = await ask(route(), { headers: text, ...body });
    const signedIn = await ask(route(), { headers: { ...session, ...text }, ...body });
    if (who === 'everybody') {
      expect([plain.statusCode, signedIn.statusCode]).toEqual([status, status]);
      const told = [signedIn.headers['set-cookie'], signedIn.headers.vary];
      expect(told.join()).not.toMatch(/cookie/i);
    } else if (who === 'keys') {
      expect([plain.statusCode, signedIn.statusCode]).toEqual([401, 401]);
    } else {
      expect(plain.statusCode).toBe(who === 'own pages' ? 403 : 401);
      expect([401, 403]).not.toContain(signedIn.statusCode);
      const foreign = { ...session, 'sec-fetch-site': 'cross-site' };
      const stranger = await ask(route(), { headers: { ...foreign, ...text }, ...body });
      if (method !== 'GET') expect(stranger.statusCode).toBe(403);
    }
    const { headers } = who === 'everybody' ? plain : signedIn;
    expect(headers['cache-control']).toBe(cache);
    expect(policyOf(headers)).toBe(policy);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('never redirects to another host', async () => {
    for (const target of ['https://evil.example', '//evil.example', '/\\evil.example'])
      for (const name of ['next', 'url', 'redirect_uri', 'return_to']) {
        const { example = url } = route();
        const address = `${example}${example.includes('?') ? '&' : '?'}${name}=${target}`;
        const { headers } = await ask(route(), {
          url: address,
          headers: { ...session, ...text },
          ...body,
        });
        expect(String(headers.location)).not.toContain('evil.example');
      }
  });
});

it('no route changes data on GET or HEAD', async () => {
  const before = await everything();
  for (const { url, example = url } of ROUTES.filter(({ method }) => method === 'GET'))
    for (const method of ['GET', 'HEAD'] as const)
      for (const headers of [{}, session, account.headers])
        await server.app.inject({
          method,
          url: example,
          headers: { ...headers, 'user-agent': 'curl/8' },
        });
  expect(await everything()).toEqual(before);
});

/** Routes that read no body, and forms. */
const FORMS = new Set(['/', '/confirm/:token', '/@:name/click', '/click', '/@:name/report']);
it('no other route reads or acts on a form body', async () => {
  const before = await everything();
  const withKey = { ...account.headers, ...session };
  for (const route of ROUTES.filter(({ method, url }) => method !== 'GET' && !FORMS.has(url)))
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      for (const headers of route.who === 'keys' ? [withKey] : [session, withKey]) {
        const { statusCode } = await ask(route, {
          headers: { ...headers, 'content-type': type },
          payload: 'site=%7B%7D&display_name=changed',
        });
        expect([route.url, statusCode]).toEqual([route.url, 415]);
      }
  expect(await everything()).toEqual(before);
});

it("no URL other than the page's own reveals that it exists", async () => {
  const lists = ROUTES.filter(({ who, url }) => who === 'everybody' && !/:|webfinger/.test(url));
  const guesses = [
    '/@',
    '/@/',
    '/%40',
    '/sitemap.xml',
    '/feed',
    '/search?q=potter',
    '/users',
    '/pages',
  ];
  expect(lists.length).toBeGreaterThan(10);
  for (const url of [...lists.map(({ example, url: path }) => example ?? path), ...guesses]) {
    const { payload } = await server.app.inject({ url });
    expect([url, /potter-of-lisbon/i.test(payload)]).toEqual([url, false]);
  }
  for (const url of guesses.slice(0, 4))
    expect([url, (await server.app.inject({ url })).statusCode]).toEqual([url, 404]);
});

it('responses that depend on the caller are not compressed, so their length reveals nothing', async () => {
  const gets = ROUTES.filter(({ method, url }) => method === 'GET' && !/export/.test(url));
  let differing = 0;
  for (const route of gets) {
    const headers = { 'accept-encoding': 'br, gzip' };
    const plain = await ask(route, { headers });
    const own = await ask(route, { headers: { ...headers, ...session } });
    if (own.statusCode !== 200 || own.payload === plain.payload) continue;
    differing += 1;
    expect([route.url, own.headers['content-encoding']]).toEqual([route.url, undefined]);
  }
  expect(differing).toBeGreaterThan(10);
});

it('every redirect stays on this host, whatever the URL contains', async () => {
  const part = fc.constantFrom(
    '/',
    '//',
    '\\',
    '@',
    '%40',
    '%2f',
    '%5c',
    'POTTER-OF-LISBON',
    'evil.example',
    '.',
    '..',
    ';',
    'https:',
    'dashboard',
    'docs',
    '%0d%0aLocation:',
    '?',
    '#',
    '%09',
  );
  const path = fc
    .tuple(
      fc.constantFrom('/@', '/@POTTER-OF-LISBON', '/dashboard', '/docs', '/', '/%40'),
      fc.array(part, { maxLength: 5 }),
    )
    .map(([start, parts]) => start + parts.join(''));
  await fc.assert(
    fc.asyncProperty(path, async (url) => {
      // Without paths that point to another host.
      fc.pre(URL.canParse(url, ORIGIN) && new URL(url, ORIGIN).origin === ORIGIN);
      const { statusCode, headers } = await server.app.inject({ url, headers: session });
      if (statusCode < 300 || statusCode >= 400) return;
      expect(new URL(String(headers.location), ORIGIN).origin).toBe(ORIGIN);
    }),
    { numRuns: 150 },
  );
});

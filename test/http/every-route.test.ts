import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import fc from 'fast-check';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LEGAL_DOCUMENTS, logoPath } from '#contract/shared/instance.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { GUIDE_FILES } from '#server/entry/api/docs/guides.ts';
import { AREA_FILES, AREA_PAGES, ERRORS_FILE } from '#server/entry/api/docs/references.ts';
import { EXAMPLE_PICTURES } from '#server/entry/pages/landing/example-phones.ts';
import {
  authenticatedEndpoints,
  makeOperator,
  unauthenticatedEndpoints,
} from '../support/endpoints.ts';
import { addPicture } from '../support/pictures.ts';
import { publishPage } from '../support/publish-page.ts';
import { logIn } from '../support/session.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';

const ORIGIN = 'https://names.example.org';
const DOMAIN = 'jane.example';
const BLOCK_ID = '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20';
const EVENT_ID = '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b21';

/** Who may call a route, and how they authenticate. */
type Access =
  /** No authentication. */
  | 'everyone'
  /** No authentication, but same-origin only. */
  | 'own pages'
  /** API key or session cookie. */
  | 'accounts'
  /** API key only. */
  | 'keys'
  /** Session cookie, same-origin only. */
  | 'logged-in users on own pages';

interface Route {
  method: string;
  url: string;
  access: Access;
  cache: string;
  csp: string;
  /** A path that matches the route and exists. */
  example?: string | undefined;
  status?: number;
  /** The Host header, if not the server's own. */
  host?: string;
}

const API_CSP = "default-src 'none'; frame-ancestors 'none'";
const IMMUTABLE = 'public, max-age=31536000, immutable';
const CARD_PAGE_CSP =
  "default-src 'none'; base-uri 'none'; form-action 'self'; style-src 'self' 'sha256'; img-src 'self'; font-src 'self'; frame-ancestors 'none'";
const LANDING_CSP =
  "default-src 'none'; base-uri 'none'; form-action 'self'; style-src 'self' 'sha256'; img-src 'self'; font-src 'self'; script-src 'sha256'; connect-src 'self'; frame-ancestors 'none'";
const SITE_CSP =
  "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256'; img-src 'self' https: data:; font-src 'self'; frame-ancestors 'none'";
const BADGE_CSP = SITE_CSP.replace(/; img-src.*; f/, '; f');
const DASHBOARD_CSP =
  "default-src 'none'; base-uri 'none'; form-action 'self'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: https:; connect-src 'self'; frame-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors 'none'";
const DOCS_CSP = LANDING_CSP.replace("form-action 'self'", "form-action 'none'");
const PREVIEW_CSP =
  "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256'; img-src 'self' https: data:; font-src 'self'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'";
const FRAMED_CSP = `${CARD_PAGE_CSP.replace(" frame-ancestors 'none'", '')} sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'`;

const routeOf = (
  url: string,
  cache: string,
  csp: string,
  overrides: Partial<Route> = {},
): Route => ({ method: 'GET', url, access: 'everyone', cache, csp, ...overrides });

const FORM = { method: 'POST', access: 'own pages' } as const;

const pageRoute = (path: string, cache: string, csp: string, overrides: Partial<Route> = {}) =>
  routeOf(`/@:name${path}`, cache, csp, {
    example: `/@potter-of-lisbon${path.replace(':block', BLOCK_ID)}`,
    ...overrides,
  });

const SHARE_CSP = SITE_CSP.replace(
  "form-action 'none'; style-src 'sha256';",
  "form-action 'self' https:; style-src 'sha256'; script-src 'sha256';",
);
const PAGE_FILES = [
  'card.png',
  'qr.svg',
  'qr.png',
  'card.vcf',
  'page.json',
  'events.ics',
  'feed.xml',
];

/** All routes except HEAD, which Fastify adds to each GET. */
const ROUTES: Route[] = [
  ...authenticatedEndpoints.map(({ method, path }) =>
    routeOf(path, 'no-store', API_CSP, { method, access: 'accounts' }),
  ),
  ...unauthenticatedEndpoints.map(({ method, path }) =>
    routeOf(path, 'no-store', API_CSP, { method, access: 'own pages' }),
  ),
  routeOf('/mcp', 'no-store', API_CSP, { method: 'POST', access: 'keys' }),
  ...['openid-configuration', 'oauth-authorization-server', 'oauth-protected-resource'].flatMap(
    (name) =>
      ['', '/mcp'].map((path) =>
        routeOf(`/.well-known/${name}${path}`, 'public, max-age=300', API_CSP),
      ),
  ),
  routeOf('/oauth/jwks', 'public, max-age=300', API_CSP),
  routeOf('/oauth/userinfo', 'no-store', API_CSP, { status: 401 }),
  ...['/oauth/authorize', '/oauth/logout'].map((url) => routeOf(url, 'no-store', CARD_PAGE_CSP)),
  ...['/oauth/flow', '/oauth/flow/:uid/consent'].map((url) =>
    routeOf(url, 'no-store', CARD_PAGE_CSP, { status: 400 }),
  ),
  routeOf('/healthz', 'no-store', API_CSP),
  routeOf('/readyz', 'no-store', API_CSP),
  routeOf('/openapi.json', 'no-store', API_CSP),
  routeOf('/owner/openapi.json', 'no-store', API_CSP),
  ...['/docs', '/docs/owner', '/docs/errors/', '/docs/reference/', '/docs/reference/owner/'].map(
    (url) => routeOf(url, 'no-store', API_CSP, { status: 301 }),
  ),
  ...['/docs/', '/docs/owner/', '/docs/errors', ...AREA_PAGES.map(({ path }) => path)].map((url) =>
    routeOf(url, 'no-cache', DOCS_CSP),
  ),
  ...[
    ...['/llms.txt', ERRORS_FILE, ...GUIDE_FILES.map((file) => `/docs/${file}`)],
    ...AREA_FILES.map(({ path }) => path),
  ].map((url) => routeOf(url, 'no-cache', API_CSP)),
  routeOf('/', 'private, no-cache', LANDING_CSP),
  routeOf('/', 'no-store', CARD_PAGE_CSP, FORM),
  ...EXAMPLE_PICTURES.map((url) => routeOf(url, 'public, max-age=86400', CARD_PAGE_CSP)),
  ...LEGAL_DOCUMENTS.map((name) => routeOf(`/${name}`, 'no-store', CARD_PAGE_CSP)),
  routeOf('/favicon.ico', 'public, max-age=86400', CARD_PAGE_CSP),
  routeOf('/robots.txt', 'public, max-age=3600', CARD_PAGE_CSP),
  routeOf('/members', 'no-store', CARD_PAGE_CSP, { status: 404 }),
  routeOf('/sitemap.xml', 'public, max-age=3600', CARD_PAGE_CSP),
  routeOf('/.well-known/security.txt', 'no-store', CARD_PAGE_CSP),
  routeOf('/.well-known/webfinger', 'no-cache', API_CSP, {
    example: '/.well-known/webfinger?resource=acct:potter-of-lisbon@names.example.org',
  }),
  routeOf('/.well-known/nameplate/domain', 'no-store', API_CSP, {
    example: `/.well-known/nameplate/domain?domain=${DOMAIN}`,
  }),
  pageRoute('', 'no-cache', SITE_CSP),
  pageRoute('/', 'no-store', CARD_PAGE_CSP, { status: 308 }),
  ...PAGE_FILES.flatMap((file) => [
    pageRoute(`/${file}`, 'no-cache', API_CSP),
    routeOf(`/${file}`, 'no-cache', API_CSP, { host: DOMAIN }),
  ]),
  routeOf('/.well-known/atproto-did', 'no-cache', API_CSP, { host: DOMAIN }),
  pageRoute('/click', 'no-store', API_CSP, { status: 204, method: 'POST' }),
  pageRoute('/metric/:block.svg', 'no-cache', BADGE_CSP),
  pageRoute('/event/:block.ics', 'no-cache', API_CSP, {
    example: `/@potter-of-lisbon/event/${EVENT_ID}.ics`,
  }),
  pageRoute('/share', 'no-cache', SHARE_CSP),
  pageRoute('/share', 'no-store', CARD_PAGE_CSP, FORM),
  routeOf('/share', 'no-cache', SHARE_CSP, { host: DOMAIN }),
  routeOf('/share', 'no-store', CARD_PAGE_CSP, { ...FORM, host: DOMAIN }),
  pageRoute('/report', 'no-store', CARD_PAGE_CSP, { status: 404 }),
  pageRoute('/report', 'no-store', CARD_PAGE_CSP, FORM),
  pageRoute('/message', 'no-store', CARD_PAGE_CSP, { status: 303 }),
  pageRoute('/message', 'no-store', CARD_PAGE_CSP, FORM),
  routeOf('/message', 'no-store', CARD_PAGE_CSP, { host: DOMAIN, status: 303 }),
  routeOf('/message', 'no-store', CARD_PAGE_CSP, { host: DOMAIN, ...FORM }),
  routeOf('/report', 'no-store', CARD_PAGE_CSP, { host: DOMAIN, status: 303 }),
  routeOf('/click', 'no-store', API_CSP, { host: DOMAIN, status: 204, method: 'POST' }),
  routeOf('/metric/:block.svg', 'no-cache', BADGE_CSP, {
    example: `/metric/${BLOCK_ID}.svg`,
    host: DOMAIN,
  }),
  routeOf('/event/:block.ics', 'no-cache', API_CSP, {
    example: `/event/${EVENT_ID}.ics`,
    host: DOMAIN,
  }),
  routeOf('/fonts/:file', IMMUTABLE, API_CSP),
  routeOf('/pictures/:picture/:size.webp', 'private, max-age=86400, immutable', API_CSP),
  routeOf('/instance/:logo.webp', IMMUTABLE, API_CSP),
  routeOf('/instance/:top([0-9a-f]{6})-:bottom([0-9a-f]{6}).css', IMMUTABLE, API_CSP, {
    example: '/instance/1f5b96-133a60.css',
  }),
  ...[
    ['GET', '/confirm/:token'],
    ['POST', '/confirm/:token'],
    ['POST', '/confirm/:token/end'],
    ['GET', '/unsubscribe/:token'],
    ['POST', '/unsubscribe/:token'],
    ['POST', '/unsubscribe/:token/undo'],
  ].map(([method = '', path = '']) =>
    routeOf(path, 'no-store', CARD_PAGE_CSP, {
      example: path.replace(':token', 'x'),
      status: 404,
      method,
    }),
  ),
  routeOf('/dashboard', 'no-store', CARD_PAGE_CSP, { status: 308 }),
  // Without single sign-on.
  routeOf('/dashboard/sign-on/logout', 'no-store', CARD_PAGE_CSP, { method: 'POST', status: 404 }),
  routeOf('/dashboard/*', 'no-store', DASHBOARD_CSP, { example: '/dashboard/' }),
  routeOf('/dashboard/assets/*', IMMUTABLE, API_CSP),
  routeOf('/dashboard/icons/:file', 'public, max-age=86400', API_CSP, {
    example: '/dashboard/icons/github.svg',
  }),
  routeOf('/dashboard/preview', 'no-store', PREVIEW_CSP, {
    method: 'POST',
    access: 'logged-in users on own pages',
  }),
  ...['/dashboard/message', '/dashboard/front-page'].map((url) =>
    routeOf(url, 'no-store', FRAMED_CSP, { method: 'POST', access: 'accounts' }),
  ),
  routeOf('/dashboard/hidden-page', 'no-store', FRAMED_CSP, { access: 'accounts' }),
];

let server: TestApp;
let account: TestAccount;
let sessionHeaders: Record<string, string>;
const registeredRoutes: string[] = [];
beforeAll(async () => {
  const recordRoutes = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      const methods = [method].flat();
      // Routes whose methods include TRACE exist only to respond with 405.
      if (!methods.includes('TRACE'))
        for (const name of methods) if (name !== 'HEAD') registeredRoutes.push(`${name} ${url}`);
    });
  subscribe('fastify.initialization', recordRoutes);
  server = await startTestApp({ PUBLIC_URL: ORIGIN, ABUSE_CONTACT: 'abuse@example.org' });
  unsubscribe('fastify.initialization', recordRoutes);
  account = await server.createAccount();
  await makeOperator(server, account);
  const projectId = await server.createProject(account);
  await publishPage(account, 'potter-of-lisbon', {
    bio: 'Potter',
    custom_theme: { font_family: 'Inter' },
    blocks: [
      { id: BLOCK_ID, type: 'metric', project: projectId },
      { id: EVENT_ID, type: 'event', title: 'Open studio', starts_at: '2026-12-05' },
      { type: 'page', bluesky: 'did:web:jane.example' },
    ],
  });
  const verification = { token: 'A'.repeat(22), verified_at: new Date() };
  await server.db
    .insertInto('domains')
    .values({ account_id: account.id, domain: DOMAIN, ...verification })
    .execute();
  sessionHeaders = await logIn(server, account.id);
  const page = (await server.app.inject('/@potter-of-lisbon')).payload;
  const dashboard = (await server.app.inject('/dashboard/')).payload;
  const examples: Record<string, string | undefined> = {
    '/pictures/:picture/:size.webp': new URL((await addPicture(server, account)).url).pathname,
    '/instance/:logo.webp': await addLogo(),
    '/fonts/:file': /\/fonts\/[\w.-]+/.exec(page)?.[0],
    '/dashboard/assets/*': /\/dashboard\/assets\/en\/[\w.-]+/.exec(dashboard)?.[0],
  };
  for (const route of ROUTES) route.example ??= examples[route.url];
  // The first sign-in at a website creates the signing key.
  await server.nameplate.oauth!.loadProvider();
});
afterAll(() => server.close());

async function addLogo(): Promise<string> {
  const logo_id = `${'a'.repeat(22)}-2x1`;
  const texts = { imprint: 'A', privacy: 'B', terms: 'C' };
  await inTransaction(server.db, (trx) =>
    saveInstance(trx, { logo_id, logo: Buffer.from('logo'), ...texts }),
  );
  // The server reads changes of others only after some seconds.
  const { instanceStore } = server.nameplate;
  await instanceStore.set({ ...instanceStore.current, logo_id, ...texts });
  return logoPath(logo_id);
}

function sendRequest({ method, url, host, example = url }: Route, request: InjectOptions = {}) {
  return server.app.inject({
    ...request,
    headers: { ...request.headers, ...(host && { host }) },
    method: method as 'GET',
    url: request.url ?? example,
  });
}

/** A checksum of every table, without page views, requests with a key and times of last use. */
async function readDatabaseChecksums(): Promise<unknown> {
  const tables = await server.sql<{ name: string }>`SELECT table_name AS name
    FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      AND table_name NOT IN ('key_requests', 'page_visits') ORDER BY 1`;
  const selectChecksum = (table: string) => sql`
    SELECT ${table} AS name, count(*)::int AS count,
      md5(string_agg((to_jsonb(t) - 'last_used_at' - 'last_seen_at')::text, '' ORDER BY to_jsonb(t)::text)) AS rows
    FROM ${sql.table(table)} t`;
  const selects = tables.map(({ name }) => selectChecksum(name));
  return server.sql`${sql.join(selects, sql` UNION ALL `)} ORDER BY 1`;
}

it('ROUTES lists every route', () => {
  // `test/oauth` tests what programs of others post, and the forms after it.
  const isOAuthWrite = (route: string) =>
    /^(?:POST|OPTIONS) \/(?:oauth\/|\.well-known\/o)/.test(route);
  expect(registeredRoutes.filter((route) => !isOAuthWrite(route)).toSorted()).toEqual(
    ROUTES.map(({ method, url }) => `${method} ${url}`).toSorted(),
  );
});

it.each(ROUTES)(
  '$method $url is for $access, and has the listed caching and security headers',
  async (route) => {
    const { access, method, cache, csp, status = 200 } = route;
    const body = method === 'GET' ? {} : { payload: 'site={}' };
    // Only the preview accepts text/plain, so no other route changes anything.
    const request = (headers: Record<string, string>) =>
      sendRequest(route, { headers: { ...headers, 'content-type': 'text/plain' }, ...body });
    const anonymousResponse = await request({});
    const signedInResponse = await request(sessionHeaders);
    if (access === 'everyone') {
      expect([anonymousResponse.statusCode, signedInResponse.statusCode]).toEqual([status, status]);
      const cookieHeaders = [signedInResponse.headers['set-cookie'], signedInResponse.headers.vary];
      expect(cookieHeaders.join()).not.toMatch(/cookie/i);
    } else if (access === 'keys') {
      expect([anonymousResponse.statusCode, signedInResponse.statusCode]).toEqual([401, 401]);
    } else {
      expect(anonymousResponse.statusCode).toBe(access === 'own pages' ? 403 : 401);
      expect([401, 403]).not.toContain(signedInResponse.statusCode);
      const crossSite = await request({ ...sessionHeaders, 'sec-fetch-site': 'cross-site' });
      if (method !== 'GET') expect(crossSite.statusCode).toBe(403);
    }
    const { headers } = access === 'everyone' ? anonymousResponse : signedInResponse;
    // Cloudflare rewrites no HTML that has `no-transform`.
    const isHtml = String(headers['content-type']).startsWith('text/html');
    expect(headers['cache-control']).toBe(isHtml ? `${cache}, no-transform` : cache);
    const policy = String(headers['content-security-policy']);
    expect(policy.replace(/'sha256-[^']*'/g, "'sha256'")).toBe(csp);
    expect(headers['x-content-type-options']).toBe('nosniff');
  },
);

it('no route changes data on GET or HEAD', async () => {
  const before = await readDatabaseChecksums();
  // The audit trail records exports of members.
  const routes = ROUTES.filter(
    ({ method, url }) => method === 'GET' && url !== '/owner/members/export-members',
  );
  for (const { url, example = url } of routes)
    for (const method of ['GET', 'HEAD'] as const)
      for (const headers of [{}, sessionHeaders, account.headers])
        await server.app.inject({
          method,
          url: example,
          headers: { ...headers, 'user-agent': 'curl/8' },
        });
  expect(await readDatabaseChecksums()).toEqual(before);
});

/** Routes that accept a form, or ignore the body. */
const FORM_OR_NO_BODY = new Set([
  '/',
  '/confirm/:token',
  '/confirm/:token/end',
  '/unsubscribe/:token',
  '/unsubscribe/:token/undo',
  '/@:name/click',
  '/click',
  '/@:name/report',
  '/@:name/message',
  '/message',
  '/@:name/share',
  '/share',
]);
it('no other route reads or acts on a form body', async () => {
  const before = await readDatabaseChecksums();
  const keyHeaders = { ...account.headers, ...sessionHeaders };
  for (const route of ROUTES.filter(
    ({ method, url }) => method !== 'GET' && !FORM_OR_NO_BODY.has(url),
  ))
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      for (const headers of route.access === 'keys' ? [keyHeaders] : [sessionHeaders, keyHeaders]) {
        const { statusCode } = await sendRequest(route, {
          headers: { ...headers, 'content-type': type },
          payload: 'site=%7B%7D&display_name=changed',
        });
        expect([route.url, statusCode]).toEqual([route.url, 415]);
      }
  expect(await readDatabaseChecksums()).toEqual(before);
});

it("only a page's own URLs reveal that the page exists", async () => {
  const publicRoutes = ROUTES.filter(
    ({ access, url }) => access === 'everyone' && !/:|webfinger/.test(url),
  );
  const guesses = ['/@', '/@/', '/%40', '/feed', '/search?q=potter', '/users'];
  expect(publicRoutes.length).toBeGreaterThan(10);
  for (const url of [
    ...publicRoutes.map(({ example, url: path }) => example ?? path),
    ...guesses,
  ]) {
    const { payload } = await server.app.inject({ url });
    expect([url, /potter-of-lisbon/i.test(payload)]).toEqual([url, false]);
  }
  for (const url of guesses.slice(0, 4))
    expect([url, (await server.app.inject({ url })).statusCode]).toEqual([url, 404]);
});

it('responses that depend on the caller are not compressed, so their length reveals nothing', async () => {
  const getRoutes = ROUTES.filter(({ method, url }) => method === 'GET' && !/export/.test(url));
  let comparedRoutes = 0;
  for (const route of getRoutes) {
    const headers = { 'accept-encoding': 'br, gzip' };
    const anonymousResponse = await sendRequest(route, { headers });
    const signedInResponse = await sendRequest(route, {
      headers: { ...headers, ...sessionHeaders },
    });
    if (
      signedInResponse.statusCode !== 200 ||
      signedInResponse.payload === anonymousResponse.payload
    )
      continue;
    comparedRoutes += 1;
    expect([route.url, signedInResponse.headers['content-encoding']]).toEqual([
      route.url,
      undefined,
    ]);
  }
  expect(comparedRoutes).toBeGreaterThan(10);
});

it('every redirect stays on this host, whatever the URL contains', async () => {
  const segment = fc.constantFrom(
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
    '?next=https:',
    '?to=',
    '?',
    '#',
    '%09',
  );
  const path = fc
    .tuple(
      fc.constantFrom('/@', '/@POTTER-OF-LISBON', '/dashboard', '/docs', '/', '/%40'),
      fc.array(segment, { maxLength: 5 }),
    )
    .map(([start, segments]) => start + segments.join(''));
  await fc.assert(
    fc.asyncProperty(path, async (url) => {
      // Skip paths that resolve to another host, such as //evil.example.
      fc.pre(URL.canParse(url, ORIGIN) && new URL(url, ORIGIN).origin === ORIGIN);
      const { statusCode, headers } = await server.app.inject({ url, headers: sessionHeaders });
      if (statusCode < 300 || statusCode >= 400) return;
      expect(new URL(String(headers.location), ORIGIN).origin).toBe(ORIGIN);
    }),
    { numRuns: 150 },
  );
});

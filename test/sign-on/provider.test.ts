import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { IdentityProvider } from '#server/features/sign-on/identity-provider.ts';
import { call } from '../support/call.ts';
import { errorCode } from '../support/expected-responses.ts';
import { type TestApp, openTestApp, startTestApp } from '../support/test-app.ts';
import { type ForgingProvider, startForgingProvider } from './support/forging-provider.ts';
import { SignOnBrowser } from './support/sign-on-browser.ts';

const DISCOVERY = '/.well-known/openid-configuration';

let provider: ForgingProvider;
let server: TestApp;
let signOn: NonNullable<ReturnType<typeof createSignOn>>;
const settings = () => ({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: 'nameplate',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_ALLOWED_GROUPS: [],
  OIDC_ALLOWED_DOMAINS: [],
  REGISTRATION: 'open' as const,
});
beforeAll(async () => {
  provider = await startForgingProvider();
  signOn = createSignOn(settings())!;
  server = await startTestApp({ signOn });
});
afterAll(async () => {
  await server.close();
  await signOn.close();
  await provider.close();
});

/** Signs on with a forged ID token, and returns the response of the callback. */
async function signOnWithForgery(
  forgery: (nonce: string) => ForgingProvider['forgery'],
  query = '',
) {
  const browser = new SignOnBrowser(server.app);
  const { searchParams } = new URL(await browser.startSignOn(query));
  provider.forgery = forgery(searchParams.get('nonce')!);
  const response = new URLSearchParams({ code: 'c', state: searchParams.get('state')! });
  return browser.open(`/dashboard/sign-on/callback?${response.toString()}`);
}

describe('an ID token', () => {
  it('logs its user in', async () => {
    const claims = { auth_time: Math.floor(Date.now() / 1_000) };
    for (const query of ['', '?for=again'])
      expect(
        await signOnWithForgery((nonce) => ({ claims: { nonce, ...claims } }), query),
      ).toMatchObject({ status: 200 });
  });

  it.each([
    ['without auth_time', undefined],
    ['with an auth_time in the future', Math.floor(Date.now() / 1_000) + 3_600],
  ])('%s starts a session that is not a recent login', async (_title, auth_time) => {
    const { headers } = await signOnWithForgery((nonce) => ({ claims: { nonce, auth_time } }));
    const cookies = [headers['set-cookie']].flat().map(String);
    const cookie = cookies.find((line) => !/=;/.test(line))?.split(';')[0];
    const request = { path: '/owner/session/get-session', headers: { cookie: cookie! } };
    expect(await call(server.app, request)).toMatchObject({ body: { login_age: 'stale' } });
  });

  const now = Math.floor(Date.now() / 1_000);
  it.each<[string, ForgingProvider['forgery']]>([
    ['for another flow', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['from another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for another client', { claims: { aud: 'other' } }],
    ['requested by another client', { claims: { aud: ['nameplate', 'x'], azp: 'x' } }],
    ['requested by another client for this one', { claims: { azp: 'x' } }],
    ['that has expired', { claims: { exp: now - 60 } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with an empty subject', { claims: { sub: '' } }],
    ['with a subject that is too long', { claims: { sub: 'x'.repeat(256) } }],
    ['with a line break in the subject', { claims: { sub: 'jane\n' } }],
    ['without a signature', { algorithm: 'none' }],
    ['signed with the client secret (HS256)', { algorithm: 'HS256' }],
    ['signed with another key', { hasWrongKey: true }],
  ])('%s is refused', async (_title, forgery) => {
    const forge = (nonce: string) => ({ ...forgery, claims: { nonce, ...forgery.claims } });
    const page = await signOnWithForgery(forge);
    expect(page).toMatchObject(errorCode(403, 'signOnRefused'));
  });

  it.each([
    ['too long ago', now - 400],
    ['at an unknown time', undefined],
  ])('with a login %s cannot confirm a recent login', async (_title, auth_time) => {
    const forge = (nonce: string) => ({ claims: { nonce, auth_time } });
    const page = await signOnWithForgery(forge, '?for=again');
    expect(page).toMatchObject(errorCode(403, 'signOnRefused'));
  });
});

it('a provider that is unreachable does not prevent the start of the server, and the next visitor retries', async () => {
  const stopped = await startForgingProvider();
  await stopped.close();
  const lateSignOn = createSignOn({ ...settings(), OIDC_ISSUER: stopped.issuer })!;
  const app = await openTestApp({ signOn: lateSignOn });
  const page = await new SignOnBrowser(app.app).open('/dashboard/sign-on');
  expect(page).toMatchObject(errorCode(503, 'signOnUnavailable'));
  expect(page.text).toContain(`${new URL(stopped.issuer).host} cannot be reached.`);
  const restarted = await startForgingProvider(Number(new URL(stopped.issuer).port));
  const browser = new SignOnBrowser(app.app);
  expect(await browser.startSignOn()).toContain(`${restarted.issuer}/authorize?`);
  await browser.startSignOn();
  // The second flow uses the cached metadata.
  expect(restarted.requests).toEqual([DISCOVERY]);
  await lateSignOn.close();
  await restarted.close();
});

it.each<[title: string, status: number, body: string | object, headers?: Record<string, string>]>([
  ['larger than 256 KiB', 200, { authorization_endpoint: `https://id/${'x'.repeat(262_144)}` }],
  ['that is a server error', 502, ''],
  ['in HTML', 200, '<h1>Hello</h1>', { 'content-type': 'text/html' }],
  ['of another issuer', 200, { issuer: 'https://evil.example' }],
  ['that is a redirect', 302, '', { location: 'http://localhost:1/evil' }],
  ['that is cut off', 200, '{"issuer":', { 'content-length': '100' }],
])(
  'a provider with metadata %s is treated as unreachable',
  async (_title, status, body, headers) => {
    const newSignOn = createSignOn(settings())!;
    const app = await openTestApp({ signOn: newSignOn });
    provider.handlers.set(DISCOVERY, (_request, response) => {
      const { issuer } = provider;
      const text = typeof body === 'string' ? body : JSON.stringify({ issuer, ...body });
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      if (headers && 'content-length' in headers) response.write(text, () => response.destroy());
      else response.end(text);
    });
    expect(await new SignOnBrowser(app.app).open('/dashboard/sign-on')).toMatchObject(
      errorCode(503, 'signOnUnavailable'),
    );
    provider.handlers.clear();
    await newSignOn.close();
  },
);

const createSlowProvider = () =>
  new IdentityProvider({
    issuer: provider.issuer,
    clientId: 'nameplate',
    clientSecret: 'secret',
    needsGroups: false,
    timeoutSeconds: 1,
  });

it('a provider that does not respond fails all waiting flows after one request', async () => {
  provider.handlers.set(DISCOVERY, () => {});
  const slowProvider = createSlowProvider();
  const secrets = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
  const attempts = [1, 2].map(() =>
    slowProvider.begin(secrets, { redirectUri: 'https://names.example.org', forceLogin: false }),
  );
  const before = provider.requests.length;
  for (const result of await Promise.allSettled(attempts))
    expect(result).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable' } });
  // Both flows wait for the same request.
  expect(provider.requests.length - before).toBeLessThanOrEqual(1);
  provider.handlers.clear();
  await slowProvider.close();
});

it('a provider that does not respond during the code exchange is unavailable', async () => {
  const slowProvider = createSlowProvider();
  provider.handlers.set('/token', () => {});
  const secrets = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
  const callback = new URL('https://names.example.org/dashboard/sign-on/callback?code=c&state=s');
  await expect(slowProvider.finish(callback, secrets, { forceLogin: false })).rejects.toMatchObject(
    { kind: 'unavailable' },
  );
  provider.handlers.clear();
  await slowProvider.close();
});

it('a provider that fails during the code exchange is reported as unreachable', async () => {
  provider.handlers.set('/token', (_request, response) => void response.writeHead(500).end('code'));
  const page = await signOnWithForgery((nonce) => ({ claims: { nonce } }));
  expect(page).toMatchObject(errorCode(503, 'signOnUnavailable'));
  provider.handlers.clear();
});

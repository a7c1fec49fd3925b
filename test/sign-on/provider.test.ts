import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { IdentityProvider } from '#server/features/sign-on/identity-provider.ts';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { errorCode } from '../support/expected-responses.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { type TestApp, openTestApp, startTestApp } from '../support/test-app.ts';
import {
  type Forgery,
  type ForgingProvider,
  startForgingProvider,
} from './support/forging-provider.ts';
import { SignOnBrowser } from './support/sign-on-browser.ts';

const DISCOVERY = '/.well-known/openid-configuration';

let provider: ForgingProvider;
let server: TestApp;
let signOn: NonNullable<ReturnType<typeof createSignOn>>;
beforeAll(async () => {
  provider = await startForgingProvider();
  signOn = createSignOn(provider.settings)!;
  server = await startTestApp({ signOn });
});
afterAll(async () => {
  await server.close();
  await signOn.close();
  await provider.close();
});

/** Signs on with a forged ID token, and returns the response of the callback. */
function signOnWithForgery(forgery: Forgery) {
  provider.forgery = forgery;
  return new SignOnBrowser(server.app).signOn('jane');
}

const now = Math.floor(Date.now() / 1_000);
const bothAlgorithms = { id_token_signing_alg_values_supported: ['HS256', 'RS256'] };
it.each<[string, Forgery, reason: string]>([
  ['for another flow', { claims: { nonce: 'another' } }, 'nonce_invalid'],
  ['without a nonce', { claims: { nonce: undefined } }, 'nonce_missing'],
  ['from another issuer', { claims: { iss: 'https://evil.example' } }, 'iss_invalid'],
  ['without an issuer', { claims: { iss: undefined } }, 'iss_missing'],
  ['for another client', { claims: { aud: 'other' } }, 'aud_invalid'],
  ['without an audience', { claims: { aud: undefined } }, 'aud_missing'],
  ['for several clients', { claims: { aud: ['nameplate', 'x'] } }, 'aud_invalid'],
  ['requested by another client', { claims: { aud: ['nameplate', 'x'], azp: 'x' } }, 'azp_invalid'],
  ['requested by another client for this one', { claims: { azp: 'x' } }, 'azp_invalid'],
  ['that has expired', { claims: { exp: now - 60 } }, 'exp_invalid'],
  ['without an expiry', { claims: { exp: undefined } }, 'exp_missing'],
  ['that is not valid yet', { claims: { nbf: now + 300 } }, 'nbf_invalid'],
  ['without a subject', { claims: { sub: undefined } }, 'sub_missing'],
  ['with a number as subject', { claims: { sub: 7 } }, 'sub_invalid'],
  ['with an empty subject', { claims: { sub: '' } }, 'sub_invalid'],
  ['with a subject that is too long', { claims: { sub: 'x'.repeat(256) } }, 'sub_invalid'],
  ['with a line break in the subject', { claims: { sub: 'jane\n' } }, 'sub_invalid'],
  ['without a signature', { algorithm: 'none' }, 'alg_none'],
  ['signed with the client secret', { algorithm: 'HS256' }, 'alg_HS256'],
  ['signed so as announced', { algorithm: 'HS256', metadata: bothAlgorithms }, 'alg_HS256'],
  ['signed with another key', { hasWrongKey: true }, 'signature_invalid'],
])('%s is refused', async (_title, forgery, reason) => {
  const page = await signOnWithForgery(forgery);
  expect(page).toMatchObject(errorCode(403, 'signOnRefused'));
  expect(page.text).toContain(`did not confirm your login (${reason}).`);
  expect(server.log).toContainEqual(expect.objectContaining({ reason }));
  server.log.length = 0;
});

const offered = ['client_secret_basic', 'client_secret_post'];
it.each<[string, Forgery, attempts: number]>([
  ['in the body if the provider offers that', { authMethod: 'client_secret_post' }, 1],
  ['by Basic if the client is registered for that', { authMethod: 'client_secret_basic' }, 2],
])('the credentials are sent %s', async (_title, forgery, attempts) => {
  const metadata = { token_endpoint_auth_methods_supported: offered };
  const newSignOn = createSignOn(provider.settings)!;
  const { app } = await openTestApp({ signOn: newSignOn });
  provider.forgery = { ...forgery, metadata };
  provider.requests.length = 0;
  expect(await new SignOnBrowser(app).signOn('jane')).toMatchObject({ status: 200 });
  expect(provider.requests.filter((path) => path === '/token')).toHaveLength(attempts);
  // The method that worked is used first from then on.
  expect(await new SignOnBrowser(app).signOn('jane')).toMatchObject({ status: 200 });
  expect(provider.requests.filter((path) => path === '/token')).toHaveLength(attempts + 1);
  provider.forgery = {};
  await newSignOn.close();
});

it('a new signing key is read at once, but at most once in ten seconds', async () => {
  const newSignOn = createSignOn(provider.settings)!;
  const { app } = await openTestApp({ signOn: newSignOn });
  const signOnWithKey = (keyId: string) => {
    provider.forgery = { keyId };
    return new SignOnBrowser(app).signOn('jane');
  };
  fakeTimers(['Date']);
  expect(await signOnWithKey('first')).toMatchObject({ status: 200 });
  vi.advanceTimersByTime(10_001);
  provider.requests.length = 0;
  expect(await signOnWithKey('second')).toMatchObject({ status: 200 });
  const page = await signOnWithKey('third');
  expect(page).toMatchObject(errorCode(403, 'signOnRefused'));
  expect(page.text).toContain('did not confirm your login (ERR_JWKS_NO_MATCHING_KEY).');
  expect(provider.requests.filter((path) => path === '/keys')).toHaveLength(1);
  provider.forgery = {};
  await newSignOn.close();
});

it('a provider that is unreachable does not prevent the start of the server, and the next visitor retries', async () => {
  const stopped = await startForgingProvider();
  await stopped.close();
  const lateSignOn = createSignOn({ ...stopped.settings })!;
  const app = await openTestApp({ signOn: lateSignOn });
  const page = await new SignOnBrowser(app.app).open('/dashboard/sign-on');
  expect(page).toMatchObject(errorCode(503, 'signOnUnavailable'));
  expect(page.text).toContain(`${new URL(stopped.issuer).host} cannot be reached (ECONNREFUSED).`);
  const restarted = await startForgingProvider(Number(new URL(stopped.issuer).port));
  const browser = new SignOnBrowser(app.app);
  expect(await browser.startSignOn()).toContain(`${restarted.issuer}/authorize?`);
  await browser.startSignOn();
  // The second flow uses the cached metadata.
  expect(restarted.requests).toEqual([DISCOVERY]);
  await lateSignOn.close();
  await restarted.close();
});

const UNAVAILABLE = 'signOnUnavailable';
const MISCONFIGURED = 'signOnMisconfigured';
type Headers = Record<string, string>;

it.each<[title: string, code: string, status: number, body: string | object, headers?: Headers]>([
  ['larger than 256 KiB', UNAVAILABLE, 200, { issuer: `https://id/${'x'.repeat(262_144)}` }],
  ['that is a server error', UNAVAILABLE, 502, ''],
  ['that is cut off', UNAVAILABLE, 200, '{"issuer":', { 'content-length': '100' }],
  ['in HTML', MISCONFIGURED, 200, '<h1>Hello</h1>', { 'content-type': 'text/html' }],
  ['of another issuer', MISCONFIGURED, 200, { issuer: 'https://evil.example' }],
  ['that is a redirect', MISCONFIGURED, 302, '', { location: 'http://localhost:1/evil' }],
  ['that is missing', MISCONFIGURED, 404, {}],
  ['without keys', MISCONFIGURED, 200, { jwks_uri: undefined }],
  ['with HS256 only', MISCONFIGURED, 200, { id_token_signing_alg_values_supported: ['HS256'] }],
])('a provider with metadata %s is %s', async (_title, code, status, body, headers) => {
  const newSignOn = createSignOn(provider.settings)!;
  const app = await openTestApp({ signOn: newSignOn });
  provider.handlers.set(DISCOVERY, (_request, response) => {
    const { issuer } = provider;
    const endpoint = `${issuer}/authorize`;
    const metadata = { issuer, authorization_endpoint: endpoint };
    const text = typeof body === 'string' ? body : JSON.stringify({ ...metadata, ...body });
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    if (headers && 'content-length' in headers) response.write(text, () => response.destroy());
    else response.end(text);
  });
  const visitor = new SignOnBrowser(app.app);
  expect(await visitor.open('/dashboard/sign-on')).toMatchObject(errorCode(503, code));
  // The next visitor notices that the provider was repaired.
  provider.handlers.clear();
  expect(await visitor.startSignOn()).toContain('/authorize?');
  await newSignOn.close();
});

it('a provider whose metadata changes is asked again after a minute', async () => {
  const newSignOn = createSignOn(provider.settings)!;
  const app = await openTestApp({ signOn: newSignOn });
  const visitor = new SignOnBrowser(app.app);
  await visitor.startSignOn();
  provider.forgery = { metadata: { authorization_endpoint: 'https://new.example/' } };
  fakeTimers(['Date'], Date.now() + 60_001);
  expect(await visitor.startSignOn()).toContain('https://new.example/?');
  provider.forgery = {};
  await newSignOn.close();
});

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
    expect(result).toMatchObject({ status: 'rejected', reason: { refusal: UNAVAILABLE } });
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
    { refusal: UNAVAILABLE },
  );
  provider.handlers.clear();
  await slowProvider.close();
});

it('a provider that fails during the code exchange is reported as unreachable', async () => {
  provider.handlers.set('/token', (_request, response) => void response.writeHead(500).end('code'));
  const page = await signOnWithForgery({});
  expect(page).toMatchObject(errorCode(503, 'signOnUnavailable'));
  provider.handlers.clear();
});

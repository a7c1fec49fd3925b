import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { IdentityProvider } from '#server/features/sign-on/identity-provider.ts';
import { call } from '../support/call.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
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

/** A visit to the provider, which sends its user back with this forgery. */
async function visit(forgery: (nonce: string) => ForgingProvider['forgery'], query = '') {
  const browser = new SignOnBrowser(server.app);
  const { searchParams } = new URL(await browser.leave(query));
  provider.forgery = forgery(searchParams.get('nonce')!);
  const answer = new URLSearchParams({ code: 'c', state: searchParams.get('state')! });
  return browser.open(`/dashboard/sign-on/callback?${answer.toString()}`);
}

describe('an ID token', () => {
  it('logs its user in', async () => {
    const claims = { auth_time: Math.floor(Date.now() / 1_000) };
    expect(await visit((nonce) => ({ claims: { nonce, ...claims } }))).toMatchObject({
      status: 200,
    });
    expect(await visit((nonce) => ({ claims: { nonce, ...claims } }), '?for=again')).toMatchObject({
      status: 200,
    });
  });

  it('without auth_time starts a session that is not a recent login', async () => {
    const { headers } = await visit((nonce) => ({ claims: { nonce } }));
    const set = [headers['set-cookie']].flat().map(String);
    const cookie = set.find((line) => !/=;/.test(line));
    const session = {
      path: '/owner/session/get-session',
      headers: { cookie: cookie!.split(';')[0]! },
    };
    expect(await call(server.app, session)).toMatchObject({ body: { proof: 'stale' } });
  });

  const now = Math.floor(Date.now() / 1_000);
  it.each<[string, ForgingProvider['forgery']]>([
    ['of another visit', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for another client', { claims: { aud: 'other' } }],
    [
      'for several clients, of which another asked',
      { claims: { aud: ['nameplate', 'x'], azp: 'x' } },
    ],
    ['that has expired', { claims: { exp: now - 60 } }],
    ['of nobody', { claims: { sub: undefined } }],
    ['of an empty user', { claims: { sub: '' } }],
    ['of a user with a name that is too long', { claims: { sub: 'x'.repeat(256) } }],
    ['of a user with a line break', { claims: { sub: 'jane\n' } }],
    ['without a signature', { algorithm: 'none' }],
    ['with a signature by its client secret', { algorithm: 'HS256' }],
    ['with the signature of somebody else', { isForeign: true }],
  ])('%s logs nobody in', async (_title, forgery) => {
    const page = await visit((nonce) => ({ ...forgery, claims: { nonce, ...forgery.claims } }));
    expect(page).toMatchObject({ status: 403, headers: { 'x-error-code': 'signOnRefused' } });
  });

  it.each([
    ['too long ago', now - 400],
    ['at a time that it does not say', undefined],
  ])('with a login %s is not a recent login', async (_title, auth_time) => {
    const page = await visit((nonce) => ({ claims: { nonce, auth_time } }), '?for=again');
    expect(page).toMatchObject({ status: 403, headers: { 'x-error-code': 'signOnRefused' } });
  });
});

describe('a provider', () => {
  it('that is unreachable is tried again by the next visitor, and the server starts without it', async () => {
    const gone = await startForgingProvider();
    await gone.close();
    const late = createSignOn({ ...settings(), OIDC_ISSUER: gone.issuer })!;
    const app = await startTestApp({ signOn: late });
    const page = await new SignOnBrowser(app.app).open('/dashboard/sign-on');
    expect(page).toMatchObject({ status: 503, headers: { 'x-error-code': 'signOnUnavailable' } });
    expect(page.text).toContain(`${new URL(gone.issuer).host} cannot be reached.`);
    const back = await startForgingProvider(Number(new URL(gone.issuer).port));
    const browser = new SignOnBrowser(app.app);
    expect(await browser.leave()).toContain(`${back.issuer}/authorize?`);
    await browser.leave();
    // Its description is known by now.
    expect(back.requests).toEqual([DISCOVERY]);
    await app.close();
    await late.close();
    await back.close();
  });

  it.each<[string, Parameters<ForgingProvider['answers']['set']>[1]]>([
    [
      'of more than 256 KiB',
      (_request, response) => {
        const { issuer } = provider;
        const description = { issuer, authorization_endpoint: `${issuer}/authorize` };
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(description) + ' '.repeat(262_144));
      },
    ],
    ['of a server error', (_request, response) => void response.writeHead(502).end()],
    [
      'in HTML',
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
    ],
    [
      'of another issuer',
      (_request, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ issuer: 'https://evil.example' })),
    ],
    [
      'elsewhere',
      (_request, response) =>
        void response.writeHead(302, { location: 'http://localhost:1/evil' }).end(),
    ],
    ['cut off', (_request, response) => void response.writeHead(200).destroy()],
  ])('with metadata %s starts no flow', async (_title, answer) => {
    const fresh = createSignOn(settings())!;
    const app = await startTestApp({ signOn: fresh });
    provider.answers.set(DISCOVERY, answer);
    expect(await new SignOnBrowser(app.app).open('/dashboard/sign-on')).toMatchObject({
      status: 503,
      headers: { 'x-error-code': 'signOnUnavailable' },
    });
    provider.answers.clear();
    await app.close();
    await fresh.close();
  });

  it('that does not respond fails only the current flow', async () => {
    provider.answers.set(DISCOVERY, () => {});
    const slow = new IdentityProvider({
      issuer: provider.issuer,
      clientId: 'nameplate',
      clientSecret: 'secret',
      needsGroups: false,
      timeoutSeconds: 1,
    });
    const secrets = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
    const asked = [1, 2].map(() =>
      slow.begin(secrets, { redirectUri: 'https://names.example.org', forceLogin: false }),
    );
    const before = provider.requests.length;
    for (const each of await Promise.allSettled(asked))
      expect(each).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable' } });
    // Both waited for one answer.
    expect(provider.requests.length - before).toBeLessThanOrEqual(1);
    provider.answers.clear();
    await slow.close();
  });

  it('that fails during the code exchange is reported as unreachable', async () => {
    provider.answers.set(
      '/token',
      (_request, response) => void response.writeHead(500).end('code'),
    );
    const page = await visit((nonce) => ({ claims: { nonce } }));
    expect(page).toMatchObject({ status: 503, headers: { 'x-error-code': 'signOnUnavailable' } });
    provider.answers.clear();
  });
});

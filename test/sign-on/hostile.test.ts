import { createHash, createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { createSecretBox } from '#server/platform/secrets/secret-box.ts';
import { errorCode } from '../support/expected-responses.ts';
import { logIn } from '../support/session.ts';
import { openTestApp } from '../support/test-app.ts';
import { SignOnBrowser } from './support/sign-on-browser.ts';
import { useSignOn } from './support/use-sign-on.ts';

const fixture = useSignOn();
const { createBrowser, createUser } = fixture;

const EXPIRED = errorCode(400, 'signOnExpired');
const FLOW_COOKIE = '__Host-nameplate-sign-on';
const SESSION_COOKIE = '__Host-nameplate';

/** Replaces a query parameter of the callback URL, or removes it. */
function withParameter(callbackUrl: string, name: string, value?: string): string {
  const url = new URL(callbackUrl, 'https://names.example.org');
  if (value === undefined) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return url.pathname + url.search;
}

/** Starts a flow in a new browser, and logs a new user in at the provider. */
async function reachCallback() {
  const browser = createBrowser();
  const callbackUrl = await browser.logInAtProvider(await browser.startSignOn(), createUser());
  return { browser, callbackUrl };
}

it("the callback works once, even if the flow's cookie is sent again", async () => {
  const visitor = createBrowser();
  const providerUrl = await visitor.startSignOn();
  const flowCookie = visitor.cookies.get(FLOW_COOKIE)!;
  const callbackUrl = await visitor.logInAtProvider(providerUrl, createUser());
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => {
      const otherBrowser = createBrowser();
      otherBrowser.cookies.set(FLOW_COOKIE, flowCookie);
      return otherBrowser.open(callbackUrl);
    }),
  );
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400]);
  visitor.cookies.delete(FLOW_COOKIE);
  expect(await visitor.open(callbackUrl)).toMatchObject(EXPIRED);
  visitor.cookies.set(FLOW_COOKIE, flowCookie);
  expect(await visitor.open(callbackUrl)).toMatchObject(EXPIRED);
  expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false);
});

it('the callback signs in only the browser that started the flow', async () => {
  const { callbackUrl } = await reachCallback();
  const victim = createBrowser();
  expect(await victim.open(callbackUrl)).toMatchObject(EXPIRED);
  // The same applies if the victim has started a flow.
  await victim.startSignOn();
  expect(await victim.open(callbackUrl)).toMatchObject(EXPIRED);
  expect(victim.cookies.has(SESSION_COOKIE)).toBe(false);
  // The victim's flow still works.
  expect(victim.cookies.has(FLOW_COOKIE)).toBe(true);
});

it('the callback refuses the code of another flow', async () => {
  const victim = await reachCallback();
  const stolenCode = /[?&]code=([^&]+)/.exec(victim.callbackUrl)![1];
  const { browser: attacker, callbackUrl } = await reachCallback();
  const stolen = withParameter(callbackUrl, 'code', stolenCode);
  expect(await attacker.open(stolen)).toMatchObject(errorCode(403, 'signOnRefused'));
  expect(attacker.cookies.size).toBe(0);
});

it.each([
  ['another state', 'state', 'A'.repeat(43)],
  ['an empty state', 'state', ''],
  ['no state', 'state', undefined],
])('the callback refuses %s without ending the flow', async (_title, name, value) => {
  const { browser: visitor, callbackUrl } = await reachCallback();
  expect(await visitor.open(withParameter(callbackUrl, name, value))).toMatchObject(EXPIRED);
  expect(await visitor.open(callbackUrl)).toMatchObject({ status: 200 });
});

it.each([
  ['another issuer', 'iss', 'https://evil.example'],
  ['a missing issuer', 'iss', undefined],
  ['an unknown code', 'code', 'made-up'],
  ['a missing code', 'code', undefined],
  ['an error response', 'error', 'access_denied'],
  ['a second code', 'twice', 'other'],
])('the callback refuses %s and ends the flow', async (_title, name, value) => {
  const { browser: visitor, callbackUrl } = await reachCallback();
  const changedUrl =
    name === 'twice' ? `${callbackUrl}&code=${value}` : withParameter(callbackUrl, name, value);
  const page = await visitor.open(changedUrl);
  expect(page).toMatchObject(errorCode(403, 'signOnRefused'));
  expect(page.text).toContain('Example ID did not confirm your login (');
  expect(visitor.cookies.size).toBe(0);
  expect(await visitor.open(callbackUrl)).toMatchObject(EXPIRED);
});

it('the callback refuses a changed or forged cookie', async () => {
  const { browser: visitor, callbackUrl } = await reachCallback();
  const flowCookie = visitor.cookies.get(FLOW_COOKIE)!;
  const [start, end] = [flowCookie.slice(0, 100), flowCookie.slice(101)];
  const changed = `${start}${flowCookie[100] === 'x' ? 'y' : 'x'}${end}`;
  for (const cookie of [changed, start, `${flowCookie}x`, '.', 'x'.repeat(5_000)]) {
    visitor.cookies.set(FLOW_COOKIE, cookie);
    expect(await visitor.open(callbackUrl)).toMatchObject(EXPIRED);
  }
  visitor.cookies.set(FLOW_COOKIE, flowCookie);
  expect(await visitor.open(callbackUrl)).toMatchObject({ status: 200 });
});

it('the callback accepts only GET', async () => {
  const { browser: visitor, callbackUrl } = await reachCallback();
  for (const method of ['HEAD', 'POST'] as const)
    expect((await fixture.server.app.inject({ method, url: callbackUrl })).statusCode).toBe(405);
  expect(await visitor.open(callbackUrl)).toMatchObject({ status: 200 });
});

it('an attacker with a copy of the database cannot link an identity to an account with an active session', async () => {
  const { server } = fixture;
  const { id: accountId } = await server.createAccount();
  await logIn(server, accountId);
  const attacker = createBrowser();
  const providerUrl = new URL(await attacker.startSignOn());
  const [{ secret } = { secret: '' }] = await server.sql<{ secret: Buffer | string }>`
    SELECT secret FROM challenge_secret`;
  const [session] = await server.sql<{ id: string; token_hash: Buffer }>`
    SELECT id, token_hash FROM sessions WHERE account_id = ${accountId}`;
  const tokenHash = session!.token_hash;
  const texts = [tokenHash.toString('hex'), tokenHash.toString('base64url')];
  for (const sessionToken of [undefined, ...texts]) {
    const flow = {
      ...{ purpose: 'link', to: 'settings', accountId, sessionId: session!.id, sessionToken },
      ...{ id: 'forged', startedAt: Date.now() },
    };
    const key = createHmac('sha256', secret).update('sign-on key ').digest();
    const sealed = createSecretBox(key).seal(JSON.stringify(flow), 'sign-on');
    const cookie = sealed.toString('base64url');
    const derive = (label: string) =>
      createHmac('sha256', secret).update(`sign-on ${label} ${cookie}`).digest('base64url');
    const challenge = createHash('sha256').update(derive('verifier')).digest('base64url');
    providerUrl.searchParams.set('state', derive('state'));
    providerUrl.searchParams.set('nonce', derive('nonce'));
    providerUrl.searchParams.set('code_challenge', challenge);
    const callbackUrl = await attacker.logInAtProvider(providerUrl.href, createUser());
    attacker.cookies.set(FLOW_COOKIE, cookie);
    expect(await attacker.open(callbackUrl)).toMatchObject(EXPIRED);
    // The deleted cookie shows that the flow is valid and only the session is missing.
    expect(attacker.cookies.has(FLOW_COOKIE)).toBe(false);
  }
  expect(await server.sql`SELECT FROM identities WHERE account_id = ${accountId}`).toEqual([]);
});

it("the flow's cookie is bound to this host and browser, and contains no secret", async () => {
  const visitor = createBrowser();
  const { cookie: session = '' } = await logIn(
    fixture.server,
    (await fixture.server.createAccount()).id,
  );
  const [sessionCookie = '', token = ''] = session.split('=');
  visitor.cookies.set(sessionCookie, token);
  const { headers } = await visitor.open('/dashboard/sign-on?for=link');
  const [cookie] = [headers['set-cookie']].flat();
  expect(cookie).toMatch(/^__Host-nameplate-sign-on=/);
  for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/', 'Max-Age=600'])
    expect(cookie).toContain(attribute);
  const { searchParams } = new URL(String(headers['location']));
  expect(searchParams.get('code_challenge_method')).toBe('S256');
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(visitor.cookies.get(FLOW_COOKIE)).not.toContain(searchParams.get(name));
  const content = Buffer.from(visitor.cookies.get(FLOW_COOKIE)!, 'base64url').toString('latin1');
  expect(content).not.toContain(token);
});

it('the rate limit for single sign-on refuses a network that starts too many flows', async () => {
  const server = await openTestApp({
    signOn: createSignOn({
      ...fixture.provider.settings,
      OIDC_ALLOWED_GROUPS: [],
      OIDC_ALLOWED_DOMAINS: [],
      REGISTRATION: 'open',
    }),
    rateLimitOptions: { requestsPerMinute: 0, signOnsPerMinute: 3 },
  });
  const responses = [];
  for (let count = 0; count < 4; count += 1)
    responses.push((await new SignOnBrowser(server.app).open('/dashboard/sign-on')).status);
  expect(responses).toEqual([303, 303, 303, 429]);
});

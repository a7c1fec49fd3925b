import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import * as openid from 'openid-client';
import { expect, it, vi } from 'vitest';
import { MINUTE_MS } from '#contract/shared/durations.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { deleteGrants } from '#db/queries/oauth-grants.ts';
import { storeToken } from '#db/queries/oauth-tokens.ts';
import { hashToken } from '#server/platform/secrets/token.ts';
import { openTestApp, TEST_ENCRYPTION_KEY, type TestAccount } from '#test/support/test-app.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { createOperator } from '../support/endpoints.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { jsonRpcRequest, postMcpMessage } from '../support/mcp.ts';
import { ISSUER, type Page } from './support/oauth-browser.ts';
import { SdkClient } from './support/sdk-client.ts';
import { CALLBACK, MCP, startLogin, type StartedLogin, useOAuth } from './support/use-oauth.ts';

const fixture = useOAuth();
const { createMember, createWebsite, server } = fixture;

interface TokenResponse {
  status: number;
  error?: string;
  refresh_token?: string;
  id_token?: string;
}

const requestToken = async (
  fields: Record<string, string> | [string, string][],
  app = server.app,
): Promise<TokenResponse> => {
  const { statusCode, payload } = await app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
  return { ...(JSON.parse(payload) as object), status: statusCode };
};

async function connectApp() {
  const member = await createMember();
  const app = new SdkClient(fixture.fetch);
  await app.allowIn(member.browser);
  const refresh = (fields: Record<string, string> = {}, at = server.app) =>
    requestToken(
      {
        grant_type: 'refresh_token',
        client_id: app.client!.client_id,
        refresh_token: app.granted!.refresh_token!,
        ...fields,
      },
      at,
    );
  return { ...member, app, refresh };
}

it.each([
  ['client_id', 'other'],
  ['redirect_uri', 'https://evil.example/'],
  ['response_type', 'token'],
  ['state', 'other'],
  ['code_challenge', 'x'.repeat(43)],
  ['code_challenge_method', 'plain'],
  ['prompt', 'none'],
])('a sign-in with %s twice gets no code', async (name, value) => {
  const website = await createWebsite({ asks_consent: false });
  const { browser } = await createMember();
  const { url } = await startLogin(website, name === 'prompt' ? { prompt: 'login' } : {});
  for (const twice of [
    `${url}&${new URLSearchParams({ [name]: value }).toString()}`,
    url.replace('?', `?${new URLSearchParams({ [name]: value }).toString()}&`),
  ]) {
    const page = await browser.visit(twice);
    expect(page.url).not.toContain('code=');
    expect(page.url.startsWith('https://evil.example')).toBe(false);
    expect(`${page.url} ${page.text}`).toMatch(/invalid_(?:request|client|redirect_uri)/);
  }
});

it.each(['grant_type', 'client_id', 'refresh_token', 'scope'])(
  'a request for a token with %s twice is refused, and uses nothing up',
  async (name) => {
    const { app, refresh } = await connectApp();
    const fields: [string, string][] = [
      ['grant_type', 'refresh_token'],
      ['client_id', app.client!.client_id],
      ['refresh_token', app.granted!.refresh_token!],
      ['scope', 'read'],
      [name, 'x'],
    ];
    expect(await requestToken(fields)).toMatchObject({ status: 400, error: 'invalid_request' });
    expect(await refresh()).toMatchObject({ status: 200 });
    expect(
      await server.sql`SELECT FROM oauth_tokens WHERE consumed_at IS NOT NULL
        AND payload->>'clientId' = ${app.client!.client_id} AND kind = 'RefreshToken'`,
    ).toHaveLength(1);
  },
);

it('a sign-in with a huge parameter is refused and not stored', async () => {
  const website = await createWebsite();
  const { browser } = await createMember();
  const before = await server.sql`SELECT FROM oauth_tokens`;
  const { url } = await startLogin(website, { state: 'x'.repeat(9_000) });
  const page = await browser.visit(url);
  expect(page).toMatchObject({ status: 400 });
  expect(page.text).toContain('invalid_request');
  expect(await server.sql`SELECT FROM oauth_tokens`).toHaveLength(before.length);
  const long = await startLogin(website, { state: 'x'.repeat(6_000) });
  expect((await browser.visit(long.url)).text).toContain('Club wiki will know');
});

it('a token for another resource is refused before anything is used up', async () => {
  const { app, refresh } = await connectApp();
  expect(await refresh({ resource: 'https://other.example/mcp' })).toMatchObject({
    status: 400,
    error: 'invalid_target',
  });
  const used = await server.sql`SELECT FROM oauth_tokens WHERE consumed_at IS NOT NULL
    AND payload->>'clientId' = ${app.client!.client_id} AND kind = 'RefreshToken'`;
  expect(used).toEqual([]);
  expect(await refresh({ resource: `${MCP}/` })).toMatchObject({ status: 200 });
});

it('a withdrawal beside a refresh wins, and the client is told', async () => {
  const { account, refresh } = await connectApp();
  let refreshed: ReturnType<typeof refresh> | undefined;
  await inTransaction(server.db, async (trx) => {
    await deleteGrants(trx, { accountId: account.id });
    refreshed = refresh();
    await waitForBlockedQuery(trx);
  });
  expect(await refreshed).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await refresh()).toMatchObject({ status: 400, error: 'invalid_grant' });
});

it('a token whose grant is being withdrawn is not stored, which is no failure', async () => {
  const { account } = await connectApp();
  const [grant] = (await account.owner.grants.listGrants()).grants;
  const token = { idHash: hashToken('beside'), kind: 'AccessToken', payload: {}, seconds: 60 };
  let stored: Promise<boolean> | undefined;
  await inTransaction(server.db, async (trx) => {
    await deleteGrants(trx, { accountId: account.id });
    stored = storeToken(server.db, { ...token, grantId: grant!.id });
    await waitForBlockedQuery(trx);
  });
  expect(await stored).toBe(false);
});

it('a refresh token lasts 90 days from its last use, also that of an app', async () => {
  const { app, refresh } = await connectApp();
  const age = (days: number) => server.sql`UPDATE oauth_tokens
    SET expires_at = expires_at - make_interval(days => ${days}),
      payload = payload || jsonb_build_object('exp', (payload->>'exp')::int - ${days}::int * 86400,
        'iat', (payload->>'iat')::int - ${days}::int * 86400, 'iiat', (payload->>'iat')::int - ${days}::int * 86400)
    WHERE payload->>'clientId' = ${app.client!.client_id} AND kind = 'RefreshToken'`;
  await age(89);
  const next = await refresh();
  expect(next.status).toBe(200);
  await age(89);
  const last = await refresh({ refresh_token: next.refresh_token! });
  expect(last.status).toBe(200);
  await age(91);
  expect(await refresh({ refresh_token: last.refresh_token! })).toMatchObject({
    error: 'invalid_grant',
  });
});

it('the secret that was replaced stops at once, and so does a deleted website', async () => {
  const website = await createWebsite({ asks_consent: false });
  const { account, browser } = await createMember();
  const login = await startLogin(website);
  const { url } = await browser.visit(login.url);
  const tokens = await openid.authorizationCodeGrant(website.config, new URL(url), login.checks);
  const operator = await server.createAccount();
  await server.sql`INSERT INTO operators (account_id) VALUES (${operator.id})`;
  await server.sql`UPDATE api_keys SET scope = 'operator' WHERE account_id = ${operator.id}`;
  const { client_secret } = await operator.owner.clients.rotateClientSecret({
    client_id: website.id,
  });
  const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token! };
  const refresh = (secret: string) =>
    requestToken({ ...fields, client_id: website.id, client_secret: secret });
  expect(await refresh(website.secret)).toMatchObject({ status: 401, error: 'invalid_client' });
  expect(await refresh(client_secret!)).toMatchObject({ status: 200 });
  await operator.owner.clients.deleteClient({ client_id: website.id });
  const { events } = await account.owner.events.listEvents();
  expect(events[0]).toMatchObject({ type: 'app_disconnected', detail: { app: 'Club wiki' } });
  expect(await refresh(client_secret!)).toMatchObject({ status: 401, error: 'invalid_client' });
});

it('two sign-ins in two tabs of a browser do not mix', async () => {
  const [wiki, forum] = [await createWebsite(), await createWebsite({ name: 'Club forum' })];
  const { browser } = await createMember();
  const [first, second] = [await startLogin(wiki), await startLogin(forum)];
  const [wikiTab, forumTab] = [await browser.visit(first.url), await browser.visit(second.url)];
  const finish = async ({ config }: typeof wiki, { checks }: StartedLogin, tab: Page) => {
    const { url } = await browser.submit(tab, { action: 'allow' });
    return openid.authorizationCodeGrant(config, new URL(url), checks);
  };
  expect((await finish(wiki, first, wikiTab)).claims()!.aud).toBe(wiki.id);
  expect((await finish(forum, second, forumTab)).claims()!.aud).toBe(forum.id);
  // A question can be answered once.
  expect((await browser.submit(wikiTab, { action: 'allow' })).text).toContain('too long');
});

const listGrants = async (accountId: string) =>
  (await server.sql`SELECT scopes FROM oauth_grants WHERE account_id = ${accountId}`) as {
    scopes: string[];
  }[];

const listConnected = async ({ owner }: TestAccount) =>
  (await owner.events.listEvents()).events.filter(({ type }) => type === 'app_connected');

it.each(['website', 'app'])('two clicks on "Allow" for one %s make one grant', async (kind) => {
  const { account, browser } = await createMember();
  const app = new SdkClient(fixture.fetch);
  const login = await startLogin(await createWebsite());
  const question = await browser.visit(kind === 'app' ? await app.begin() : login.url);
  const allow = () => browser.submit(question, { action: 'allow', level: 'some' });
  const answers = await Promise.all([allow(), allow(), allow()]);
  expect(answers.map(({ url }) => new URL(url).searchParams.has('code'))).toEqual(
    Array(3).fill(true),
  );
  expect(new Set(answers.map(({ url }) => url)).size).toBe(3);
  expect(await listGrants(account.id)).toHaveLength(1);
  expect(await listConnected(account)).toHaveLength(1);
  // The browser shows the last one, which need not be the last one that the server made.
  if (kind === 'app') for (const answer of answers) await app.finish(answer);
  // Back, and again.
  expect((await allow()).text).toContain('too long');
  expect(await listGrants(account.id)).toHaveLength(1);
});

it('who declined cannot go back and allow', async () => {
  const { account, browser } = await createMember();
  const question = await browser.visit((await startLogin(await createWebsite())).url);
  const { url } = await browser.submit(question, { action: 'cancel' });
  expect(url).toContain('error=access_denied');
  expect((await browser.submit(question, { action: 'allow' })).text).toContain('too long');
  expect(await listGrants(account.id)).toEqual([]);
});

it('of clicks with different choices, one grant remains, and no token can do more', async () => {
  const { account, browser } = await createMember();
  const app = new SdkClient(fixture.fetch);
  const question = await browser.visit(await app.begin());
  const allow = (fields: Record<string, string>) =>
    browser.submit(question, { action: 'allow', ...fields });
  const choices = [{ level: 'all' }, { level: 'some', page: 'on' }, { level: 'some' }];
  const answers = await Promise.all(choices.map(allow));
  const grants = await listGrants(account.id);
  expect(grants).toHaveLength(1);
  const results = await Promise.allSettled(answers.map((answer) => app.finish(answer)));
  expect(results.map(({ status }) => status)).toContain('fulfilled');
  const caller = await server.nameplate.oauth.authenticate(app.granted!.access_token);
  const { scope, moreScopes = [] } = caller!;
  expect(grants[0]!.scopes).toEqual(expect.arrayContaining([scope, ...moreScopes]));
});

it('no page can be shown in a frame, and none can be asked by HEAD or OPTIONS', async () => {
  const { browser } = await createMember();
  const question = await browser.visit((await startLogin(await createWebsite())).url);
  const paths = ['/oauth/authorize', '/oauth/flow', '/oauth/logout', question.url];
  for (const url of paths.map((path) => path.replace(ISSUER, ''))) {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const shown = await server.app.inject({ url, headers });
    expect(shown.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    for (const method of ['HEAD', 'OPTIONS'] as const)
      expect((await server.app.inject({ method, url, headers })).statusCode).toBe(405);
  }
});

it('a stranger learns nothing from what a page says about a client that does not exist', async () => {
  const text = '<b>evil</b>';
  const { browser } = await createMember();
  for (const query of [
    { client_id: text },
    { client_id: (await createWebsite()).id, redirect_uri: text },
    { client_id: (await createWebsite()).id, redirect_uri: CALLBACK, scope: text, prompt: text },
  ]) {
    const url = `${ISSUER}/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...query }).toString()}`;
    const page = await browser.visit(url);
    expect(`${page.text}${page.url}`).not.toMatch(/<b>evil|error_description=[^&]*evil/);
  }
});

/** Another server on the same database. */
function openSecond() {
  const ENCRYPTION_KEY = TEST_ENCRYPTION_KEY.toString('hex');
  return openTestApp({ PUBLIC_URL: ISSUER, ENCRYPTION_KEY }, server.database);
}

it('two servers on one database are one provider', async () => {
  const second = await openSecond();
  const jwks = (at = server.app) => at.inject('/oauth/jwks').then(({ payload }) => payload);
  const website = await createWebsite();
  const { browser } = await createMember();
  const login = await startLogin(website);
  // Asked by the first, answered at the second.
  const question = await browser.visit(login.url);
  browser.server = second;
  const { searchParams } = new URL((await browser.submit(question, { action: 'allow' })).url);
  const redeem = (at: typeof server.app) =>
    requestToken(
      {
        grant_type: 'authorization_code',
        client_id: website.id,
        client_secret: website.secret,
        code: searchParams.get('code')!,
        code_verifier: login.checks.pkceCodeVerifier!,
        redirect_uri: CALLBACK,
      },
      at,
    );
  const results = await Promise.all([redeem(server.app), redeem(second.app)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect(await jwks()).toBe(await jwks(second.app));

  const { account, app, refresh } = await connectApp();
  expect(await refresh({}, second.app)).toMatchObject({ status: 200 });
  const headers = { authorization: `Bearer ${app.granted!.access_token}` };
  const callSecond = () => postMcpMessage(second, {}, jsonRpcRequest('tools/list'), { headers });
  expect((await callSecond()).status).toBe(200);
  await account.owner.grants.revokeGrant({ client_id: app.client!.client_id });
  expect((await callSecond()).status).toBe(401);
  expect(await refresh({}, second.app)).toMatchObject({ error: 'invalid_grant' });
});

it('of two servers, one follows within a minute when the other rotates the keys', async () => {
  fakeTimers(['performance']);
  const second = await openSecond();
  const website = await createWebsite({ asks_consent: false });
  const { browser } = await createMember();
  const login = await startLogin(website);
  const { url } = await browser.visit(login.url);
  const first = await openid.authorizationCodeGrant(website.config, new URL(url), login.checks);
  let refresh_token = first.refresh_token!;
  const idTokens: string[] = [];
  const signAt = async ({ app }: typeof second) => {
    const client = { client_id: website.id, client_secret: website.secret };
    const fields = { grant_type: 'refresh_token', refresh_token, ...client };
    const response = await requestToken(fields, app);
    refresh_token = response.refresh_token!;
    idTokens.push(response.id_token!);
    return decodeProtectedHeader(response.id_token!).kid;
  };
  const readKeys = async ({ app }: typeof second) =>
    (await app.inject('/oauth/jwks')).json<JSONWebKeySet>();
  const former = await signAt(server);
  expect(await signAt(second)).toBe(former);
  await (await createOperator(server)).owner.clients.rotateSigningKeys();
  vi.advanceTimersByTime(MINUTE_MS);
  expect((await readKeys(second)).keys.map(({ kid }) => kid)).toEqual([former, expect.any(String)]);
  expect(await signAt(second)).toBe(former);
  await server.sql`UPDATE oauth_keys SET signs_from = signs_from - interval '25 hours'`;
  vi.advanceTimersByTime(MINUTE_MS);
  const next = await signAt(second);
  expect(next).not.toBe(former);
  expect(await signAt(server)).toBe(next);
  const back = { post_logout_redirect_uri: 'https://wiki.example/bye' };
  for (const at of [server, second])
    for (const id_token_hint of idTokens) {
      await compactVerify(id_token_hint, createLocalJWKSet(await readKeys(at)));
      const query = new URLSearchParams({ id_token_hint, ...back }).toString();
      const { payload } = await at.app.inject(`/oauth/logout?${query}`);
      expect(payload).toContain(`href="${back.post_logout_redirect_uri}"`);
    }
});

import * as openid from 'openid-client';
import { expect, it, onTestFinished } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { deleteGrants } from '#db/queries/oauth-grants.ts';
import { consumeToken, storeToken } from '#db/queries/oauth-tokens.ts';
import { hashToken } from '#server/platform/secrets/token.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { createOperator } from '../support/endpoints.ts';
import { addPicture } from '../support/pictures.ts';
import { setSuspended } from '../support/suspend.ts';
import { ISSUER, type Page } from './support/oauth-browser.ts';
import {
  CALLBACK,
  startLogin,
  useOAuth,
  type StartedLogin,
  type Website,
} from './support/use-oauth.ts';

const fixture = useOAuth();
const { createBrowser, createMember, createWebsite, server, signIn } = fixture;

const finish = ({ config }: Website, { url }: Page, { checks }: StartedLogin) =>
  openid.authorizationCodeGrant(config, new URL(url), checks);

async function logInAt(
  website: Website,
  browser: ReturnType<typeof createBrowser>,
  params: Record<string, string> = {},
) {
  const login = await startLogin(website, params);
  let page = await browser.visit(login.url);
  if (!page.url.startsWith(CALLBACK)) page = await browser.submit(page, { action: 'allow' });
  return finish(website, page, login);
}

const codeOf = ({ url }: Page) => new URL(url).searchParams.get('code')!;
const errorOf = ({ url }: Page) => new URL(url).searchParams.get('error');

it('a member who follows a link on another website signs in there with one question', async () => {
  const website = await createWebsite();
  const { account, browser } = await createMember('mira');
  const login = await startLogin(website);
  const question = await browser.visit(login.url);
  const [first] = browser.pages;
  expect(first).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'no-store, no-transform' },
  });
  expect(first!.text).toContain('Continue');
  for (const text of ['Club wiki will know', '@mira', 'wiki.example'])
    expect(question.text).toContain(text);
  expect(question.text).not.toContain('<script');
  const policy = String(question.headers['content-security-policy']);
  expect(policy).toContain("form-action 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  const answer = await browser.submit(question, { action: 'allow' });
  expect(answer).toMatchObject({ headers: { 'referrer-policy': 'no-referrer' } });
  // The last page of the server is no redirect, so `form-action` does not apply to the website.
  expect(browser.pages.at(-1)).toMatchObject({ status: 200 });
  const tokens = await finish(website, answer, login);
  const claims = tokens.claims()!;
  expect(claims).toMatchObject({ iss: ISSUER, preferred_username: 'mira', groups: [] });
  expect(claims).not.toHaveProperty('email');
  expect(claims.sub).not.toBe(account.id);
  const info = await openid.fetchUserInfo(website.config, tokens.access_token, claims.sub);
  expect(info).toMatchObject({ sub: claims.sub, preferred_username: 'mira' });
  expect(browser.cookieNames).not.toContain('nameplate-oauth');
});

it('somebody who is not signed in gets to the sign-in of the server, and back', async () => {
  const website = await createWebsite();
  const account = await server.createAccount();
  const browser = createBrowser();
  const login = await startLogin(website);
  const page = await browser.visit(login.url);
  expect(page.text).toContain('Then you are back at Club wiki (wiki.example).');
  expect(page.text).toContain('href="/dashboard/login" referrerpolicy="same-origin"');
  const { RETURN_PATH } = await import('#contract/shared/return-path.ts');
  expect(new URL(page.url).pathname).toMatch(RETURN_PATH);
  await signIn(browser, account.id);
  const answer = await browser.submit(await browser.open(page.url), { action: 'allow' });
  expect((await finish(website, answer, login)).claims()).toBeDefined();
});

it('a website asks once, also in another browser, and again for more', async () => {
  const website = await createWebsite();
  const { account, browser } = await createMember();
  const scope = 'openid profile';
  const first = await logInAt(website, browser, { scope });
  const again = await browser.visit((await startLogin(website, { scope })).url);
  expect(again.url.startsWith(CALLBACK)).toBe(true);
  const other = createBrowser();
  await signIn(other, account.id);
  const elsewhere = await startLogin(website, { scope });
  const tokens = await finish(website, await other.visit(elsewhere.url), elsewhere);
  expect(tokens.claims()!.sub).toBe(first.claims()!.sub);
  const more = await browser.visit((await startLogin(website, { scope: 'openid email' })).url);
  expect(more.text).toContain('Your email address');
  const { grants } = await account.owner.grants.listGrants();
  expect(grants).toHaveLength(2);
});

it('of two consents in a session, the tokens of the newer one work', async () => {
  const website = await createWebsite();
  const { account, browser } = await createMember();
  await logInAt(website, browser, { scope: 'openid profile' });
  const newer = await logInAt(website, browser, { scope: 'openid email' });
  // The older row is read last.
  await server.sql`UPDATE oauth_grants SET created_at = created_at - interval '1 minute'
    WHERE account_id = ${account.id} AND 'profile' = ANY (scopes)`;
  const refreshed = await openid.refreshTokenGrant(website.config, newer.refresh_token!);
  expect(refreshed.claims()!.sub).toBe(newer.claims()!.sub);
});

it('a website of the server need not ask, one with consent is not silent', async () => {
  const { browser } = await createMember();
  const silent = await createWebsite({ asks_consent: false });
  const login = await startLogin(silent, { prompt: 'none' });
  expect(codeOf(await browser.visit(login.url))).toBeTruthy();
  const asking = await createWebsite();
  const refused = await browser.visit((await startLogin(asking, { prompt: 'none' })).url);
  expect(errorOf(refused)).toBe('consent_required');
  expect(new URL(refused.url).searchParams.get('iss')).toBe(ISSUER);
  const stranger = await createBrowser().visit((await startLogin(asking, { prompt: 'none' })).url);
  expect(errorOf(stranger)).toBe('login_required');
});

it('claims are in the ID token and at the UserInfo endpoint, and stay after a refresh', async () => {
  const website = await createWebsite();
  const { account, browser } = await createMember('claire');
  await server.sql`UPDATE forwarding_settings SET login_email = 'claire@example.org' WHERE account_id = ${account.id}`;
  await server.sql`INSERT INTO operators (account_id) VALUES (${account.id})`;
  const tokens = await logInAt(website, browser, { scope: 'openid profile email groups' });
  const expected = {
    preferred_username: 'claire',
    email: 'claire@example.org',
    email_verified: true,
    groups: ['operators'],
    group_names: ['Operators'],
  };
  const { sub } = tokens.claims()!;
  expect(tokens.claims()).toMatchObject(expected);
  await server.sql`UPDATE display_names SET name = 'clara' WHERE account_id = ${account.id}`;
  const refreshed = await openid.refreshTokenGrant(website.config, tokens.refresh_token!);
  expect(refreshed.claims()).toMatchObject({ ...expected, preferred_username: 'clara', sub });
  const info = await openid.fetchUserInfo(website.config, refreshed.access_token, sub);
  expect(info).toMatchObject({ ...expected, preferred_username: 'clara' });
});

it('a profile has what the account has, with full addresses, and no page that others cannot see', async () => {
  const website = await createWebsite({ asks_consent: false });
  const { account, browser } = await createMember('lena');
  const readClaims = async () =>
    (await logInAt(website, browser, { scope: 'openid profile' })).claims();
  const before = await readClaims();
  for (const claim of ['picture', 'profile', 'locale', 'zoneinfo', 'email', 'groups'])
    expect(before).not.toHaveProperty(claim);
  await server.sql`INSERT INTO sites (account_id, display_name, avatar_url, enabled)
    VALUES (${account.id}, 'Lena Voss', '/pictures/x-512x512.webp', true)`;
  await server.sql`INSERT INTO week_summaries (account_id, time_zone)
    VALUES (${account.id}, 'Europe/Berlin')`;
  await server.sql`UPDATE accounts SET language = 'de' WHERE id = ${account.id}`;
  expect(await readClaims()).toMatchObject({
    name: 'Lena Voss',
    preferred_username: 'lena',
    picture: `${ISSUER}/pictures/x-512x512.webp`,
    profile: `${ISSUER}/@lena`,
    locale: 'de',
    zoneinfo: 'Europe/Berlin',
  });
  await server.sql`UPDATE sites SET enabled = false, for_members = true WHERE account_id = ${account.id}`;
  expect(await readClaims()).not.toHaveProperty('profile');
});

it('a question says whom to write to if something is wrong', async () => {
  const { browser } = await createMember();
  const { url } = await startLogin(await createWebsite());
  expect((await browser.visit(url)).text).not.toContain('Something is wrong?');
  const setContact = async (contact: string | null) => {
    const row = await inTransaction(server.db, (trx) => saveInstance(trx, { contact }));
    await server.nameplate.instanceStore.set(row);
  };
  onTestFinished(() => setContact(null));
  await setContact('board@club.example');
  expect((await browser.visit(url)).text).toContain(
    '<a href="mailto:board@club.example">Something is wrong?</a>',
  );
});

it('a refresh that fails because a disk is full can be tried again', async () => {
  const website = await createWebsite();
  const { browser } = await createMember();
  const { refresh_token } = await logInAt(website, browser);
  const refresh = () => openid.refreshTokenGrant(website.config, refresh_token!);
  await server.sql`CREATE FUNCTION fail_tokens() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN RAISE disk_full; END'`;
  await server.sql`CREATE TRIGGER fail BEFORE UPDATE ON oauth_tokens
    FOR EACH ROW EXECUTE FUNCTION fail_tokens()`;
  const { cause: answer } = (await refresh().catch((error: unknown) => error)) as {
    cause: Response;
  };
  await server.sql`DROP FUNCTION fail_tokens CASCADE`;
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, '1']);
  expect(await answer.json()).toMatchObject({ error: 'temporarily_unavailable' });
  expect((await refresh()).access_token).toBeTruthy();
});

it("only a session with an operator's scope is one of an operator, and only while it lasts", async () => {
  const { account, browser } = await createMember();
  await server.sql`INSERT INTO operators (account_id) VALUES (${account.id})`;
  await server.sql`UPDATE sessions SET scope = 'all' WHERE account_id = ${account.id}`;
  const scope = 'openid groups offline_access';
  const low = await logInAt(await createWebsite(), browser, { scope });
  expect(low.claims()).toMatchObject({ groups: [] });
  const forOperators = await createWebsite({ allowed: 'operators', asks_consent: false });
  const denied = await browser.visit((await startLogin(forOperators)).url);
  expect(denied.text).toContain('Not for your account');
  await server.sql`UPDATE sessions SET scope = 'operator' WHERE account_id = ${account.id}`;
  const website = await createWebsite();
  const offline = { scope, prompt: 'consent' };
  const high = await logInAt(website, browser, offline);
  expect(high.claims()).toMatchObject({ groups: ['operators'] });
  await server.sql`DELETE FROM sessions WHERE account_id = ${account.id}`;
  const refreshed = await openid.refreshTokenGrant(website.config, high.refresh_token!);
  expect(refreshed.claims()).toMatchObject({ groups: [] });
});

it('a website that wants to stay connected says so before', async () => {
  const website = await createWebsite();
  const { browser } = await createMember();
  const text = 'It keeps this access after you sign out';
  const ask = async (scope: string) =>
    (await browser.visit((await startLogin(website, { scope, prompt: 'consent' })).url)).text;
  expect(await ask('openid offline_access')).toContain(text);
  expect(await ask('openid')).not.toContain(text);
});

it('an address that is not confirmed is no claim', async () => {
  const website = await createWebsite();
  const { account, browser } = await createMember();
  await server.sql`UPDATE forwarding_settings SET forwarding_email = 'a@b.example',
    forwarding_confirmed = false WHERE account_id = ${account.id}`;
  const claims = (await logInAt(website, browser)).claims();
  expect(claims).not.toHaveProperty('email');
  expect(claims).not.toHaveProperty('email_verified');
});

it.each([{ prompt: 'login' }, { max_age: '60' }])(
  'with %j, an old login is not enough, and the time of the new one is true',
  async (params) => {
    const website = await createWebsite({ asks_consent: false });
    const { account, browser } = await createMember();
    await server.sql`UPDATE sessions SET created_at = now() - interval '10 minutes' WHERE account_id = ${account.id}`;
    const login = await startLogin(website, params as Record<string, string>);
    const page = await browser.visit(login.url);
    expect(page.text).toContain('Club wiki asks for a new sign-in');
    // Opening it again does not help.
    expect((await browser.open(page.url)).text).toContain('asks for a new sign-in');
    const signedOut = await browser.submit(page, { action: 'again' });
    expect(signedOut.text).toContain('Sign in to go on');
    await signIn(browser, account.id);
    const answer = await browser.open(page.url);
    const checks = { ...login.checks, ...(params.max_age && { maxAge: 60 }) };
    const tokens = await finish(website, answer, { ...login, checks });
    const [session] = await server.sql<{ time: string }>`
      SELECT floor(extract(epoch FROM created_at)) AS time FROM sessions WHERE account_id = ${account.id}`;
    expect(tokens.claims()!.auth_time).toBe(Number(session!.time));
  },
);

it('after a change of the account in the browser, the website gets the new one', async () => {
  const website = await createWebsite({ asks_consent: false });
  const { browser } = await createMember();
  const a = (await logInAt(website, browser)).claims()!.sub;
  const b = await server.createAccount();
  await signIn(browser, b.id);
  const login = await startLogin(website);
  const tokens = await finish(website, await browser.visit(login.url), login);
  expect(tokens.claims()!.sub).not.toBe(a);
});

it('a question that was shown to one account is asked again after a change of the account', async () => {
  const website = await createWebsite();
  const { browser } = await createMember('adelheid');
  const question = await browser.visit((await startLogin(website)).url);
  expect(question.text).toContain('@adelheid');
  const bea = await server.createNamedAccount('beatrice');
  await signIn(browser, bea.id);
  const again = await browser.submit(question, { action: 'allow' });
  expect(again.text).toContain('@beatrice');
  const { grants } = await bea.owner.grants.listGrants();
  expect(grants).toEqual([]);
});

it('a consent that is withdrawn while a sign-in waits is not written again', async () => {
  const website = await createWebsite();
  const { account, browser } = await createMember();
  await logInAt(website, browser);
  await signIn(browser, account.id);
  const login = await startLogin(website);
  let answer: Promise<Page> | undefined;
  await inTransaction(server.db, async (trx) => {
    await lockAccount(trx, account.id);
    answer = browser.visit(login.url);
    await waitForBlockedQuery(trx);
    await deleteGrants(trx, { accountId: account.id });
  });
  expect((await answer!).text).toContain('Club wiki will know');
  expect(await server.sql`SELECT FROM oauth_grants WHERE account_id = ${account.id}`).toEqual([]);
});

it('a website for operators refuses others, and what they had', async () => {
  const website = await createWebsite({ allowed: 'operators', asks_consent: false });
  const { account, browser } = await createMember();
  const refused = await browser.visit((await startLogin(website)).url);
  expect(refused.text).toContain('Club wiki is only for operators');
  expect(
    errorOf(
      await browser
        .submit(refused, { action: 'allow' })
        .then((page) => browser.submit(page, { action: 'cancel' })),
    ),
  ).toBe('access_denied');
  await server.sql`INSERT INTO operators (account_id) VALUES (${account.id})`;
  const tokens = await logInAt(website, browser);
  await server.sql`DELETE FROM operators WHERE account_id = ${account.id}`;
  await expect(
    openid.refreshTokenGrant(website.config, tokens.refresh_token!),
  ).rejects.toMatchObject({ error: 'invalid_grant' });
});

async function createGroup(name: string, ...members: { id: string }[]): Promise<string> {
  const [group] = await server.sql<{ id: string }>`INSERT INTO groups (slug, name, color)
    VALUES (${name.toLowerCase()}, ${name}, 'blue') RETURNING id`;
  for (const { id } of members)
    await server.sql`INSERT INTO group_members (group_id, account_id, source)
      VALUES (${group!.id}, ${id}, 'hand'), (${group!.id}, ${id}, 'import')`;
  return group!.id;
}

it('a website sees those groups of a member that an operator shares with it', async () => {
  const { account, browser } = await createMember();
  const altos = await createGroup('Altos', account);
  await createGroup('Secret', account);
  const tenors = await createGroup('Tenors');
  const website = await createWebsite({ shared_groups: [altos, tenors] });
  const login = await startLogin(website, { scope: 'openid groups' });
  const question = await browser.visit(login.url);
  expect(question.text).toContain('Altos');
  for (const hidden of ['Secret', 'Tenors']) expect(question.text).not.toContain(hidden);
  const answer = await browser.submit(question, { action: 'allow' });
  const tokens = await finish(website, answer, login);
  expect(tokens.claims()).toMatchObject({ groups: ['altos'], group_names: ['Altos'] });
  await server.sql`UPDATE groups SET name = 'Low voices' WHERE id = ${altos}`;
  const renamed = await openid.refreshTokenGrant(website.config, tokens.refresh_token!);
  expect(renamed.claims()).toMatchObject({ groups: ['altos'], group_names: ['Low voices'] });
  await server.sql`UPDATE groups SET deleted_at = now() WHERE id = ${altos}`;
  const left = await openid.refreshTokenGrant(website.config, renamed.refresh_token!);
  expect(left.claims()).toMatchObject({ groups: [], group_names: [] });
});

it.each([
  [
    'leaves it',
    (_group: string, id: string) => server.sql`DELETE FROM group_members WHERE account_id = ${id}`,
  ],
  [
    'was in it when it was deleted',
    (group: string) => server.sql`UPDATE groups SET deleted_at = now() WHERE id = ${group}`,
  ],
])('a website for a group refuses others, and who %s', async (title, end) => {
  const { account, browser } = await createMember();
  const group = await createGroup(`Board ${title}`);
  const website = await createWebsite({
    allowed: 'groups',
    allowed_groups: [group],
    asks_consent: false,
  });
  const refused = await browser.visit((await startLogin(website)).url);
  expect(refused.text).toContain(
    'Club wiki is only for members of some groups of this server. Operators need to be in one, too.',
  );
  await server.sql`INSERT INTO group_members (group_id, account_id, source)
    VALUES (${group}, ${account.id}, 'hand')`;
  const tokens = await logInAt(website, browser);
  await end(group, account.id);
  await expect(
    openid.refreshTokenGrant(website.config, tokens.refresh_token!),
  ).rejects.toMatchObject({ error: 'invalid_grant' });
});

it('a member of many groups has the first 50 as claims, of at most 2 kB each', async () => {
  const website = await createWebsite({ asks_consent: false });
  const { account, browser } = await createMember();
  const addGroups = async (name: string) => {
    await server.sql`WITH added AS (INSERT INTO groups (slug, name, color)
        SELECT lower(${name}) || n, ${name} || n, 'blue' FROM generate_series(100, 160) AS n
        RETURNING id),
      shared AS (UPDATE oauth_clients SET shared_groups = ARRAY(SELECT id FROM added)
        WHERE id = ${website.id})
      INSERT INTO group_members (group_id, account_id, source)
        SELECT id, ${account.id}, 'hand' FROM added`;
    const { groups, group_names } = (await logInAt(website, browser)).claims()!;
    return [groups, group_names] as string[][];
  };
  const many = Array.from({ length: 50 }, (_, n) => `${100 + n}`);
  expect(await addGroups('Row')).toEqual([
    many.map((number) => `row${number}`),
    many.map((number) => `Row${number}`),
  ]);
  const [slugs, names] = await addGroups('ö'.repeat(50));
  expect(slugs).toHaveLength(19);
  expect(Buffer.byteLength(names!.join(''))).toBeLessThanOrEqual(2_000);
});

it('a person who declines comes back with an error, which names the server', async () => {
  const website = await createWebsite();
  const { account, browser } = await createMember();
  const login = await startLogin(website);
  const answer = await browser.submit(await browser.visit(login.url), { action: 'cancel' });
  const { searchParams } = new URL(answer.url);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    error: 'access_denied',
    iss: ISSUER,
    state: login.checks.expectedState,
  });
  expect((await account.owner.grants.listGrants()).grants).toEqual([]);
});

it('a code works once: of two at once only one, and a replay ends what it gave', async () => {
  const website = await createWebsite({ asks_consent: false });
  const { browser } = await createMember();
  const login = await startLogin(website);
  const answer = await browser.visit(login.url);
  const results = await Promise.allSettled([1, 2, 3].map(() => finish(website, answer, login)));
  const winner = results.find((result) => result.status === 'fulfilled');
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  await expect(finish(website, answer, login)).rejects.toMatchObject({ error: 'invalid_grant' });
  const { access_token, refresh_token } = (
    winner as PromiseFulfilledResult<Awaited<ReturnType<typeof finish>>>
  ).value;
  await expect(
    openid.fetchUserInfo(website.config, access_token, openid.skipSubjectCheck),
  ).rejects.toThrow();
  await expect(openid.refreshTokenGrant(website.config, refresh_token!)).rejects.toThrow();
});

it('a code is only for the website that asked, with its redirect address and its verifier', async () => {
  const [website, other] = [await createWebsite({ asks_consent: false }), await createWebsite()];
  const { browser } = await createMember();
  const login = await startLogin(website);
  const answer = await browser.visit(login.url);
  await expect(finish(other, answer, login)).rejects.toMatchObject({ error: 'invalid_grant' });
  const wrongVerifier = { ...login, checks: { ...login.checks, pkceCodeVerifier: 'x'.repeat(43) } };
  await expect(finish(website, answer, wrongVerifier)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  const { pkceCodeVerifier: _verifier, ...withoutVerifier } = login.checks;
  await expect(
    finish(website, answer, { ...login, checks: withoutVerifier }),
  ).rejects.toMatchObject({ error: 'invalid_grant' });
});

it('PKCE is required unless an operator turned it off, and what was sent is always checked', async () => {
  const { browser } = await createMember();
  const withoutChallenge = async (website: Website) => {
    const login = await startLogin(website);
    const url = new URL(login.url);
    url.searchParams.delete('code_challenge');
    url.searchParams.delete('code_challenge_method');
    return { login, page: await browser.visit(url.href) };
  };
  const strict = await createWebsite({ asks_consent: false });
  const { page: refused } = await withoutChallenge(strict);
  expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('invalid_request') });
  // Not by itself: a website could start again without end.
  expect(refused.headers).not.toHaveProperty('refresh');
  expect(refused.text).toContain(`href="${CALLBACK}?error=invalid_request`);
  const plain = new URL((await startLogin(strict)).url);
  plain.searchParams.set('code_challenge_method', 'plain');
  expect((await browser.visit(plain.href)).text).toContain('invalid_request');
  plain.searchParams.set('prompt', 'none');
  expect(errorOf(await browser.visit(plain.href))).toBe('invalid_request');
  const lax = await createWebsite({ asks_consent: false, requires_pkce: false });
  const { login, page } = await withoutChallenge(lax);
  const { pkceCodeVerifier: _verifier, ...checks } = login.checks;
  // A verifier for a code without a challenge is an injected code.
  await expect(finish(lax, page, login)).rejects.toMatchObject({ error: 'invalid_grant' });
  expect(
    await finish(lax, (await withoutChallenge(lax)).page, {
      ...login,
      checks: { ...checks, expectedState: openid.skipStateCheck } as never,
    }).catch((error: unknown) => error),
  ).toBeDefined();
});

it.each([
  ['another host', 'https://evil.example/callback'],
  ['another path', 'https://wiki.example/callback/../x'],
  ['a longer path', 'https://wiki.example/callback/x'],
  ['a query', 'https://wiki.example/callback?x=1'],
  ['credentials', 'https://evil@wiki.example/callback'],
  ['http', 'http://wiki.example/callback'],
  ['another port', 'https://wiki.example:8443/callback'],
  ['a host with the name in it', 'https://wiki.example.evil.example/callback'],
])('a redirect address with %s gets a page, and no redirect', async (_title, redirect_uri) => {
  const website = await createWebsite({ asks_consent: false });
  const { browser } = await createMember();
  const page = await browser.visit((await startLogin(website, { redirect_uri })).url);
  expect(page).toMatchObject({ status: 400 });
  expect(page.url.startsWith(ISSUER)).toBe(true);
  expect(page.text).toContain('invalid_redirect_uri');
  expect(page.text).not.toContain('evil.example');
});

it.each(['fragment', 'form_post', 'jwt', 'web_message'])(
  'the response mode %s is refused',
  async (response_mode) => {
    const website = await createWebsite({ asks_consent: false });
    const { browser } = await createMember();
    const page = await browser.visit((await startLogin(website, { response_mode })).url);
    expect(page.status).toBe(400);
    expect(page.url.startsWith(ISSUER)).toBe(true);
    expect(page.text).not.toContain('<script');
  },
);

it('an unknown website gets words, and an error in JSON at the token endpoint', async () => {
  const website = await createWebsite();
  const page = await createBrowser().visit(
    (await startLogin(website, { client_id: 'unknown' })).url,
  );
  expect(page.status).toBe(400);
  expect(page.text).toContain('invalid_client');
  const response = await fixture.fetch(`${ISSUER}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'unknown',
      code: 'x',
    }),
  });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ error: 'invalid_client' });
});

it('a wrong secret is refused', async () => {
  const website = await createWebsite();
  const config = await openid.discovery(new URL(ISSUER), website.id, 'wrong', undefined, {
    [openid.customFetch]: fixture.fetch as never,
  });
  await expect(openid.refreshTokenGrant(config, 'x')).rejects.toMatchObject({
    error: 'invalid_client',
  });
});

it('another browser cannot answer a question, nor a form of another website', async () => {
  const website = await createWebsite();
  const { account, browser } = await createMember();
  const question = await browser.visit((await startLogin(website)).url);
  const { browser: attacker } = await createMember();
  expect((await attacker.open(question.url)).text).toContain('That took too long');
  const forged = await browser.submit(question, { action: 'allow' }, 'cross-site');
  expect(forged.status).toBe(403);
  expect((await account.owner.grants.listGrants()).grants).toEqual([]);
});

it('a spent refresh token works for a minute, then its use ends the family', async () => {
  const website = await createWebsite({ asks_consent: false });
  const { browser } = await createMember();
  const first = await logInAt(website, browser);
  const refresh = (token: string | undefined) => openid.refreshTokenGrant(website.config, token!);
  const second = await refresh(first.refresh_token);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  // The client lost the response, or two of its requests came at once.
  await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)]);
  await server.sql`UPDATE oauth_tokens SET consumed_at = consumed_at - interval '61 seconds'`;
  await expect(refresh(first.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
  await expect(refresh(second.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
});

it('of the tokens of a grant, the newest 100 of each kind remain, and with them the replay', async () => {
  const website = await createWebsite({ asks_consent: false });
  const { browser } = await createMember();
  const first = await logInAt(website, browser);
  await server.sql`INSERT INTO oauth_tokens (id_hash, kind, grant_id, payload, expires_at, consumed_at)
    SELECT sha256((kind || n)::bytea), kind, grant_id, payload, expires_at - n * interval '1 minute', now()
    FROM oauth_tokens, generate_series(1, 150) AS n
    WHERE payload->>'clientId' = ${website.id} AND kind IN ('AccessToken', 'RefreshToken')`;
  const second = await openid.refreshTokenGrant(website.config, first.refresh_token!);
  const rows = await server.sql<{ kind: string; count: number }>`
    SELECT kind, count(*)::int FROM oauth_tokens WHERE payload->>'clientId' = ${website.id}
      AND kind LIKE '%Token' GROUP BY kind ORDER BY kind`;
  expect(rows).toEqual([
    { kind: 'AccessToken', count: 100 },
    { kind: 'RefreshToken', count: 100 },
  ]);
  await server.sql`UPDATE oauth_tokens SET consumed_at = consumed_at - interval '61 seconds'`;
  for (const token of [first.refresh_token!, second.refresh_token!])
    await expect(openid.refreshTokenGrant(website.config, token)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
});

it('storing a token locks none that stays', async () => {
  const website = await createWebsite({ asks_consent: false });
  const { browser } = await createMember();
  await logInAt(website, browser);
  const [token] = await server.sql<{ grantId: string }>`SELECT grant_id AS "grantId"
    FROM oauth_tokens WHERE payload->>'clientId' = ${website.id} AND kind = 'RefreshToken'`;
  await inTransaction(server.db, async (trx) => {
    const next = { idHash: hashToken('next'), kind: 'RefreshToken', payload: {}, seconds: 60 };
    await storeToken(trx, { ...next, ...token! });
    const unlocked = await server.sql`SELECT FROM oauth_tokens WHERE kind = 'RefreshToken'
      AND grant_id = ${token!.grantId} FOR UPDATE SKIP LOCKED`;
    expect(unlocked).toHaveLength(1);
  });
});

it('a program that repeats all scopes at a refresh gets those that it has', async () => {
  const website = await createWebsite({ asks_consent: false });
  const { browser } = await createMember();
  const first = await logInAt(website, browser, { scope: 'openid email offline_access' });
  const second = await openid.refreshTokenGrant(website.config, first.refresh_token!, {
    scope: 'openid email groups offline_access',
  });
  expect([first.scope, second.scope]).toEqual(['openid email', 'openid email']);
  expect(second.claims()).not.toHaveProperty('groups');
});

it('a refresh token is only for its website', async () => {
  const [website, other] = [await createWebsite({ asks_consent: false }), await createWebsite()];
  const { browser } = await createMember();
  const { refresh_token } = await logInAt(website, browser);
  await expect(openid.refreshTokenGrant(other.config, refresh_token!)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  expect(await openid.refreshTokenGrant(website.config, refresh_token!)).toBeDefined();
});

it.each([
  ['a suspension', async (id: string) => setSuspended(server, id)],
  [
    'a sign-out',
    async (id: string) => void (await server.sql`DELETE FROM sessions WHERE account_id = ${id}`),
  ],
  ['a deletion of the website', async () => void (await server.sql`DELETE FROM oauth_clients`)],
])('after %s, refresh, UserInfo and sign-in are refused', async (_title, end) => {
  const website = await createWebsite({ asks_consent: false });
  const { account, browser } = await createMember();
  const tokens = await logInAt(website, browser);
  await end(account.id);
  await expect(openid.refreshTokenGrant(website.config, tokens.refresh_token!)).rejects.toThrow();
  await expect(
    openid.fetchUserInfo(website.config, tokens.access_token, tokens.claims()!.sub),
  ).rejects.toThrow();
  const page = await browser.visit((await startLogin(website)).url);
  expect(page.url.startsWith(CALLBACK)).toBe(false);
});

it('revocation and introspection are for the own tokens', async () => {
  const [website, other] = [await createWebsite({ asks_consent: false }), await createWebsite()];
  const { browser } = await createMember();
  const { access_token, refresh_token } = await logInAt(website, browser);
  expect(await openid.tokenIntrospection(other.config, access_token)).toEqual({ active: false });
  expect(await openid.tokenIntrospection(website.config, access_token)).toMatchObject({
    active: true,
  });
  await openid.tokenRevocation(other.config, refresh_token!);
  expect(await openid.tokenIntrospection(website.config, access_token)).toMatchObject({
    active: true,
  });
  await openid.tokenRevocation(website.config, refresh_token!);
  expect(await openid.tokenIntrospection(website.config, access_token)).toEqual({ active: false });
});

it('a website that revokes its tokens when people sign out there need not ask again', async () => {
  const website = await createWebsite();
  const { browser } = await createMember();
  const { access_token, refresh_token } = await logInAt(website, browser);
  await openid.tokenRevocation(website.config, refresh_token!);
  expect(await openid.tokenIntrospection(website.config, access_token)).toEqual({ active: false });
  const again = await browser.visit((await startLogin(website)).url);
  expect(again.url.startsWith(CALLBACK)).toBe(true);
});

it('of two servers that get the same code at once, only one may use it', async () => {
  const idHash = hashToken('code');
  const token = { idHash, kind: 'AuthorizationCode', grantId: null, payload: {}, seconds: 60 };
  await storeToken(server.db, token);
  const uses = await Promise.all([1, 2, 3].map(() => consumeToken(server.db, idHash)));
  expect(uses.filter(Boolean)).toHaveLength(1);
});

it('the question and the list show the logo of a website, or the first letter of its name', async () => {
  const operator = await createOperator(server);
  const { clients } = operator.owner;
  const { url: logo_url } = await addPicture(server, operator);
  const redirect_uris = [CALLBACK];
  const { client } = await clients.createClient({ name: 'Club cloud', logo_url, redirect_uris });
  const { browser } = await createMember();
  const query = new URLSearchParams({
    client_id: client.id,
    ...{ redirect_uri: CALLBACK, response_type: 'code', scope: 'openid' },
    ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
  });
  const ask = async () =>
    (await browser.visit(`${ISSUER}/oauth/authorize?${query.toString()}`)).text;
  const { pathname } = new URL(client.logo_url!);
  expect(await ask()).toContain(`<img src="${pathname}"`);
  const { account, browser: other } = await createMember();
  const question = await other.visit(`${ISSUER}/oauth/authorize?${query.toString()}`);
  await other.submit(question, { action: 'allow' });
  expect((await account.owner.grants.listGrants()).grants).toMatchObject([
    { client_logo_url: client.logo_url },
  ]);
  // The server has a copy.
  await server.sql`DELETE FROM pictures`;
  const file = await server.app.inject({ url: pathname, headers: { host: 'nameplate.example' } });
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'image/webp']);

  const { id: client_id } = client;
  const kept = await clients.updateClient({ client_id, name: 'Cloud', logo_url: client.logo_url });
  expect(kept.client.logo_url).toBe(client.logo_url);
  await clients.updateClient({ client_id, logo_url: null });
  expect(await ask()).toContain('aria-hidden="true">C</p>');
  const { url: foreign } = await addPicture(server, await server.createAccount());
  await expect(clients.updateClient({ client_id, logo_url: foreign })).rejects.toMatchObject({
    code: 'logoNotFound',
  });
});

it('a website for groups names one, and what else changes does not matter', async () => {
  const { clients } = (await createOperator(server)).owner;
  const fields = { name: 'Club wiki', redirect_uris: [CALLBACK], allowed: 'groups' as const };
  const missing = { code: 'allowedGroupsMissing', field: 'allowed' };
  await expect(clients.createClient(fields)).rejects.toMatchObject(missing);
  const allowed_groups = [await createGroup('Keepers of the wiki')];
  const { client } = await clients.createClient({ ...fields, allowed_groups });
  const change = { client_id: client.id, allowed_groups: [] };
  await expect(clients.updateClient(change)).rejects.toMatchObject(missing);
  await clients.updateClient({ ...change, allowed: 'everybody' });
  await expect(
    clients.updateClient({ client_id: client.id, allowed: 'groups' }),
  ).rejects.toMatchObject(missing);
});

it('what follows from the software and the address of a website changes with its address', async () => {
  const { clients } = (await createOperator(server)).owner;
  const { client } = await clients.createClient({
    ...{ name: 'Members area', software: 'apache', address: 'https://www.example/members' },
  });
  const uri = 'https://www.example/members/oidc/callback';
  const derived = { redirect_uris: [uri], backchannel_logout_uri: `${uri}?logout=backchannel` };
  expect(client).toMatchObject({ ...derived, post_logout_redirect_uris: [], requires_pkce: true });
  const { id: client_id } = client;
  const byHand = ['https://www.example/board/back'];
  const moved = await clients.updateClient({
    ...{ client_id, address: 'https://www.example/board', redirect_uris: byHand },
  });
  expect(moved.client).toMatchObject({
    redirect_uris: byHand,
    backchannel_logout_uri: 'https://www.example/board/oidc/callback?logout=backchannel',
  });
  const back = await clients.updateClient({ client_id, address: 'https://www.example/members' });
  expect(back.client).toMatchObject({ ...derived, redirect_uris: byHand });
  const none = await clients.updateClient({ client_id, address: null });
  expect(none.client).toMatchObject({ ...derived, redirect_uris: byHand, address: null });
  const address = `https://cloud.example/${'x'.repeat(2_010)}`;
  await expect(
    clients.createClient({ name: 'Cloud', software: 'nextcloud', address }),
  ).rejects.toMatchObject({ code: 'addressUnusable' });
});

it('a website whose software cannot do PKCE need not', async () => {
  const { clients } = (await createOperator(server)).owner;
  const fields = { name: 'Code', software: 'gitea', address: 'https://git.example' } as const;
  expect((await clients.createClient(fields)).client.requires_pkce).toBe(false);
  const strict = await clients.createClient({ ...fields, requires_pkce: true });
  expect(strict.client.requires_pkce).toBe(true);
});

import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { endedSessionsJob } from '#server/features/oauth/ended-sessions-job.ts';
import { logoutJob } from '#server/features/oauth/logout-job.ts';
import { call } from '../support/call.ts';
import { listen } from '../support/listen.ts';
import { runJobs } from '../support/run-jobs.ts';
import { logIn } from '../support/session.ts';
import { setSuspended } from '../support/suspend.ts';
import { ISSUER } from './support/oauth-browser.ts';
import { SdkClient } from './support/sdk-client.ts';
import { CALLBACK, startLogin, useOAuth } from './support/use-oauth.ts';

const fixture = useOAuth();
const { createMember, createWebsite, server } = fixture;

/** A website in the network of the server: its address is not public. */
let site: Awaited<ReturnType<typeof listen>>;
let received: string[] = [];
let status = 200;
beforeAll(async () => {
  site = await listen(
    createServer((request, response) => {
      void text(request).then((form) => {
        received.push(new URLSearchParams(form).get('logout_token')!);
        response.writeHead(status).end();
      });
    }),
  );
});
afterAll(() => site.close());
beforeEach(() => {
  received = [];
  status = 200;
});

async function signInAtWebsite() {
  const website = await createWebsite({
    asks_consent: false,
    backchannel_logout_uri: `http://127.0.0.1:${site.port}/logout`,
  });
  const member = await createMember();
  const login = await startLogin(website);
  const { url } = await member.browser.visit(login.url);
  const tokens = await openid.authorizationCodeGrant(website.config, new URL(url), login.checks);
  return { ...member, website, tokens, claims: tokens.claims()! };
}

const runLogouts = () => runJobs(server.database, logoutJob, server.nameplate);

it.each([
  ['a suspension', ({ account }: SignedIn) => setSuspended(server, account.id)],
  ['"sign out everywhere"', ({ account }: SignedIn) => account.owner.sessions.revokeAllSessions()],
  [
    'a deletion of the account',
    ({ account }: SignedIn) => account.owner.account.deleteAccount({ confirm: account.id }),
  ],
  [
    'a withdrawal',
    ({ account, website }: SignedIn) => account.owner.grants.revokeGrant({ client_id: website.id }),
  ],
  [
    'the end of its session',
    async ({ account }: SignedIn) => {
      const { sessions } = await account.owner.sessions.listSessions();
      await account.owner.sessions.revokeSession({ session_id: sessions[0]!.id });
    },
  ],
])('%s tells the website which person is out', async (_title, end) => {
  const signedIn = await signInAtWebsite();
  const { claims, website } = signedIn;
  await end(signedIn);
  await runLogouts();
  expect(received).toHaveLength(1);
  const jwks = await (await fixture.fetch(`${ISSUER}/oauth/jwks`)).json();
  const { payload } = await jwtVerify(received[0]!, createLocalJWKSet(jwks as never), {
    issuer: ISSUER,
    audience: website.id,
    typ: 'logout+jwt',
  });
  expect(payload).toMatchObject({
    sub: claims.sub,
    sid: claims['sid'],
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
  expect(payload).not.toHaveProperty('nonce');
});
type SignedIn = Awaited<ReturnType<typeof signInAtWebsite>>;

it('the end of another session tells nobody', async () => {
  const { account } = await signInAtWebsite();
  const headers = await logIn(server, account.id);
  const path = '/owner/sessions/revoke-current-session';
  expect((await call(server.app, { method: 'POST', path, headers })).status).toBe(200);
  await runLogouts();
  expect(received).toEqual([]);
});

const endedSessions = () =>
  endedSessionsJob.run(server.nameplate, {}, { id: '', signal: new AbortController().signal });

it.each([
  [
    'its time',
    (id: string) =>
      server.sql`UPDATE sessions SET last_seen_at = now() - interval '15 days' WHERE account_id = ${id}`,
  ],
  [
    'a removed passkey',
    async (id: string) => {
      await server.sql`INSERT INTO passkeys (id, account_id, public_key, counter, transports, scope)
        VALUES ('p', ${id}, '\\x00', 0, '[]', 'all')`;
      await server.sql`UPDATE sessions SET via = 'passkey', passkey_id = 'p' WHERE account_id = ${id}`;
      await server.sql`DELETE FROM passkeys WHERE id = 'p'`;
    },
  ],
  [
    'a revoked key',
    async (id: string) => {
      const [key] = await server.sql<{
        id: string;
      }>`UPDATE api_keys SET revoked_at = now() WHERE account_id = ${id} RETURNING id`;
      await server.sql`UPDATE sessions SET via = 'key', key_id = ${key!.id} WHERE account_id = ${id}`;
    },
  ],
  [
    'a website that is for others now',
    (id: string) =>
      server.sql`UPDATE oauth_clients SET allowed = 'groups' WHERE id IN (
        SELECT client_id FROM oauth_grants WHERE account_id = ${id})`,
  ],
])('a sign-in that ends by %s tells its website within a minute', async (_title, end) => {
  const { account, claims } = await signInAtWebsite();
  const other = await signInAtWebsite();
  await end(account.id);
  await endedSessions();
  await endedSessions();
  await runLogouts();
  expect(received.map((token) => decodeJwt(token).sub)).toEqual([claims.sub]);
  expect(endedSessionsJob).toMatchObject({ cron: '* * * * *', pollSeconds: 5 });
  // The consent remains, and so does the other member's session.
  expect(await server.sql`SELECT FROM oauth_grants WHERE account_id = ${account.id}`).toHaveLength(
    1,
  );
  const refreshed = await openid.refreshTokenGrant(
    other.website.config,
    other.tokens.refresh_token!,
  );
  expect(refreshed.access_token).toBeDefined();
});

it('of 200 grants, the one that was used longest ago makes room and is told', async () => {
  const { account, browser, claims, tokens, website } = await signInAtWebsite();
  await server.sql`UPDATE oauth_grants SET last_used_at = now() - interval '2 days' WHERE account_id = ${account.id}`;
  await server.sql`WITH clients AS (INSERT INTO oauth_clients (id, kind, name, redirect_uris)
      SELECT 'full-' || n, 'registered', 'x', '{https://a.example/}' FROM generate_series(1, 199) AS n
      RETURNING id)
    INSERT INTO oauth_grants (account_id, actor_id, client_id, scopes, created_at)
    SELECT ${account.id}, ${account.id}, id, '{read}', now() - interval '1 day' FROM clients`;
  await new SdkClient(fixture.fetch).allowIn(browser);
  const { grants } = await account.owner.grants.listGrants();
  expect(grants).toHaveLength(200);
  expect(grants.map(({ client_name }) => client_name)).toContain('Page Pilot');
  await expect(
    openid.refreshTokenGrant(website.config, tokens.refresh_token!),
  ).rejects.toMatchObject({ error: 'invalid_grant' });
  await runLogouts();
  expect(received.map((token) => decodeJwt(token).sub)).toEqual([claims.sub]);
  const { events } = await account.owner.events.listEvents();
  expect(events.find(({ type }) => type === 'app_disconnected')?.detail).toEqual({
    app: 'Club wiki',
  });
  // Also a website that does not ask has its place in the limit.
  const silent = await createWebsite({ asks_consent: false });
  expect((await browser.visit((await startLogin(silent)).url)).url).toContain('code=');
  expect((await account.owner.grants.listGrants()).grants).toHaveLength(200);
});

it('a website that does not answer shows why, until it works again', async () => {
  const first = await signInAtWebsite();
  status = 500;
  await first.account.owner.sessions.revokeAllSessions();
  await expect(runLogouts()).rejects.toThrow();
  const read = async () =>
    (
      await server.sql<{
        logout_error: string | null;
      }>`SELECT logout_error FROM oauth_clients WHERE id = ${first.website.id}`
    )[0]!.logout_error;
  expect(await read()).toBe('HTTP_500');
  const { retrySeconds, giveUpSeconds, maxRetrySeconds } = logoutJob;
  // Attempts after 0, 10 and 30 seconds, the next one would be too late.
  expect([retrySeconds, maxRetrySeconds, giveUpSeconds]).toEqual([10, 20, 60]);
});

it('a server that stops is no failure of the website', async () => {
  const { account, website } = await signInAtWebsite();
  await account.owner.sessions.revokeAllSessions();
  const data = { clientId: website.id, subject: 'x', sid: 'x' };
  const signal = AbortSignal.abort();
  await expect(logoutJob.run(server.nameplate, data, { id: '', signal })).rejects.toThrow();
  expect(await server.sql`SELECT logout_error FROM oauth_clients WHERE id = ${website.id}`).toEqual(
    [{ logout_error: null }],
  );
});

it('a website signs its user out here after a question, and gets the person back', async () => {
  const { account, browser, website, tokens } = await signInAtWebsite();
  const url = openid.buildEndSessionUrl(website.config, {
    id_token_hint: tokens.id_token!,
    post_logout_redirect_uri: 'https://wiki.example/bye',
    state: 'x y',
  });
  const question = await browser.visit(url.href);
  expect(question.text).toContain('Sign out of');
  expect(question.text).toMatch(
    /href="https:\/\/wiki\.example\/bye\?state=x\+y"[^>]*>\s*Stay signed in/,
  );
  expect((await account.owner.sessions.listSessions()).sessions).toHaveLength(1);
  const isInUse = async () => (await account.owner.grants.listGrants()).grants[0]!.in_use;
  expect(await isInUse()).toBe(true);
  const answer = await browser.submit(question, {});
  expect(await isInUse()).toBe(false);
  expect(answer.url).toBe('https://wiki.example/bye?state=x+y');
  expect((await account.owner.sessions.listSessions()).sessions).toEqual([]);
  expect((await browser.visit((await startLogin(website)).url)).text).toContain('Sign in to go on');
});

it('a website may also send its user with a form, and nobody is signed out without the question', async () => {
  const { account, browser, website, tokens } = await signInAtWebsite();
  const params = {
    id_token_hint: tokens.id_token!,
    client_id: website.id,
    post_logout_redirect_uri: 'https://wiki.example/bye',
    state: 'x y',
  };
  const question = await browser.submit({ url: `${ISSUER}/oauth/logout` }, params, 'cross-site');
  expect(question.text).toContain('Sign out of');
  expect((await account.owner.sessions.listSessions()).sessions).toHaveLength(1);
  const answer = await browser.submit(question, {});
  expect(answer.url).toBe('https://wiki.example/bye?state=x+y');
  expect((await account.owner.sessions.listSessions()).sessions).toEqual([]);
});

it('a website cannot send people on with the token of another one', async () => {
  const { browser, tokens } = await signInAtWebsite();
  const other = await createWebsite();
  const url = openid.buildEndSessionUrl(other.config, {
    client_id: other.id,
    id_token_hint: tokens.id_token!,
    post_logout_redirect_uri: 'https://wiki.example/bye',
  });
  const answer = await browser.submit(await browser.visit(url.href), {});
  expect(answer.text).toContain('You are signed out');
});

it.each([
  ['another address', { post_logout_redirect_uri: 'https://evil.example/' }],
  [
    'a token of another server',
    { id_token_hint: 'eyJhbGciOiJub25lIn0.eyJhdWQiOiJ4In0.', client_id: '' },
  ],
])('after a sign-out with %s the person stays here', async (_title, params) => {
  const { browser, website } = await signInAtWebsite();
  const url = openid.buildEndSessionUrl(website.config, {
    client_id: website.id,
    post_logout_redirect_uri: 'https://wiki.example/bye',
    ...params,
  });
  const question = await browser.visit(url.href);
  expect(question.text).toMatch(/href="\/dashboard"[^>]*>\s*Stay signed in/);
  const answer = await browser.submit(question, {});
  expect(answer.url.startsWith(ISSUER)).toBe(true);
  expect(answer.text).toContain('You are signed out');
  expect(answer.text).not.toContain('evil.example');
});

it('a new key is published a day before it signs, the old one a month after', async () => {
  const listKeys = async () => {
    const { keys } = (await (await fixture.fetch(`${ISSUER}/oauth/jwks`)).json()) as {
      keys: { kid: string }[];
    };
    return keys.map(({ kid }) => kid);
  };
  const { tokens } = await signInAtWebsite();
  const { kid } = decodeProtectedHeader(tokens.id_token!);
  const { rotateSigningKeys, SigningKeys } = await import('#server/features/oauth/signing-keys.ts');
  const signsFrom = await server.db
    .transaction()
    .execute((trx) => rotateSigningKeys(trx, server.nameplate));
  expect(signsFrom.getTime() - Date.now()).toBeGreaterThan(23 * 3_600_000);
  const { oauth } = server.nameplate;
  // As a minute later.
  const reread = () => Object.assign(oauth, { keys: new SigningKeys(server.nameplate) });
  reread();
  expect(await listKeys()).toHaveLength(2);
  const signWith = async () =>
    decodeProtectedHeader((await signInAtWebsite()).tokens.id_token!).kid;
  expect(await signWith()).toBe(kid);
  await server.sql`UPDATE oauth_keys SET signs_from = signs_from - interval '25 hours'`;
  reread();
  const next = await signWith();
  expect(next).not.toBe(kid);
  expect((await listKeys()).toSorted()).toEqual([kid, next].toSorted());
  await server.sql`UPDATE oauth_keys SET signs_from = signs_from - interval '31 days'`;
  reread();
  expect(await listKeys()).toEqual([next]);
  const rows = await server.sql<{ row: string }>`SELECT oauth_keys::text AS row FROM oauth_keys`;
  expect(JSON.stringify(rows)).not.toContain('"d"');
  expect(CALLBACK).toBeTruthy();
});

it('a signing key that cannot be decrypted is replaced at once, and stays published', async () => {
  const { kid } = decodeProtectedHeader((await signInAtWebsite()).tokens.id_token!);
  await server.sql`UPDATE oauth_keys SET encrypted_key = '\\x00'`;
  const { SigningKeys } = await import('#server/features/oauth/signing-keys.ts');
  Object.assign(server.nameplate.oauth, { keys: new SigningKeys(server.nameplate) });
  const next = decodeProtectedHeader((await signInAtWebsite()).tokens.id_token!).kid;
  expect(next).not.toBe(kid);
  const { keys } = (await (await fixture.fetch(`${ISSUER}/oauth/jwks`)).json()) as {
    keys: { kid: string }[];
  };
  expect(keys.map((key) => key.kid)).toEqual([next, kid]);
});

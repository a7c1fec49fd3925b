import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { insertKeepers } from '#db/queries/keepers.ts';
import { deleteGrants } from '#db/queries/oauth-grants.ts';
import { Backups } from '#server/features/backups/backups.ts';
import { call } from '../support/call.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { createOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { postMcpMessage, jsonRpcRequest } from '../support/mcp.ts';
import { createTempFolder } from '../support/server-process.ts';
import { logIn } from '../support/session.ts';
import { setSuspended } from '../support/suspend.ts';
import { unzip } from '../support/unzip.ts';
import { ISSUER, type Page } from './support/oauth-browser.ts';
import { SdkClient } from './support/sdk-client.ts';
import { MCP, useOAuth } from './support/use-oauth.ts';

const fixture = useOAuth();
const { createMember, server } = fixture;
const createApp = (options = {}) => new SdkClient(fixture.fetch, options);

async function connect(fields: Record<string, string> = {}) {
  const member = await createMember();
  const app = createApp();
  const question = await app.allowIn(member.browser, fields);
  return { ...member, app, question };
}

const tokenOf = (app: SdkClient) => app.granted!.access_token;

const refresh = (app: SdkClient, params: Record<string, string> = {}) =>
  fixture.fetch(`${ISSUER}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: app.client!.client_id,
      refresh_token: app.granted!.refresh_token!,
      ...params,
    }),
  });

const callMcp = (token: string, method = 'tools/list', params = {}, path = '/mcp') =>
  postMcpMessage(server, {}, jsonRpcRequest(method, params), {
    path,
    headers: { authorization: `Bearer ${token}` },
  });

async function callTool(token: string, name: string, args = {}) {
  const { body } = await callMcp(token, 'tools/call', { name, arguments: args });
  const { result } = body as { result: { isError?: boolean; content: [{ text: string }] } };
  return JSON.parse(result.content[0].text) as Record<string, unknown>;
}

it('the official SDK registers a client, and reads the page with the token', async () => {
  const { app, question, account } = await connect();
  for (const text of [
    'a program on this computer',
    '“Page Pilot”',
    'this server has not checked it',
  ])
    expect(question.text).toContain(text);
  expect(question.text).not.toContain('<img');
  const client = await app.connect();
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toContain('page_getPageVersion');
  expect(names).not.toContain('page_updatePage');
  // As docs/mcp.md says.
  expect(names).toHaveLength(12);
  const result = await client.callTool({ name: 'page_getPageVersion', arguments: {} });
  expect(result.isError).toBeFalsy();
  const { grants } = await account.owner.grants.listGrants();
  expect(grants).toMatchObject([
    { client_name: 'Page Pilot', client_kind: 'registered', client_host: null, scopes: ['read'] },
  ]);
  expect(grants[0]!.last_used_at).not.toBeNull();
  // The app chose its name itself.
  const listed = { name: 'grants_listGrants', arguments: {} };
  const { body } = await callMcp(tokenOf(app), 'tools/call', listed, '/mcp?tools=grants');
  expect(body).toHaveProperty('result.structuredContent.notice');
});

it('what the member did not choose is neither listed nor done', async () => {
  const { app } = await connect({ page: 'on' });
  const token = tokenOf(app);
  const { version } = await callTool(token, 'page_getPageVersion');
  expect(await callTool(token, 'page_updatePage', { version, bio: 'Hello' })).not.toHaveProperty(
    'code',
  );
  for (const tool of [
    'projects_createProject',
    'account_updateDisplayName',
    'page_updatePageVisibility',
  ])
    expect(await callTool(token, tool, {})).toMatchObject({
      status: 403,
      code: 'insufficientScope',
      error: 'This app may not do that: connect it again and allow more.',
    });
  const response = await callMcp(token, 'tools/call', {
    name: 'projects_createProject',
    arguments: {},
  });
  expect(response.status).toBe(200);
});

it('everything needs a recent login, and never counts as one', async () => {
  const { account, browser } = await createMember();
  await server.sql`UPDATE sessions SET created_at = now() - interval '2 hours' WHERE account_id = ${account.id}`;
  const app = createApp();
  const question = await browser.visit(await app.begin());
  const refused = await browser.submit(question, { action: 'allow', level: 'all' });
  expect(refused.text).toContain('This needs a sign-in within the last 60 minutes.');
  expect((await account.owner.grants.listGrants()).grants).toEqual([]);
  await server.sql`UPDATE sessions SET created_at = now() WHERE account_id = ${account.id}`;
  await app.finish(
    await browser.submit(question, { action: 'allow', level: 'all', operator: 'on' }),
  );
  expect((await account.owner.grants.listGrants()).grants).toMatchObject([
    { scopes: ['read', 'all'] },
  ]);
  const all = `${MCP}?tools=all`.slice(ISSUER.length);
  for (const scope of ['all', 'metrics']) {
    const create = await postMcpMessage(
      server,
      {},
      jsonRpcRequest('tools/call', { name: 'keys_createKey', arguments: { scope } }),
      { path: all, headers: { authorization: `Bearer ${tokenOf(app)}` } },
    );
    expect(create.text).toContain('reauthenticationRequired');
    expect(create.text).toContain('Connected apps cannot do this: use the dashboard or a key.');
  }
  const headers = { authorization: `Bearer ${tokenOf(app)}` };
  const list = await postMcpMessage(server, {}, jsonRpcRequest('tools/list'), {
    path: all,
    headers,
  });
  const { result } = list.body as { result: { tools: { name: string }[] } };
  const names = result.tools.map(({ name }) => name);
  expect(names).toContain('keys_listKeys');
  expect(names).not.toContain('keys_createKey');
  expect(names).not.toContain('projects_deleteProject');
});

it("operators' tools need a tick of their own", async () => {
  const { account, browser } = await createMember();
  await server.sql`INSERT INTO operators (account_id) VALUES (${account.id})`;
  const listMembers = async (app: SdkClient) => {
    const message = jsonRpcRequest('tools/call', { name: 'members_listMembers', arguments: {} });
    const headers = { authorization: `Bearer ${tokenOf(app)}` };
    return (await postMcpMessage(server, {}, message, { path: '/mcp?tools=all', headers })).text;
  };
  const [without, with_] = [createApp(), createApp()];
  await without.allowIn(browser, { level: 'all' });
  expect(await listMembers(without)).toContain('insufficientScope');
  await with_.allowIn(browser, { level: 'all', operator: 'on' });
  expect(await listMembers(with_)).toContain('members');
  await server.sql`DELETE FROM operators WHERE account_id = ${account.id}`;
  expect(await listMembers(with_)).toContain('pathNotFound');
});

it("a session of lower scope cannot allow operators' tools", async () => {
  const { account, browser } = await createMember();
  await server.sql`INSERT INTO operators (account_id) VALUES (${account.id})`;
  await server.sql`UPDATE sessions SET scope = 'all' WHERE account_id = ${account.id}`;
  const question = await createApp().allowIn(browser, { level: 'all', operator: 'on' });
  expect(question.text).not.toContain('Operator tools too');
  expect((await account.owner.grants.listGrants()).grants).toMatchObject([
    { scopes: ['read', 'all'] },
  ]);
});

it('tokens are for /mcp only', async () => {
  const { app } = await connect({ level: 'all' });
  const headers = { authorization: `Bearer ${tokenOf(app)}` };
  for (const path of [
    '/owner/keys/list-keys',
    '/site/get-site-status',
    '/account/get-display-name',
  ])
    expect((await call(server.app, { path, headers })).status).toBe(401);
  const userInfo = await fixture.fetch(`${ISSUER}/oauth/userinfo`, { headers });
  expect(userInfo.status).not.toBe(200);
});

it('a token of a website is not for /mcp', async () => {
  const { browser } = await createMember();
  const website = await fixture.createWebsite({ asks_consent: false });
  const { startLogin } = await import('./support/use-oauth.ts');
  const { authorizationCodeGrant } = await import('openid-client');
  const login = await startLogin(website);
  const { url } = await browser.visit(login.url);
  const { access_token } = await authorizationCodeGrant(website.config, new URL(url), login.checks);
  expect((await callMcp(access_token)).status).toBe(401);
  const forMcp = await startLogin(website, { resource: MCP });
  expect((await browser.visit(forMcp.url)).text).toContain('invalid_target');
});

it('each sign-in of an AI client is asked, also with prompt=consent', async () => {
  const { browser, app } = await connect();
  const again = await browser.visit(await createAgain(app));
  expect(again.text).toContain('What it may do');
  const silent = new URL(app.authorizationUrl);
  silent.searchParams.set('prompt', 'none');
  expect((await browser.visit(silent.href)).url).toContain('error=');
  const url = new URL(app.authorizationUrl);
  url.searchParams.set('prompt', 'consent');
  const { url: answer } = await browser.submit(await browser.visit(url.href), { action: 'allow' });
  expect(answer).toContain('code=');
});

async function createAgain(app: SdkClient): Promise<string> {
  app.granted = undefined;
  return app.begin();
}

it.each([MCP, `${MCP}/`, ISSUER, `${ISSUER}/`])(
  'the resource %s is that of /mcp, at the start and for tokens',
  async (resource) => {
    const { browser } = await createMember();
    const app = createApp();
    const url = new URL(await app.begin());
    url.searchParams.set('resource', resource);
    const answer = await browser.submit(await browser.visit(url.href), { action: 'allow' });
    const exchange = (fields: Record<string, string>) =>
      fixture.fetch(`${ISSUER}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: app.client!.client_id, resource, ...fields }),
      });
    const response = await exchange({
      grant_type: 'authorization_code',
      code: new URL(answer.url).searchParams.get('code')!,
      code_verifier: app.codeVerifier(),
      redirect_uri: app.redirectUrl,
    });
    const tokens = (await response.json()) as { access_token: string; refresh_token: string };
    expect((await callMcp(tokens.access_token)).status).toBe(200);
    const refreshed = await exchange({
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    });
    const { access_token } = (await refreshed.json()) as typeof tokens;
    expect((await callMcp(access_token)).status).toBe(200);
  },
);

it('another resource is refused, and does not cost the grant', async () => {
  const { app, browser } = await connect();
  const url = new URL(app.authorizationUrl);
  url.searchParams.set('resource', 'https://other.example/mcp');
  expect((await browser.visit(url.href)).url).toContain('error=invalid_target');
  expect((await refresh(app, { resource: 'https://other.example/mcp' })).status).toBe(400);
  expect((await refresh(app, { resource: MCP })).status).toBe(200);
});

it('a token that the client asked less for can do less, and never more', async () => {
  const { app } = await connect({ level: 'all' });
  const refreshFor = async (scope: string) =>
    (await (await refresh(app, { scope })).json()) as { access_token: string; scope: string };
  const { access_token, scope } = await refreshFor('read');
  expect(scope).toBe('read');
  const { version } = await callTool(access_token, 'page_getPageVersion');
  expect(await callTool(access_token, 'page_updatePage', { version, bio: 'x' })).toMatchObject({
    code: 'insufficientScope',
  });
  // Programs repeat what they first asked for.
  expect((await refreshFor('read operator')).scope).toBe('read');
  const all = await refreshFor('read all');
  const update = await callTool(all.access_token, 'page_updatePage', { version, bio: 'x' });
  expect(update).not.toHaveProperty('code');
});

it('loopback addresses match with any port, but not another host or path', async () => {
  const { browser } = await createMember();
  const app = createApp({ redirectUrl: 'http://127.0.0.1:1/callback' });
  const url = new URL(await app.begin());
  const visit = (redirect: string) => {
    url.searchParams.set('redirect_uri', redirect);
    return browser.visit(url.href);
  };
  for (const port of [1, 4567, 65_535])
    expect((await visit(`http://127.0.0.1:${port}/callback`)).text).toContain('What it may do');
  for (const redirect of [
    'http://localhost:1/callback',
    'http://127.0.0.1:1/other',
    'http://127.0.0.1.evil.example:1/callback',
    'https://127.0.0.1:1/callback',
  ])
    expect((await visit(redirect)).text).toContain('invalid_redirect_uri');
});

it('an app with a scheme of its own gets a page with a link', async () => {
  const { browser } = await createMember();
  const app = createApp({ redirectUrl: 'cursor://anysphere.cursor-mcp/oauth/callback' });
  const question = await browser.visit(await app.begin());
  const answer = await browser.submit(question, { action: 'allow' });
  expect(answer.url).toMatch(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=/);
  const last = browser.pages.at(-1)!;
  expect(last.text).toContain('href="cursor://anysphere.cursor-mcp/oauth/callback?code=');
  await app.finish(answer);
});

it.each([
  ['no credentials', {}, false],
  ['an unknown token', { authorization: 'Bearer abc' }, true],
  ['a token of the right form', { authorization: `Bearer ${'x'.repeat(43)}` }, true],
])('/mcp with %s says where to get a token', async (_title, headers, isToken) => {
  const message = jsonRpcRequest('tools/list');
  const response = await postMcpMessage(server, {}, message, { headers });
  expect(response.status).toBe(401);
  const challenge = response.headers['www-authenticate'];
  expect(challenge).toContain(
    `resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/mcp"`,
  );
  expect(challenge!.includes('error="invalid_token"')).toBe(isToken);
});

it('/mcp with a key never speaks of OAuth, right or wrong', async () => {
  const account = await server.createAccount();
  const message = jsonRpcRequest('tools/list');
  expect((await postMcpMessage(server, account, message)).status).toBe(200);
  for (const headers of [
    { 'x-api-key': 'np_wrong.wrong' },
    { authorization: 'Bearer np_wrong.wrong' },
    { authorization: 'np_wrong.wrong' },
  ]) {
    const response = await postMcpMessage(server, {}, message, { headers });
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="nameplate"');
  }
});

it.each([
  [
    'removed by the member',
    async ({ account, app }: Connected) =>
      account.owner.grants.revokeGrant({ client_id: app.client!.client_id }),
  ],
  ['of a suspended account', async ({ account }: Connected) => setSuspended(server, account.id)],
  [
    'of an account that signed out everywhere',
    async ({ account }: Connected) => account.owner.sessions.revokeAllSessions(),
  ],
  [
    'of a deleted account',
    async ({ account }: Connected) => account.owner.account.deleteAccount({ confirm: account.id }),
  ],
])('an app %s stops at once', async (_title, end) => {
  const connected = await connect();
  const token = tokenOf(connected.app);
  expect((await callMcp(token)).status).toBe(200);
  await end(connected);
  const response = await callMcp(token);
  expect(response.status).toBe(401);
  expect(response.headers['www-authenticate']).toContain('invalid_token');
  await expect(connected.app.begin()).rejects.toThrow();
});
type Connected = Awaited<ReturnType<typeof connect>>;

it('an app that revokes its token is no longer connected', async () => {
  const { account, app } = await connect();
  const body = new URLSearchParams({ client_id: app.client!.client_id, token: tokenOf(app) });
  const response = await fixture.fetch(`${ISSUER}/oauth/revoke`, { method: 'POST', body });
  expect(response.status).toBe(200);
  expect((await account.owner.grants.listGrants()).grants).toEqual([]);
  expect(await listDisconnected(account.id)).toEqual([{ detail: { app: 'Page Pilot' } }]);
});

const listDisconnected = (accountId: string) =>
  server.sql`SELECT detail FROM events WHERE account_id = ${accountId} AND type = 'app_disconnected'`;

it.each([
  ['a sign-out everywhere', 'DELETE FROM sessions'],
  ['a suspension', 'WITH gone AS (DELETE FROM sessions) UPDATE accounts SET suspended_at = now()'],
])('%s while the answer waits leaves no grant', async (_title, statement) => {
  const { account, browser } = await createMember();
  const question = await browser.visit(await createApp().begin());
  let answer: Promise<Page> | undefined;
  await inTransaction(server.db, async (trx) => {
    await lockAccount(trx, account.id);
    answer = browser.submit(question, { action: 'allow' });
    await waitForBlockedQuery(trx);
    await sql.raw(statement).execute(trx);
    await deleteGrants(trx, { accountId: account.id });
  });
  expect((await answer!).text).toContain('Sign in to go on');
  expect(await server.sql`SELECT FROM oauth_grants WHERE account_id = ${account.id}`).toEqual([]);
});

it('an app stays connected after the browser signed out, also one for operators only', async () => {
  const { account, browser } = await createMember();
  await server.sql`INSERT INTO operators (account_id) VALUES (${account.id})`;
  const app = createApp();
  await server.sql`INSERT INTO oauth_clients (id, kind, name, redirect_uris, allowed)
    VALUES ('for-operators', 'program', 'Page Pilot', ${[app.redirectUrl]}, 'operators')`;
  app.client = { client_id: 'for-operators' };
  await app.allowIn(browser);
  const headers = await logIn(server, account.id);
  await call(server.app, {
    method: 'POST',
    path: '/owner/sessions/revoke-current-session',
    headers,
  });
  await server.sql`DELETE FROM sessions WHERE account_id = ${account.id}`;
  expect((await callMcp(tokenOf(app))).status).toBe(200);
  app.granted = { ...app.granted!, access_token: 'expired' };
  await app.begin();
  expect((await callMcp(tokenOf(app))).status).toBe(200);
  await server.sql`DELETE FROM operators WHERE account_id = ${account.id}`;
  expect((await callMcp(tokenOf(app))).status).toBe(401);
  await expect(app.begin()).rejects.toThrow();
});

it('a token that expired is refused as an unknown one', async () => {
  const { app } = await connect();
  await server.sql`UPDATE oauth_tokens SET expires_at = now()
    WHERE payload->>'clientId' = ${app.client!.client_id}`;
  const response = await callMcp(tokenOf(app));
  expect(response.status).toBe(401);
  expect(response.headers['www-authenticate']).toContain('error="invalid_token"');
});

it('its requests are in the log with its name, and its changes in the history', async () => {
  const { account, app } = await connect({ page: 'on' });
  await callTool(tokenOf(app), 'page_getPageVersion');
  const [grant] = (await account.owner.grants.listGrants()).grants;
  await eventually(async () => {
    const { requests } = await account.owner.keys.listRequests({ key_id: grant!.id });
    expect(requests).toMatchObject([
      { operation: 'page.getPageVersion', key_id: grant!.id, key_label: 'Page Pilot' },
    ]);
  });
  const { events } = await account.owner.events.listEvents();
  expect(events.map(({ type }) => type)).toContain('app_connected');
});

it('no token, secret or cookie is in a backup, the log or the export', async () => {
  const { account, app, browser } = await connect();
  const { owner } = await createOperator(server);
  const redirect_uris = ['https://wiki.example/callback'];
  const { client_secret } = await owner.clients.createClient({ name: 'Wiki', redirect_uris });
  const tokens = [app.granted!.access_token, app.granted!.refresh_token!, app.codeVerifier()];
  const code = new URL(
    browser.pages
      .at(-1)!
      .text.match(/http:\/\/localhost:5678[^"]*/)![0]
      .replaceAll('&amp;', '&'),
  ).searchParams.get('code')!;
  const folder = await createTempFolder();
  const backups = new Backups(folder, server.database.url);
  await backups.create(AbortSignal.timeout(60_000));
  const [backup] = await backups.list();
  const tables = await unzip(await readFile(join(folder, backup!.name)));
  expect(tables.get('tables/oauth_tokens')).toContain('AuthorizationCode');
  const url = '/owner/account/export-account';
  const { rawPayload } = await server.app.inject({ url, headers: account.headers });
  const files = await unzip(rawPayload);
  expect(files.get('connected-apps.json')).toContain('Page Pilot');
  const text = JSON.stringify([...tables, server.log, ...files]);
  for (const secret of [...tokens, code, browser.sessionCookie!, client_secret!]) {
    expect(text).not.toContain(secret);
    // As the text of a binary column.
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
  }
});

async function keepClub() {
  const [mira, club] = [await createMember(), await server.createAccount()];
  await inTransaction(server.db, (trx) => insertKeepers(trx, club.id, [mira.account.id]));
  const session = await logIn(server, mira.account.id);
  const headers = { ...session, 'nameplate-account': club.id };
  const asClub = async (path: string, json?: unknown) =>
    (await call(server.app, { method: json ? 'POST' : 'GET', path, json, headers })).body;
  return { ...mira, club, asClub };
}

it('a keeper chooses an account, whose page the app then changes', async () => {
  const { browser, account, club, asClub } = await keepClub();
  const app = createApp();
  const question = await app.allowIn(browser, { account: club.id, page: 'on' });
  expect(question.text).toContain(`<option value="${club.id}"`);
  const { version } = await callTool(tokenOf(app), 'page_getPageVersion');
  await callTool(tokenOf(app), 'page_updatePage', { version, bio: 'We row.' });
  expect(await asClub('/site/get-site-configuration')).toMatchObject({
    site: { bio: 'We row.' },
  });
  expect(await asClub('/owner/grants/list-grants')).toMatchObject({
    grants: [{ client_name: 'Page Pilot', scopes: ['read', 'page'] }],
  });
  expect((await account.owner.grants.listGrants()).grants).toEqual([]);
  expect(await asClub('/owner/keepers/list-keepers')).toMatchObject({
    keepers: [{ account_id: account.id, apps: ['Page Pilot'] }],
  });
  const { events } = (await asClub('/owner/events/list-events')) as { events: { type: string }[] };
  expect(events.find(({ type }) => type === 'page_changed')).toMatchObject({
    detail: { by: account.id },
  });
  expect((await refresh(app)).status).toBe(200);
});

it('apps of keepers stay when the account itself signs out everywhere', async () => {
  const { browser, club } = await keepClub();
  const app = createApp();
  await app.allowIn(browser, { account: club.id });
  await club.owner.sessions.revokeAllSessions();
  expect((await callMcp(tokenOf(app))).status).toBe(200);
});

it('an app cannot be connected to an account that the person does not keep', async () => {
  const { browser, account } = await keepClub();
  const other = await server.createAccount();
  for (const id of [other.id, 'x', `${other.id}0`]) {
    const question = await browser.visit(await createApp().begin());
    const answer = await browser.submit(question, { action: 'allow', account: id });
    expect(answer.text).toContain('What it may do');
  }
  expect(
    await server.sql`SELECT FROM oauth_grants WHERE account_id IN (${account.id}, ${other.id})`,
  ).toEqual([]);
});

it("a kept account never gives an operator's tools", async () => {
  const { browser, account, club } = await keepClub();
  await server.sql`INSERT INTO operators (account_id) VALUES (${account.id})`;
  const app = createApp();
  await app.allowIn(browser, { account: club.id, level: 'all', operator: 'on' });
  const { body } = await callMcp(tokenOf(app), 'tools/list', {}, '/mcp?tools=all');
  expect(JSON.stringify(body)).toContain('"projects_');
  expect(JSON.stringify(body)).not.toContain('"members_');
  expect(
    await server.sql`SELECT scopes FROM oauth_grants WHERE account_id = ${club.id}`,
  ).toMatchObject([{ scopes: ['read', 'all'] }]);
});

it.each([
  [
    'the keeper leaves',
    ({ asClub, account }: Kept) =>
      asClub('/owner/keepers/remove-keeper', { account_id: account.id }),
  ],
  ['the keeper is suspended', ({ account }: Kept) => setSuspended(server, account.id)],
  ['the account is suspended', ({ club }: Kept) => setSuspended(server, club.id), 0],
  [
    'the keeper signs out everywhere',
    ({ account }: Kept) => account.owner.sessions.revokeAllSessions(),
  ],
  [
    'the keeper is deleted',
    ({ account }: Kept) => account.owner.account.deleteAccount({ confirm: account.id }),
  ],
])('an app of a keeper is out as soon as %s', async (_title, end, events = 1) => {
  const kept = await keepClub();
  const owner = await server.createAccount();
  await inTransaction(server.db, async (trx) => {
    await sql`UPDATE keepers SET is_owner = false WHERE account_id = ${kept.club.id}`.execute(trx);
    await insertKeepers(trx, kept.club.id, [owner.id]);
  });
  const app = createApp();
  await app.allowIn(kept.browser, { account: kept.club.id });
  expect((await callMcp(tokenOf(app))).status).toBe(200);
  await end(kept);
  expect((await callMcp(tokenOf(app))).status).toBe(401);
  expect((await refresh(app)).status).toBe(400);
  expect(await listDisconnected(kept.club.id)).toHaveLength(events);
});
type Kept = Awaited<ReturnType<typeof keepClub>>;

import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { UUID_PATTERN } from '#contract/uuid.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { addPageVisits } from '#db/queries/page-visits.ts';
import { closeAccount, resumeAccountDeletions } from '#server/features/accounts/delete-account.ts';
import { ALL_FEATURES } from '#server/features/call-features.ts';
import { createDatabaseForwarding } from '#server/features/forwarding/forwarding.ts';
import { createInvitationLink } from '#server/features/invitations/invitation.ts';
import { createToken, hashToken } from '#server/platform/secrets/token.ts';
import { FULL_SITE, updateSite } from '../endpoints/support/site.ts';
import { call, send } from '../support/call.ts';
import {
  addReport,
  addSigningConnection,
  succeedingEndpoints,
  createValidBody,
  createValidPath,
  createValidRequest,
  ownerEndpoints,
} from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { errorCode, errorText, okBody } from '../support/expected-responses.ts';
import { failWrites } from '../support/fail-writes.ts';
import { addPicture } from '../support/pictures.ts';
import { finishDeletions } from '../support/run-jobs.ts';
import {
  createSession,
  createLoginLinkToken,
  logIn,
  SAME_ORIGIN_HEADERS,
  postFromPage,
  sessionHeaders,
} from '../support/session.ts';
import { setSuspended } from '../support/suspend.ts';
import { type TestAccount, openTestApp } from '../support/test-app.ts';
import { unzip } from '../support/unzip.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

async function createFullAccount(name: string): Promise<TestAccount & { project: string }> {
  const account = await server.createNamedAccount(name);
  const { client } = account;
  await updateSite(account, FULL_SITE);
  await client.site.toggleSiteVisibility();
  const forwardingSettings = { enabled: true, email: `${name}@example.org` };
  await client.emailForwarding.emailForwardingToggle(forwardingSettings);
  const project = await server.createProject(account);
  for (const visitors of [1, 2])
    await client.stats.ingestMetrics({ projectId: project, payload: { visitors } });
  await logIn(server, account.id);
  await addReport(server, account);
  return { ...account, project };
}

async function listTables({ id, project }: { id: string; project: string }): Promise<string[]> {
  const tables = await server.db.introspection.getTables();
  const found = await Promise.all(
    tables
      .filter(({ columns }) => columns.some((column) => column.name === 'account_id'))
      // The daily byte counts may be written during the deletion. Maintenance deletes them later.
      .filter(({ name }) => name !== 'daily_usage')
      .map(async ({ name }) => {
        const rows = await server.sql`
          SELECT FROM ${sql.table(name)} WHERE account_id::text = ${id}`;
        return rows.length > 0 ? [name] : [];
      }),
  );
  const metrics = await server.sql`SELECT FROM metrics WHERE project_id = ${project}`;
  return [...found.flat(), ...(metrics.length > 0 ? ['metrics'] : [])].toSorted();
}

const DONE = { status: 200 };
const LOGIN_TOO_OLD = errorCode(403, 'reauthenticationRequired');
const TOGGLE = '/email-forwarding/email-forwarding-toggle';

function deleteAccount(account: TestAccount, json: unknown, headers: Record<string, string> = {}) {
  return send(server, account, 'POST /owner/account/delete-account', json, headers);
}

/** Sets how many minutes ago the account's sessions began. */
async function ageSession({ id }: TestAccount, minutes: number, on = server): Promise<void> {
  await on.sql`UPDATE sessions SET created_at = now() - ${minutes} * interval '1 minute'
    WHERE account_id = ${id}`;
}

/** Endpoints that need a recent login only for some requests. The tests below cover them. */
const SOMETIMES_NEED_RECENT_LOGIN = new Set([
  'updateDisplayName',
  'updateAccountName',
  'emailForwardingToggle',
  'updateMetricRetention',
  'updateConnection',
]);

describe('a session that began more than 60 minutes ago', () => {
  const post = ([path, json]: readonly [string, object], headers: Record<string, string>) =>
    postFromPage(server, path, json, headers);

  // Some endpoints send mail.
  describe('at a server with mail', () => {
    const { server: mailing } = useServer({ mailEnabled: true });
    it.each(
      succeedingEndpoints.filter(
        ({ name, needsRecentLogin }) => needsRecentLogin && !SOMETIMES_NEED_RECENT_LOGIN.has(name),
      ),
    )(
      'a session that began more than 60 minutes ago is refused by $method $path, and a more recent one is accepted',
      async (endpoint) => {
        const account = await mailing.createAccount();
        const { method } = endpoint;
        const path = await createValidPath(mailing, account, endpoint);
        const { headers, ...content } = await createValidRequest(mailing, account, endpoint);
        // After the account has become an operator, because that ends its sessions.
        const session = await logIn(mailing, account.id);
        const request = { method, path, ...content, headers: { ...headers, ...session } };
        await ageSession(account, 61, mailing);
        expect(await call(mailing.app, request)).toMatchObject(LOGIN_TOO_OLD);
        await ageSession(account, 59, mailing);
        const response = await call(mailing.app, request);
        expect(response.status, response.text).toBe(200);
      },
    );
  });

  it('a session that began more than 60 minutes ago cannot change the forwarding address, a name with a confirmed address, or where events go, or shorten the retention', async () => {
    const account = await createFullAccount('old-login');
    const headers = await logIn(server, account.id);
    const requests = [
      ['/owner/metrics/update-metric-retention', { project_id: account.project, days: 1 }],
      [TOGGLE, { enabled: true, email: 'elsewhere@example.org' }],
      [TOGGLE, { enabled: false, email: 'elsewhere@example.org' }],
      ['/account/update-display-name', { display_name: 'old-login-2' }],
      ['/owner/account/update-account-name', { display_name: 'old-login-3' }],
      [
        '/owner/connections/update-connection',
        {
          connection_id: await addSigningConnection(server, account),
          url: 'https://hooks.example.org/new',
        },
      ],
    ] as const;
    await server.sql`UPDATE forwarding_settings SET forwarding_confirmed = true
      WHERE account_id = ${account.id}`;
    await ageSession(account, 61);
    for (const request of requests)
      expect([request, await post(request, headers)]).toMatchObject([request, LOGIN_TOO_OLD]);
    await ageSession(account, 59);
    for (const request of requests)
      expect([request, await post(request, headers)]).toMatchObject([request, DONE]);
  });

  it('a session that began more than 60 minutes ago may make harmless changes and create keys that only send metrics', async () => {
    const account = await createFullAccount('old-renames');
    const headers = await logIn(server, account.id);
    await ageSession(account, 61);
    for (const request of [
      [TOGGLE, { enabled: false, email: 'old-renames@example.org' }],
      ['/owner/metrics/update-metric-retention', { project_id: account.project, days: 0 }],
      ['/account/update-display-name', { display_name: 'old-renames-2' }],
      ['/owner/account/update-account-name', { display_name: 'old-renames-3' }],
      ['/owner/keys/create-key', { scope: 'metrics' }],
    ] as const)
      expect([request, await post(request, headers)]).toMatchObject([request, DONE]);
  });
});

it('delete-account requires the display name or the account id as confirmation', async () => {
  const account = await createFullAccount('jane-doe');
  const otherAccount = await server.createAccount();
  const refused = errorText(400, 'confirm must be the display name or the id of the account.');
  expect(await deleteAccount(account, {})).toMatchObject(errorText(400, 'confirm is missing.'));
  for (const json of [{ confirm: '' }, { confirm: 'jane' }, { confirm: otherAccount.id }])
    expect(await deleteAccount(account, json)).toMatchObject(refused);
  expect(await deleteAccount(otherAccount, { confirm: 'jane-doe' })).toMatchObject(refused);
  expect(await account.client.account.getDisplayName()).toEqual({ display_name: 'jane-doe' });
});

it('delete-account rejects all keys and sessions, hides the page, and deletes everything', async () => {
  const account = await createFullAccount('joe-bloggs');
  const session = await logIn(server, account.id);
  const link = await createLoginLinkToken(server, account.id);
  for (const endpoint of ownerEndpoints)
    if (!endpoint.isForOperators) await createValidBody(server, account, endpoint);
  expect((await listTables(account)).length).toBeGreaterThan(19);
  expect((await server.app.inject({ url: '/@joe-bloggs' })).statusCode).toBe(200);
  const json = { confirm: ' Joe-Bloggs ' };
  expect(await postFromPage(server, '/owner/account/delete-account', json, session)).toMatchObject({
    ...okBody({ success: true }),
    headers: {
      'set-cookie': expect.stringContaining('Max-Age=0'),
      'clear-site-data': '"cache", "storage"',
    },
  });
  const path = '/owner/sessions/get-session';
  for (const headers of [session, account.headers])
    expect((await call(server.app, { path, headers })).status).toBe(401);
  expect((await createSession(server, { login_url: link })).status).toBe(401);
  expect((await server.app.inject({ url: '/@joe-bloggs' })).statusCode).toBe(404);
  await finishDeletions(server.database);
  expect(await listTables(account)).toEqual([]);
  expect(await server.sql`SELECT FROM accounts WHERE id = ${account.id}`).toEqual([]);
});

it('delete-account quarantines the display name and deletes the alias at the provider', async () => {
  const account = await createFullAccount('kept-name');
  const otherAccount = await server.createAccount();
  expect((await deleteAccount(account, { confirm: account.id })).status).toBe(200);
  await finishDeletions(server.database);
  expect(await listTables(account)).toEqual([]);
  const quarantinedNames = await server.sql`SELECT * FROM display_names WHERE name = 'kept-name'`;
  expect(quarantinedNames[0]).toMatchObject({
    account_id: null,
    was_forwarded: true,
    was_visible: true,
    released_at: expect.any(Date),
    // Without a forwarding provider, there is no alias to wait for.
    alias_removed_at: expect.any(Date),
  });
  await expect(
    otherAccount.client.account.updateDisplayName({ display_name: 'kept-name' }),
  ).rejects.toMatchObject({ status: 409 });
});

it('delete-account is finished by maintenance if the command was interrupted', async () => {
  const account = await createFullAccount('cut-off');
  const { db } = server;
  const forwarding = createDatabaseForwarding('none', db);
  const services = { ...server.nameplate, forwarding };
  await inTransaction(db, (trx) => closeAccount(trx, services, account.id));
  // Resuming the account does not undo its deletion.
  expect(await setSuspended(server, account.id, false)).toMatchObject({
    suspended_at: expect.any(Date),
  });
  const { jobs } = server;
  await resumeAccountDeletions({ db, jobs });
  await finishDeletions(server.database);
  expect(await listTables(account)).toContain('metrics');
  await server.sql`UPDATE accounts SET closed_at = closed_at - interval '2 hours'
      WHERE id = ${account.id}`;
  await resumeAccountDeletions({ db, jobs });
  await finishDeletions(server.database);
  expect(await listTables(account)).toEqual([]);
});

it('delete-account changes nothing if it fails to start', async () => {
  const account = await createFullAccount('not-begun');
  const stopFailing = await failWrites(server.db, 'DELETE sessions', account.id);
  const failed = await deleteAccount(account, { confirm: 'not-begun' });
  expect(failed).toMatchObject(errorText(500, 'The account could not be deleted.'));
  await stopFailing();
  await finishDeletions(server.database);
  expect((await listTables(account)).length).toBeGreaterThan(8);
  expect((await server.app.inject({ url: '/@not-begun' })).statusCode).toBe(200);
});

async function exportAccount(headers: Record<string, string>) {
  const response = await server.app.inject({ url: '/owner/account/export-account', headers });
  expect(response).toMatchObject({
    statusCode: 200,
    headers: {
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="[a-z0-9-]+-\d{4}-\d\d-\d\d\.zip"$/,
      ),
    },
  });
  return unzip(response.rawPayload);
}

it('export-account returns an archive with a manifest and all data of the account', async () => {
  const account = await createFullAccount('export-me');
  await addPageVisits(server.db, [
    { accountId: account.id, kind: 'view', day: '2026-01-31', value: '', count: 7 },
  ]);
  await server.sql`UPDATE forwarding_settings SET login_email = 'signed-up@example.org'
      WHERE account_id = ${account.id}`;
  await server.sql`INSERT INTO pending_emails
      VALUES (${account.id}, 'waits@example.org', true, 'all', 'operator', now() + interval '1 day')`;
  const { id: picture_id } = await addPicture(server, account);
  await send(server, account, 'POST /owner/domains/create-domain', { domain: 'jane.example' });
  const files = await exportAccount(account.headers);
  const manifest = JSON.parse(files.get('manifest.json')!);
  expect(manifest).toEqual({
    account_id: account.id,
    made_at: expect.any(String),
    about: expect.any(String),
    files: [...files.keys()].slice(1).map((name) => ({ name, what: expect.any(String) })),
  });
  const readJson = (name: string) => JSON.parse(files.get(name)!) as unknown;
  const readLines = (name: string) =>
    files
      .get(name)!
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const { blocks, ...details } = FULL_SITE;
  const site = { ...details, settings: null };
  expect(readJson('account.json')).toMatchObject({
    account_id: account.id,
    display_name: 'export-me',
    developer_tools: true,
    language: null,
  });
  expect(readJson('site.json')).toEqual({
    enabled: true,
    for_members: false,
    counts_visits: true,
    on_front_page: false,
    site,
    blocks,
  });
  expect(files.get('visitors.csv')).toContain('\r\nview,2026-01-31,"",7\r\n');
  expect(readLines('site-versions.ndjson')).toMatchObject([{ site, blocks }]);
  expect(readJson('forwarding.json')).toEqual({
    enabled: true,
    email: 'export-me@example.org',
    confirmed: null,
    login_email: 'signed-up@example.org',
    ...{ pending_email: 'waits@example.org', pending_expires_at: expect.any(String) as string },
  });
  expect(readJson('domains.json')).toMatchObject([{ domain: 'jane.example' }]);
  expect(readJson('pictures.json')).toMatchObject([{ id: picture_id }]);
  expect([...files.keys()]).toContain(`pictures/${picture_id}.webp`);
  expect(readJson('keys.json')).toMatchObject([{ key_id: account.key.split('.')[0] }]);
  expect(readJson('sessions.json')).toMatchObject([{ via: 'link' }]);
  expect(readJson('projects.json')).toMatchObject([{ id: account.project, name: 'Shop' }]);
  expect(readLines('events.ndjson').map(({ type }) => type)).toEqual(
    expect.arrayContaining(['display_name_updated', 'forwarding_updated', 'logged_in']),
  );
  expect(readLines(`metrics/${account.project}.ndjson`).map(({ payload }) => payload)).toEqual([
    { visitors: 1 },
    { visitors: 2 },
  ]);
});

it('export-account contains no data of other accounts', async () => {
  await createFullAccount('somebody-else');
  const account = await server.createAccount();
  const files = await exportAccount(account.headers);
  const ids = [...files.values()]
    .join('\n')
    .match(new RegExp(UUID_PATTERN.source.slice(1, -1), 'g'));
  expect(new Set(ids)).toEqual(new Set([account.id]));
  expect([...files.values()].join()).not.toContain('somebody-else');
});

it("export-account contains every table with an account's data, except those with a reason", async () => {
  const declared = ALL_FEATURES.flatMap(({ accountTables = {} }) => Object.keys(accountTables));
  // A view of connections, counters, and keys and responses of the last day.
  const others = ['chat_webhooks', 'daily_usage', 'idempotency_keys', 'metric_keys'];
  const tables = await server.db.introspection.getTables();
  const accountTables = tables
    .filter(({ columns }) => columns.some(({ name }) => name === 'account_id'))
    .map(({ name }) => name)
    // Skip partitions, which have the columns of their table.
    .filter((name) => !/_\d+$/.test(name));
  expect(accountTables.toSorted()).toEqual([...declared, ...others].toSorted());
});

it('export-account contains no secrets and no hashes of secrets', async () => {
  const account = await createFullAccount('no-secrets');
  const token = createToken();
  await server.sql`INSERT INTO sessions (account_id, token_hash, via)
      VALUES (${account.id}, ${hashToken(token)}, 'link')`;
  const rows = await server.sql<{ hash: Buffer }>`
      SELECT secret_hash AS hash FROM api_keys WHERE account_id = ${account.id}
      UNION ALL SELECT token_hash FROM sessions WHERE account_id = ${account.id}
      UNION ALL SELECT address_hash FROM forwarding_destinations WHERE account_id = ${account.id}
    `;
  expect(rows.length).toBeGreaterThan(3);
  const text = [...(await exportAccount(account.headers)).values()].join('\n');
  const secrets = [
    account.key.split('.')[1]!,
    token,
    ...rows.flatMap(({ hash }) =>
      (['hex', 'base64', 'base64url'] as const).map((encoding) => hash.toString(encoding)),
    ),
    ...rows.map(({ hash }) => JSON.stringify(hash)),
  ];
  for (const secret of secrets) expect(text).not.toContain(secret);
});

it('export-account is aborted and logged if it fails midway, and the server keeps running', async () => {
  const listeningServer = await openTestApp({}, server.database);
  const url = `${await listeningServer.app.listen({ port: 0 })}/owner/account/export-account`;
  const { id, headers } = await createFullAccount('cut-export');
  // More than a slice, so that the response begins.
  await server.sql`INSERT INTO events (account_id, type, outcome, detail)
      SELECT ${id}::uuid, 'display_name_updated', 'succeeded', to_jsonb(gen_random_uuid())
      FROM generate_series(1, 4000)`;
  let response!: Response;
  // The export waits for its metrics until its first bytes have arrived.
  await inTransaction(server.db, async (trx) => {
    await sql`LOCK TABLE metrics`.execute(trx);
    response = await fetch(url, { headers });
    await sql`ALTER TABLE metrics RENAME TO elsewhere`.execute(trx);
  });
  try {
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow('terminated');
  } finally {
    await server.sql`ALTER TABLE elsewhere RENAME TO metrics`;
  }
  expect(listeningServer.log).toContainEqual(
    expect.objectContaining({
      msg: 'the response was aborted',
      err: expect.objectContaining({ message: expect.stringContaining('metrics') }),
    }),
  );
  const secondResponse = await fetch(url, { headers });
  const files = await unzip(Buffer.from(await secondResponse.arrayBuffer()));
  expect(files.get('account.json')).toContain('cut-export');
});

it('export-account streams any number of metrics', async () => {
  const account = await server.createAccount();
  const project = await server.createProject(account);
  await server.sql`INSERT INTO metrics (project_id, payload)
      SELECT ${project}::uuid, json_build_object('n', n) FROM generate_series(1, 5000) AS n`;
  const files = await exportAccount(account.headers);
  const metrics = files.get(`metrics/${project}.ndjson`)!.trim().split('\n');
  const numbers = metrics.map((line) => /"n" ?: ?(\d+)/.exec(line)?.[1]);
  expect(numbers).toEqual(Array.from({ length: 5_000 }, (_, index) => String(index + 1)));
});

it('export-account runs at most twice at a time per account, and can start again after an aborted one', async () => {
  const account = await createFullAccount('one-at-a-time');
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const request = { headers: account.headers };
  const exportUrl = `${url}/owner/account/export-account`;
  const abortController = new AbortController();
  const payload = JSON.stringify({ text: 'x'.repeat(100_000) });
  await server.sql`INSERT INTO metrics (project_id, payload)
      SELECT ${account.project}::uuid, (${payload}::jsonb || jsonb_build_object('r', md5(n::text)))::json
      FROM generate_series(1, 20) AS n`;
  const responses = await Promise.all([1, 2, 3].map(() => fetch(exportUrl, request)));
  const bodies = await Promise.all(responses.map((response) => response.arrayBuffer()));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 429]);
  const refused = bodies[responses.findIndex(({ status }) => status === 429)]!;
  expect(Buffer.from(refused).toString()).toContain('Two exports of this account are');
  const first = await fetch(exportUrl, { ...request, signal: abortController.signal });
  expect(first.status).toBe(200);
  abortController.abort();
  await eventually(
    async () => {
      const response = await fetch(exportUrl, request);
      await response.arrayBuffer();
      return response.status;
    },
    (status) => status === 200,
  );
});

async function acceptInvitation(
  requestHeaders: Record<string, string> = {},
): Promise<Record<string, string>> {
  const { invitation_url } = await createInvitationLink(server.db, '', { days: 7 });
  const json = { invitation_url };
  const path = '/owner/invitations/accept-invitation';
  return sessionHeaders(await postFromPage(server, path, json, requestHeaders));
}

async function readSession(headers: Record<string, string>) {
  const { body } = await call(server.app, { path: '/owner/sessions/get-session', headers });
  return body as { developer_tools: boolean; language: string | null };
}

const isOn = async (headers: Record<string, string>) =>
  (await readSession(headers)).developer_tools;
const set = (headers: Record<string, string>, developer_tools: unknown) =>
  postFromPage(server, '/owner/account/update-developer-tools', { developer_tools }, headers);

it('developer tools are off for an invited member, and on from the first key on', async () => {
  const headers = await acceptInvitation();
  expect(await isOn(headers)).toBe(false);
  // They forbid nothing while they are off.
  const createProject = '/owner/projects/create-project';
  expect((await postFromPage(server, createProject, { name: 'A' }, headers)).status).toBe(200);
  const createKey = () => postFromPage(server, '/owner/keys/create-key', {}, headers);
  expect((await createKey()).status).toBe(200);
  expect(await isOn(headers)).toBe(true);
  await set(headers, false);
  expect((await createKey()).status).toBe(200);
  // Only the first key turns them on.
  expect(await isOn(headers)).toBe(false);
});

it('developer tools are shown or hidden for one account as its owner chooses', async () => {
  const [member, other] = [await acceptInvitation(), await acceptInvitation()];
  for (const developer_tools of [true, false]) {
    const response = await set(member, developer_tools);
    expect(response).toMatchObject(okBody({ developer_tools }));
    expect([await isOn(member), await isOn(other)]).toEqual([developer_tools, false]);
  }
  // An account that is created with a key has them.
  expect(await isOn((await server.createAccount()).headers)).toBe(true);
});

const languageOf = async (headers: Record<string, string>) => (await readSession(headers)).language;
const update = (headers: Record<string, string>, language: unknown) =>
  postFromPage(server, '/owner/account/update-language', { language }, headers);
const documentLanguage = async (headers: Record<string, string>) => {
  const { body } = await server.app.inject({ url: '/dashboard/', headers });
  return /<html lang="(\w+)">/.exec(body)?.[1];
};

it('the language of an account is the one of the browser that signed in first, if it asks for one of the languages', async () => {
  const french = await acceptInvitation({ 'accept-language': 'fr' });
  expect(await languageOf(french)).toBeNull();
  const headers = await acceptInvitation({ 'accept-language': 'fr,de-AT;q=0.8,en;q=0.5' });
  expect(await languageOf(headers)).toBe('de');
  const { body } = await postFromPage(server, '/owner/keys/create-key', {}, headers);
  const { api_key } = body as { api_key: string };
  const english = { ...SAME_ORIGIN_HEADERS, 'accept-language': 'en' };
  const login = await createSession(server, { api_key }, english);
  expect(login.status).toBe(200);
  expect(await languageOf(headers)).toBe('de');
});

it('the language of an account is the language of its dashboard, whatever the browser prefers', async () => {
  const headers = await acceptInvitation();
  const german = { ...headers, 'accept-language': 'de' };
  expect([await documentLanguage(headers), await documentLanguage(german)]).toEqual(['en', 'de']);
  expect(await update(headers, 'en')).toMatchObject(okBody({ language: 'en' }));
  expect([await documentLanguage(german), await languageOf(german)]).toEqual(['en', 'en']);
  expect(await documentLanguage({ 'accept-language': 'de' })).toBe('de');
});

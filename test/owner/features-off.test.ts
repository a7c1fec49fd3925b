import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertAddress, listRecipients } from '#db/queries/addresses.ts';
import { claimNameForAddress } from '#db/queries/display-names.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { accountDeletionJob } from '#server/features/accounts/delete-account.ts';
import { backupJob } from '#server/features/backups/backup-job.ts';
import { ALL_FEATURES } from '#server/features/call-features.ts';
import { deliveryJob } from '#server/features/connections/delivery-job.ts';
import type { Feature } from '#server/features/define-feature.ts';
import { linkRequestJob } from '#server/features/sessions/link-request-job.ts';
import { requestLink } from '#server/features/sessions/link-request.ts';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import type { OpenApiDocument } from '#server/platform/openapi-documents.ts';
import { createToken, hashToken } from '#server/platform/secrets/token.ts';
import { settingNameOf } from '#server/platform/settings/feature-settings.ts';
import { listJobs, registerJobs } from '#server/process/jobs.ts';
import { runMaintenance } from '#server/process/maintenance.ts';
import { failure, runCommand } from '../cli/support/command-line.ts';
import { insertEveryKindOfRow } from '../cli/support/every-kind-of-row.ts';
import { call } from '../support/call.ts';
import {
  coreEndpoints,
  createOperator,
  createValidBody,
  createValidPath,
  createValidRequest,
  type Endpoint,
  ownerEndpoints,
  unauthenticatedEndpoints,
} from '../support/endpoints.ts';
import { jsonRpcRequest, postMcpMessage } from '../support/mcp.ts';
import { runJobs } from '../support/run-jobs.ts';
import { logIn, postForm, postFromPage } from '../support/session.ts';
import { openTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import { unzip } from '../support/unzip.ts';
import { useServer } from '../support/use-server.ts';

const chat = { deliver: () => Promise.resolve('1') };
const { server } = useServer({ chat, mailEnabled: true });

const OPTIONAL = ALL_FEATURES.filter(({ optional }) => optional);
const ENDPOINTS = [...ownerEndpoints, ...unauthenticatedEndpoints];

/** With those that need them. */
function listOff(names: readonly string[]): readonly Feature[] {
  const off = OPTIONAL.filter(
    ({ name, needs = [] }) =>
      names.includes(name) || needs.some((needed) => names.includes(needed.name)),
  );
  return off.length > names.length ? listOff(off.map(({ name }) => name)) : off;
}

function openWithout(off: readonly Feature[]): Promise<TestApp> {
  const isClosed = off.some(({ name }) => name === 'signUp');
  const FEATURES_OFF = off.map(({ name }) => settingNameOf(name));
  const REGISTRATION = isClosed ? 'closed' : 'open';
  return openTestApp({ FEATURES_OFF, REGISTRATION, chat, mailEnabled: true }, server.database);
}

async function getText({ app }: TestApp, url: string): Promise<string> {
  const response = await app.inject({ url });
  expect([url, response.statusCode]).toEqual([url, 200]);
  return response.payload;
}

/** Rows of the account in the tables of optional features. */
async function readRows({ id }: { id: string }): Promise<[table: string, rows: object[]][]> {
  const tables = OPTIONAL.flatMap(({ accountTables = {} }) => Object.keys(accountTables));
  const read = (table: string) => server.sql<object>`
    SELECT to_jsonb(row) FROM ${sql.table(table)} AS row WHERE account_id::text = ${id} ORDER BY 1`;
  return Promise.all(tables.map(async (table) => [table, await read(table)]));
}

async function exportAccount({ app }: TestApp, { key }: TestAccount): Promise<string[]> {
  const url = '/owner/account/export-account';
  const { rawPayload } = await app.inject({ url, headers: { 'x-api-key': key } });
  return [...(await unzip(rawPayload)).keys()];
}

const loadKept = (() => {
  let kept: Promise<TestAccount> | undefined;
  return () => (kept ??= insertEveryKindOfRow(server));
})();

describe.each([
  ...OPTIONAL.map(({ name }) => [name, listOff([name])] as const),
  ['all optional features', OPTIONAL] as const,
])('without %s', (_name, off) => {
  it('everything else works, and its data is exported, deleted and kept', async () => {
    const kept = await loadKept();
    const without = await openWithout(off);
    const user = await createOperator(server);
    const leaving = await server.createAccount();
    const { pathsOff } = without.app;
    const isOff = ({ path }: Endpoint) => pathsOff.has(path);
    for (const endpoint of ownerEndpoints.filter(isOff))
      await createValidBody(server, leaving, endpoint);
    const rows = await readRows(kept);
    await expectOnlyOff(without, ENDPOINTS.filter(isOff), user);

    for (const endpoint of coreEndpoints) await expectSuccess(without, user, endpoint);
    await expectLogin(without, user);
    await expectDocuments(without, user);
    expect(await exportAccount(without, leaving)).toEqual(await exportAccount(server, leaving));
    const json = { confirm: leaving.id };
    const path = '/owner/account/delete-account';
    const { status, text } = await call(without.app, { method: 'POST', path, json, ...leaving });
    expect(status, text).toBe(200);
    await runJobs(server.database, accountDeletionJob, without.nameplate, { includeFuture: true });
    expect((await readRows(leaving)).filter(([, left]) => left.length > 0)).toEqual([]);
    expect(await readRows(kept)).toEqual(rows);
  });
});

async function expectOnlyOff(
  { app, log, nameplate }: TestApp,
  endpoints: readonly Endpoint[],
  { key }: TestAccount,
): Promise<void> {
  // Mails that waited when a feature was left out are sent.
  expect(nameplate.features.mails).toEqual(server.nameplate.features.mails);
  const links = OPTIONAL.flatMap(({ name, links: own = [] }) =>
    nameplate.features.off.some((off) => off === name) ? own : [],
  );
  for (const area of new Set(endpoints.map((endpoint) => endpoint.area))) {
    const isOn = ENDPOINTS.some((other) => other.area === area && !app.pathsOff.has(other.path));
    const { text } = await call(app, { path: `/owner/${area}/nothing-at-all`, key });
    expect(text.includes(`/docs/owner/${area}.md`)).toBe(isOn);
    const document = await app.inject({ url: `/docs/owner/${area}.md` });
    expect([area, document.statusCode]).toEqual([area, isOn ? 200 : 404]);
  }
  for (const { area, method, path } of endpoints) {
    const unknown = await call(app, { path: `/owner/${area}/nothing-at-all`, key });
    log.length = 0;
    for (const credential of [{ key }, {}]) {
      const response = await call(app, { method, path, ...credential });
      expect([path, response.status, response.text]).toEqual([path, 404, unknown.text]);
    }
    const entry = { path, msg: 'FEATURES_OFF leaves out the feature of this path' };
    expect(log).toContainEqual(expect.objectContaining(entry));
  }
  const isPreviewOff = nameplate.features.off.includes('messages');
  const preview = await app.inject({ method: 'POST', url: '/dashboard/message' });
  expect(preview.statusCode).toBe(isPreviewOff ? 404 : 401);
  const logout = await app.inject({ method: 'POST', url: '/dashboard/sign-on/logout' });
  expect(logout.statusCode).toBe(404);
  for (const url of links) {
    const response = await app.inject({ url, headers: { accept: 'text/html' } });
    expect([url, response.statusCode]).toEqual([url, 404]);
    expect(response.payload).toContain('This server no longer offers this.');
  }
}

async function expectSuccess(without: TestApp, account: TestAccount, endpoint: Endpoint) {
  const path = await createValidPath(without, account, endpoint);
  const { headers, ...content } = await createValidRequest(without, account, endpoint);
  const request = { method: endpoint.method, path, ...content };
  const response = await call(without.app, {
    ...request,
    headers: { ...headers, ...account.headers },
  });
  expect([path, response.status, response.text]).toEqual([path, 200, response.text]);
}

/** With a mailed link. The job mails it, and `logIn` uses one like it. */
async function expectLogin(without: TestApp, { id, client }: TestAccount): Promise<void> {
  const email = `${id}@names.org`;
  await without.sql`UPDATE forwarding_settings SET login_email = ${email} WHERE account_id = ${id}`;
  const path = '/owner/sessions/send-login-link';
  expect((await postFromPage(without, path, { email })).status).toBe(200);
  // It waited when sign-up was left out.
  const request = { language: 'en', display_name: 'x', invitation_hash: null } as const;
  const signUp = { ...request, application_text: null, application_name: null };
  await requestLink(server.nameplate, { email: 'new@names.org', signUp });
  await runJobs(server.database, linkRequestJob, without.nameplate);
  const mails = await without.sql`
    SELECT FROM pgboss.job WHERE name = 'mail' AND data->>'kind' = 'login' AND data->>'accountId' = ${id}`;
  expect(mails).toHaveLength(1);
  const { display_name: name } = await client.account.getDisplayName();
  await without.sql`UPDATE sites SET enabled = true WHERE account_id = ${id}`;
  const headers = await logIn(without, id);
  for (const url of ['/dashboard/preview', `/@${name}`, '/'])
    expect((await without.app.inject({ url, headers })).statusCode).not.toBe(500);
  expect(await getText(without, `/@${name}`)).toContain(`@${name}`);
  const facts = `featuresOff&quot;:${JSON.stringify(without.nameplate.features.off)}`;
  expect(await getText(without, '/dashboard/')).toContain(facts.replaceAll('"', '&quot;'));
}

async function expectDocuments(without: TestApp, user: TestAccount): Promise<void> {
  const { pathsOff } = without.app;
  const documents = await Promise.all(
    ['/owner/openapi.json', '/llms.txt'].map((url) => getText(without, url)),
  );
  const message = jsonRpcRequest('tools/list');
  const tools = await postMcpMessage(without, user, message, { path: '/mcp?tools=all' });
  const offered = (tools.body as { result: { tools: { name: string }[] } }).result.tools;
  const toolNames = offered.map(({ name }) => name);
  for (const { area, name, path } of ENDPOINTS) {
    const isListed = documents.map(
      (text) => text.includes(`${path}"`) || text.includes(`${path}]`),
    );
    expect([path, ...isListed]).toEqual([path, !pathsOff.has(path), !pathsOff.has(path)]);
    if (pathsOff.has(path)) expect(toolNames).not.toContain(`${area}_${name}`);
  }
  const errors = await Promise.all(
    ['/docs/errors', '/docs/errors.md'].map((url) => getText(without, url)),
  );
  for (const { path } of ENDPOINTS.filter((endpoint) => pathsOff.has(endpoint.path)))
    for (const text of errors) expect(text.match(`${path}\\b`)).toBeNull();
  const { components } = JSON.parse(documents[0]!) as OpenApiDocument;
  const { securitySchemes: _methods, ...sections } = components;
  const listed = Object.entries(sections).flatMap(([section, all]) =>
    Object.keys(all).map((name) => `${section}/${name}`),
  );
  const references = documents[0]!.matchAll(/"#\/components\/(\w+\/[^"]+)"/g);
  expect(new Set(Array.from(references, ([, name]) => name))).toEqual(new Set(listed));
}

it('data of features that are off expires, too', async () => {
  const kept = await loadKept();
  const { log, nameplate } = await openWithout(OPTIONAL);
  await runMaintenance(nameplate);
  expect(log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  const isEmpty = Object.fromEntries(
    (await readRows(kept)).map(([table, rows]) => [table, !rows.length]),
  );
  expect(isEmpty).toMatchObject({ page_visits: true, alerts: false, connections: false });
});

it('jobs of features that are off are dropped or wait, as they declare, and are not scheduled', async () => {
  const { database, db, jobs, sql: query } = await openTestApp();
  for (const job of listJobs(ALL_FEATURES)) jobs.register(job, async () => {});
  await jobs.open();
  await jobs.close();
  const passive = new JobQueue({ url: database.url, logger: pino({ level: 'silent' }) });
  await inTransaction(db, async (trx) => {
    await passive.add(trx, backupJob, {});
    await passive.add(trx, deliveryJob, { connectionId: randomUUID(), slot: 'event' });
  });
  await passive.close();
  const off = listOff(['backups', 'connections']);
  const FEATURES_OFF = off.map(({ name }) => settingNameOf(name));
  const without = await openTestApp({ FEATURES_OFF, mailEnabled: true }, database);
  registerJobs(without.nameplate);
  await without.jobs.open();
  expect(await query`SELECT name FROM pgboss.job WHERE name IN ('backup', 'delivery')`).toEqual([
    { name: 'delivery' },
  ]);
  // Nothing would send or delete the deliveries of new events.
  const { id, owner } = await without.createAccount();
  await query`INSERT INTO connections (account_id, kind, name, event_types, encrypted_url)
    VALUES (${id}, 'webhook', 'x', '{key_created}', '')`;
  await owner.keys.createKey({ label: 'x' });
  expect(await query`SELECT FROM deliveries`).toEqual([]);
  const schedules = await query<{ name: string }>`SELECT name FROM pgboss.schedule ORDER BY name`;
  const crons = listJobs(ALL_FEATURES).filter(
    ({ cron, isNeeded }) => cron && isNeeded?.(without.nameplate) !== false,
  );
  const kindsOff = new Set(off.flatMap(({ jobs: own = [] }) => own.map(({ kind }) => kind)));
  expect(schedules.map(({ name }) => name)).toEqual(
    crons
      .map(({ kind }) => kind)
      .filter((kind) => !kindsOff.has(kind))
      .toSorted(),
  );
});

it('a page has no covers, counted links and link for reports while these are off', async () => {
  const { id, client } = await server.createNamedAccount('plain-page');
  const url = 'https://vimeo.com/1';
  const link = { type: 'link', url: 'https://example.org', label: 'Club' } as const;
  await client.site.updateSiteConfiguration({ blocks: [{ type: 'embed', url }, link] });
  await client.site.toggleSiteVisibility();
  await server.sql`UPDATE covers SET state = 'found', title = 'A film' WHERE account_id = ${id}`;
  await inTransaction(server.db, (trx) => saveInstance(trx, { contact: 'office@example.com' }));
  const [html, plain] = await Promise.all(
    [server, await openWithout(OPTIONAL)].map(async (app) =>
      [await getText(app, '/@plain-page'), await getText(app, '/@plain-page/share')].join(),
    ),
  );
  for (const text of ['A film', ' ping="', '/@plain-page/report']) {
    expect(html).toContain(text);
    expect(plain).not.toContain(text);
  }
  expect(plain).toContain('mailto:office@example.com?subject=Report');
});

it('readers of a group address can leave it while addresses are off', async () => {
  const { app } = await openWithout(listOff(['addresses']));
  const token = createToken();
  const { id: account_id, key } = await server.createAccount();
  const address_id = await inTransaction(server.db, async (trx) => {
    await claimNameForAddress(trx, { name: 'crew', quarantineDays: 0 });
    return (await insertAddress(trx, 'crew')).id;
  });
  const outside = { email: 'a@names.org', confirmed_at: new Date(), token_hash: hashToken(token) };
  for (const reader of [outside, { account_id }])
    await server.db
      .insertInto('address_recipients')
      .values({ address_id, ...reader })
      .execute();
  const { payload } = await postForm({ app }, `/confirm/${token}/end`, {});
  expect(payload).toContain('You do not get the mail to crew@');
  const path = '/owner/account/delete-account';
  const json = { confirm: account_id };
  expect((await call(app, { method: 'POST', path, json, key })).status).toBe(200);
  const recipients = await listRecipients(server.db, [address_id]);
  expect(recipients.map(({ state }) => state)).toEqual(['stopped', 'left']);
});

it('the drafts of the legal texts do not mention what is off', async () => {
  const read = async (app: TestApp) => {
    const { headers } = await createOperator(server);
    const path = '/owner/server/get-legal-drafts?language=en';
    return (await call(app.app, { path, headers })).text;
  };
  const mentions =
    /invitation|report|count views|backup every night|Discord|keep an account|groups of members|website or an app/g;
  expect(new Set((await read(server)).match(mentions))).toHaveProperty('size', 8);
  expect((await read(await openWithout(OPTIONAL))).match(mentions)).toBeNull();
});

it('commands say what is off, and their help leaves it out', async () => {
  const settings = { DATABASE_URL: server.database.url, FEATURES_OFF: 'reports,sign-on' };
  const help = (await runCommand(settings, '--help')).stdout;
  expect(help).toContain('members.listMembers');
  expect(help).not.toMatch(/reports[.:]|identities[.:]/);
  const refused = await runCommand(settings, 'reports.listReports');
  expect(refused).toEqual(failure('FEATURES_OFF leaves out the feature of this operation.'));
  const { stdout } = await runCommand(settings, 'check', '--json');
  const { findings } = JSON.parse(stdout) as { findings: { code: string }[] };
  expect(findings).toContainEqual(
    expect.objectContaining({ code: 'featuresOff', level: 'off', value: 'reports, sign-on' }),
  );
  expect(findings.map(({ code }) => code)).not.toContain('signOnOff');
  const unknown = await runCommand({ ...settings, FEATURES_OFF: 'report' }, 'check', '--json');
  expect(unknown.stdout).toContain('there is no feature report. Did you mean reports?');
});

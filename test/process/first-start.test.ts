import { execFileSync } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { listAccounts, readAccountSettings } from '#db/queries/accounts.ts';
import { listAuditEntries } from '#db/queries/audit-log.ts';
import { deleteFirstKeyFile } from '#server/features/keys/first-key-file.ts';
import { createApiKey } from '#server/features/keys/manage-keys.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { createFirstLogin } from '#server/process/first-start.ts';
import { eventually } from '../support/eventually.ts';
import { findFreePort } from '../support/postgres-server.ts';
import {
  fetchJson,
  readFirstKey,
  spawnServer,
  startServer,
  createTempFolder,
} from '../support/server-process.ts';
import { SAME_ORIGIN_HEADERS } from '../support/session.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  openTestDatabase,
} from '../support/test-database.ts';

/** Splits a curl command into arguments like a shell. */
function splitShellWords(line: string): string[] {
  const output = execFileSync('sh', ['-c', line.replace(/^\s*curl /m, "printf '%s\\n' ")]);
  return output.toString().trimEnd().split('\n');
}

it('the first start on an empty data folder creates an account with a project and a key that only the folder’s owner can read', async () => {
  const DATA_DIR = join(await createTempFolder(), 'new', 'data');
  const BACKUP_DIR = join(DATA_DIR, 'backups');
  const first = await startServer({ DATA_DIR, BACKUP_DIR });
  expect(first.stderr()).toContain(
    `Nameplate listens on ${first.url} and keeps its data in its own PostgreSQL in ${DATA_DIR}.`,
  );
  await first.waitFor(/^The API reference is at \S+\/docs\.$/m);
  const file = join(DATA_DIR, 'first-key');
  expect(first.stderr()).toContain(`in ${file}, which only you can read:`);
  expect(first.stderr()).toContain('the file is deleted within an hour after the first use');
  // The output may end up in a file or journal, so it contains no key, and its login link
  // expires after ten minutes.
  expect(first.stderr()).not.toContain('np_');
  const link = /^│ {2}(\S+\/dashboard\/login#\S+) {2}│$/m.exec(first.stderr())![1]!;
  expect(link).toMatch(
    new RegExp(`^http://localhost:${new URL(first.url).port}/dashboard/login#[\\w-]{43}$`),
  );
  const login = { login_url: link };
  const cookie = await fetch(`${first.url}/owner/sessions/create-session`, {
    method: 'POST',
    headers: { ...SAME_ORIGIN_HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify(login),
  }).then(({ headers }) => headers.get('set-cookie')!.split(';')[0]!);
  const session = await fetch(`${first.url}/owner/sessions/get-session`, { headers: { cookie } });
  expect(await session.json()).toMatchObject({ operator: true });
  expect(first.stderr()).toMatch(/^ {2}DATA_DIR=\S+ npx nameplate login --account [0-9a-f-]{36}$/m);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(DATA_DIR)).mode & 0o777).toBe(0o700);
  const { key, projectId } = await readFirstKey(DATA_DIR);
  expect(await fetchJson(`${first.url}/account/get-display-name`, { key })).toEqual({
    status: 200,
    body: { display_name: '' },
  });
  expect(await fetchJson(`${first.url}/stats/get-projects`, { key })).toEqual({
    status: 200,
    body: {
      projects: [
        { id: projectId, name: 'My first project', created_at: expect.any(String) as string },
      ],
    },
  });
  await eventually(
    () => readdir(BACKUP_DIR).catch(() => []),
    (names) => names.some((name) => name.endsWith('.zip')),
    60_000,
  );
});

it('the first start on an empty data folder responds to /healthz only once the file with the key exists', async () => {
  const DATA_DIR = join(await createTempFolder(), 'data');
  const port = await findFreePort();
  spawnServer({ DATA_DIR, PORT: String(port) });
  await eventually(
    () => fetch(`http://localhost:${port}/healthz`).catch(() => undefined),
    (response) => response?.status === 200,
    60_000,
  );
  expect(await readFirstKey(DATA_DIR)).toHaveProperty('key');
});

it('the first start on an empty data folder prints a curl command that uses the stored key, and adds an entry to the audit log', async () => {
  const folder = await createTempFolder();
  const { db, close } = await openTestDatabase();
  const [url, linkBaseUrl] = ['http://127.0.0.1:3000', 'http://localhost:3000'];
  const options = { folder, url, linkBaseUrl, settings: loadConfig({ DATA_DIR: "/srv/o'data" }) };
  const output = (await createFirstLogin(db, options))!.join('\n');
  expect(output).toContain(String.raw`  DATA_DIR='/srv/o'\''data' npx nameplate login --account `);
  const { key, projectId } = await readFirstKey(folder);
  const [source, curl] = /^ {2}\. .*$\n^ {2}curl .*$/m.exec(output)![0].split('\n');
  expect(splitShellWords(`${source}\n${curl}`)).toEqual([
    '-H',
    `X-API-KEY: ${key}`,
    `${url}/account/get-display-name`,
  ]);
  expect(await createFirstLogin(db, options)).toBeUndefined();
  const { account_id: accountId } = (await listAccounts(db, 1))[0]!;
  const hasTools = async () => (await readAccountSettings(db, accountId)).developer_tools;
  expect(await hasTools()).toBe(false);
  await createApiKey(db, { accountId, label: 'my first key' });
  expect(await hasTools()).toBe(true);
  const entry = { via: 'first start', action: 'members.createMember', project_id: projectId };
  expect(await listAuditEntries(db, { limit: 9 })).toMatchObject([entry]);
  await close();
});

it.each([
  `UPDATE api_keys SET last_used_at = now()`,
  `UPDATE api_keys SET revoked_at = now()`,
  `UPDATE forwarding_settings SET login_email = 'op@example.com', email_scope = 'operator'`,
])('the first start on an empty data folder writes a key, which goes after %s', async (change) => {
  const folder = await createTempFolder();
  const { db, close } = await openTestDatabase();
  const url = 'http://127.0.0.1:3000';
  const config = loadConfig({});
  await createFirstLogin(db, { folder, url, linkBaseUrl: url, settings: config });
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const app = { config, db, dataDir: folder, log, origin: () => 'http://localhost' };
  await deleteFirstKeyFile(app);
  expect(await readdir(folder)).toEqual(['first-key']);
  await sql.raw(change).execute(db);
  await deleteFirstKeyFile(app);
  expect(await readdir(folder)).toEqual([]);
  expect(lines).toEqual([expect.stringContaining(join(folder, 'first-key'))]);
  await close();
});

it('the first start on a PostgreSQL server creates the schema but no account, and prints no password', async () => {
  const url = await createPostgresDatabase();
  const server = await startServer({ DATABASE_URL: url });
  expect(server.stderr()).toContain(`PostgreSQL at ${new URL(url).host}${new URL(url).pathname}.`);
  await server.waitFor(/^There is no account yet\. .* members\.createMember$/m);
  expect(server.stderr()).not.toContain('np_');
  expect(server.stderr() + server.stdout()).not.toContain(url);
  expect(await fetchJson(`${server.url}/readyz`)).toEqual({
    status: 200,
    body: { status: 'ready' },
  });
  const database = connectPostgresDatabase(url);
  expect(await database.db.selectFrom('accounts').selectAll().execute()).toEqual([]);
  await database.close();
});

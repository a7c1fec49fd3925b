import { chmod, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../client/support/server.ts';
import { startMailServer } from '../forwarding/mail-server.ts';
import { startForgingProvider } from '../sign-on/support/forging-provider.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';
import { storeMailServer } from '../support/endpoints.ts';
import { startHttpsServer } from '../support/https-server.ts';
import { createTempFolder } from '../support/server-process.ts';
import { TEST_ENCRYPTION_KEY } from '../support/test-app.ts';
import { connectPostgresDatabase } from '../support/test-database.ts';
import { type Settings, createDatabase, runCommand, runJson } from './support/command-line.ts';
import { readContents, isEmpty } from './support/contents.ts';

interface Check {
  ok: boolean;
  findings: { code: string; level: string; text: string; fix: string | null }[];
}

/** What every test leaves out, except the first. */
const UNSET_CODES = new Set([
  'addressMissing',
  'addressSet',
  'mailMissing',
  'encryptionKeyMissing',
]);

/** Runs `nameplate check`, which must exit with 1 if it finds an error. Returns the problems. */
async function check(settings: Settings, ...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runCommand(settings, 'check', '--json', ...args);
  const { ok, findings } = JSON.parse(stdout) as Check;
  expect({ code, stderr }).toEqual({ code: ok ? 0 : 1, stderr: '' });
  expect(ok).toBe(findings.every(({ level }) => level !== 'error'));
  const problems = findings.filter(({ level }) => level === 'error' || level === 'warning');
  for (const { text } of problems) expect(text).toMatch(/[.?]$/);
  return problems
    .filter(({ code: findingCode, level }) => level === 'error' || !UNSET_CODES.has(findingCode))
    .map(({ code: findingCode, level, text }) => `${findingCode} ${level}: ${text}`);
}

/** Runs `nameplate check` and formats its only problem. */
async function getOnlyFinding(settings: Settings): Promise<string> {
  const problems = await check(settings);
  expect(problems).toHaveLength(1);
  return problems[0]!;
}

/** Starts a server that sends the same response to every request. */
async function startFixedServer(status: number, body: string, headers = {}): Promise<string> {
  return (await startServer((response) => response.writeHead(status, headers).end(body))).url;
}

const MAIL_TEST = ['--mail', 'me@example.org'];
const HEALTHY = '{"status":"ok"}';

it('nameplate check lists each part with its level and the solution of a warning, and changes nothing', async () => {
  const { settings, db } = await createDatabase();
  const before = await readContents(db);
  const { code, stdout, stderr } = await runCommand(settings, 'check');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^Level +Subject +Finding\nwarning +Address +Mails, .*\.\n +PUBLIC_URL=https:\/\/club\.example\n +See docs\/public-instance\.md\.\nwarning +Sending mail +[^]*\nok +Database +PostgreSQL at [^@]+, version \d+\.\d+: .*\n[^]*\noff +Single sign-on .*\n +See docs\/single-sign-on\.md\.\noff +Name and contact .*\noff +Imprint and privacy .*\noff +Invite members .*\n$/,
  );
  expect(await readContents(db)).toEqual(before);
  expect(await check(settings)).toEqual([]);
});

it('nameplate check warns about settings that others can read', async () => {
  const { settings } = await createDatabase();
  const [before, folder] = [process.cwd(), await createTempFolder()];
  await writeFile(join(folder, '.env'), 'DATABASE_URL=postgres://jane:hush@127.0.0.1/x\n');
  await chmod(join(folder, '.env'), 0o644);
  onTestFinished(() => process.chdir(before));
  process.chdir(folder);
  expect(await getOnlyFinding(settings)).toBe(
    'settings warning: Other users of this machine can read DATABASE_URL in .env: chmod 600 .env. Then replace the secrets in it: others could read them.',
  );
});

it('nameplate check names unknown settings', async () => {
  const { settings } = await createDatabase();
  expect(await getOnlyFinding({ ...settings, DATABSE_POOL_SIZE: '5' })).toBe(
    'settings warning: DATABSE_POOL_SIZE is not a setting and has no effect. Did you mean DATABASE_POOL_SIZE?',
  );
});

it('nameplate check warns about a setting that is for one start only', async () => {
  const { settings } = await createDatabase();
  expect(await getOnlyFinding({ ...settings, REPLACE_ENCRYPTION_KEY: 'true' })).toMatch(
    /^settings warning: Remove REPLACE_ENCRYPTION_KEY after one start /,
  );
});

it('nameplate check lists every invalid setting', async () => {
  expect(await getOnlyFinding({ PORT: 'x', LOG_LEVEL: 'loud' })).toMatch(
    /^settings error: Invalid settings: PORT must be a port number\. LOG_LEVEL must be one of /,
  );
});

it('nameplate check says why a database cannot be used', async () => {
  const url = new URL((await createDatabase()).url);
  url.pathname = '/missing';
  for (const [DATABASE_URL, reason] of [
    ['postgres://jane:hush@127.0.0.1:1/x', 'nothing listens there (ECONNREFUSED).'],
    [url.href, 'does not exist; create it with createdb.'],
  ] as const) {
    const finding = await getOnlyFinding({ DATABASE_URL });
    expect(finding).toMatch(/^database error: /);
    expect(finding).toContain(reason);
    expect(finding).not.toContain('hush');
  }
});

it.each([
  [
    'The database was set up by a newer version of Nameplate.',
    "INSERT INTO kysely_migration VALUES ('9999-future-needs-9999', 'now')",
  ],
  [
    'The metrics partition for next month is missing.',
    `
      DO $$ DECLARE name regclass; BEGIN
        FOR name IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'metrics'::regclass
          ORDER BY inhrelid::regclass::text OFFSET 1
        LOOP EXECUTE 'DROP TABLE ' || name; END LOOP; END $$`,
  ],
  [
    'The database is read-only. It may be a standby.',
    'ALTER DATABASE $name SET default_transaction_read_only = on',
  ],
  // Shadows PostgreSQL's own function through the search path.
  [
    'PostgreSQL 14.19 is too old.',
    `
      CREATE FUNCTION current_setting(name text) RETURNS text LANGUAGE sql AS $$
        SELECT CASE name WHEN 'server_version' THEN '14.19' WHEN 'server_version_num' THEN '140019'
          ELSE pg_catalog.current_setting(name) END $$;
      ALTER DATABASE $name SET search_path = public, pg_catalog`,
  ],
])('nameplate check refuses a database: %s', async (problem, statements) => {
  const { settings, db, name } = await createDatabase();
  await sql.raw(statements.replaceAll('$name', () => name)).execute(db);
  expect(await getOnlyFinding(settings)).toContain(`database error: ${problem} `);
});

it('nameplate check lists missing privileges of the server’s role', async () => {
  const { settings, db, name } = await createDatabase('template1');
  const role = `weak_${name}`;
  await sql.raw(`CREATE ROLE ${role} LOGIN PASSWORD 'weak'`).execute(db);
  onTestFinished(() =>
    sql
      .raw(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
      .execute(db)
      .then(() => {}),
  );
  const url = new URL(settings.DATABASE_URL);
  [url.username, url.password] = [role, 'weak'];
  expect(await getOnlyFinding({ DATABASE_URL: url.href })).toMatch(
    /^database error: Migrations are pending: .* The user of DATABASE_URL may not create tables\. Run /,
  );
  await runJson(settings, 'migrate');
  await sql.raw(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`).execute(db);
  // Nothing listens at SMTP_URL, so there is a second finding.
  expect(
    await check({
      DATABASE_URL: url.href,
      SMTP_URL: 'smtp://127.0.0.1:1',
      PUBLIC_URL: await startFixedServer(200, HEALTHY),
    }),
  ).toEqual([
    expect.stringMatching(
      /^database error: .* neither use nor create the job queue \(schema pgboss\)\. /,
    ),
    expect.stringMatching(/^mailFailing error: The mail server does not answer\./),
  ]);
  await sql
    .raw(`GRANT USAGE ON SCHEMA pgboss TO ${role};
        GRANT SELECT ON ALL TABLES IN SCHEMA pgboss TO ${role}`)
    .execute(db);
  expect(await check({ DATABASE_URL: url.href })).toEqual([]);
});

it('nameplate check sends a test mail with --mail, and reports a refusal', async () => {
  const mailServer = await startMailServer();
  const { settings, db } = await createDatabase();
  const mailSettings = {
    ...settings,
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'names@example.org',
    PUBLIC_URL: await startFixedServer(200, HEALTHY),
  };
  await sql`WITH jane AS (INSERT INTO accounts DEFAULT VALUES RETURNING id)
      INSERT INTO forwarding_settings (account_id, forwarding_email, forwarding_enabled, forwarding_confirmed)
      SELECT id, 'jane@example.org', true, false FROM jane`.execute(db);
  const waiting = expect.stringMatching(/^forwarding warning: 1 account waits for confirmation /);
  expect(await check(mailSettings, ...MAIL_TEST)).toEqual([waiting]);
  expect(mailServer.received).toMatchObject([
    { from: 'names@example.org', to: ['me@example.org'] },
  ]);
  mailServer.refusal = { code: 553, text: 'sender not owned' };
  expect(await check(mailSettings, ...MAIL_TEST)).toEqual([
    waiting,
    'mailFailing error: The mail server refuses the sender. Use the address of the login, or allow this one at your provider.',
  ]);
  await mailServer.close();
  expect(await check(mailSettings, ...MAIL_TEST)).toHaveLength(2);
  expect(await check(settings, ...MAIL_TEST)).toEqual([
    expect.stringMatching(/^mailMissing error: /),
  ]);
});

it('nameplate check names the command that prints a stored mail server as lines, and with SMTP_URL the one that deletes it', async () => {
  const { settings: database, db } = await createDatabase();
  const ENCRYPTION_KEY = TEST_ENCRYPTION_KEY.toString('hex');
  const PUBLIC_URL = await startFixedServer(200, HEALTHY);
  const settings = { ...database, ENCRYPTION_KEY, PUBLIC_URL };
  await storeMailServer({ db }, { host: '127.0.0.25' });
  const unreachable = expect.stringMatching(/^mailFailing error: .* no public address\. /);
  expect(await check(settings)).toEqual([
    unreachable,
    expect.stringMatching(/^mailStored warning: .* until 0\.5\.0\. /),
  ]);
  expect((await runCommand(settings, 'check')).stdout).toContain(
    'npx nameplate server.exportMailSettings\n',
  );
  expect(await runJson(settings, 'server.exportMailSettings')).toEqual({
    settings: "SMTP_URL='smtps://me:secret@127.0.0.25:465'\nMAIL_FROM=me@example.org",
  });
  const replaced = { ...settings, SMTP_URL: (await startMailServer()).url };
  expect(await check(replaced)).toEqual([expect.stringMatching(/^mailIgnored warning: /)]);
  expect((await runCommand(replaced, 'check')).stdout).toContain(
    'npx nameplate server.deleteMailSettings\n',
  );
  await runJson(replaced, 'server.deleteMailSettings');
  expect(await check(replaced)).toEqual([]);
  expect(
    await sql`SELECT action, via FROM audit_log ORDER BY created_at`.execute(db),
  ).toMatchObject({
    rows: [
      { action: 'server.exportMailSettings', via: 'command' },
      { action: 'server.deleteMailSettings', via: 'command' },
    ],
  });
});

it('nameplate check reports an encoding that cannot store all characters, too few allowed connections, and pending migrations, which it does not run', async () => {
  const { settings, db, name } = await createDatabase('template1');
  const encoding = `ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`;
  await sql.raw(`CREATE DATABASE ${name}_ascii ${encoding}`).execute(db);
  const url = `${settings.DATABASE_URL}_ascii`;
  expect(await check({ DATABASE_URL: url, DATABASE_POOL_SIZE: '1000' })).toEqual([
    expect.stringMatching(/^database error: The database encoding is SQL_ASCII, /),
    expect.stringMatching(/^database warning: .* 1017 connections, but .* only \d+\. /),
    expect.stringMatching(
      /^database warning: Migrations are pending: 0001-initial(, \S+)*\. Back up, /,
    ),
  ]);
  expect(await check(settings)).toHaveLength(1);
  expect(await isEmpty(db)).toBe(true);
});

it('nameplate check names the commands for a database whose collation has changed, and they mend it', async () => {
  const { settings, db, name } = await createDatabase('template1');
  const icu = `ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en' TEMPLATE template0`;
  await sql.raw(`CREATE DATABASE "${name}-icu" ${icu}`).execute(db);
  const DATABASE_URL = `${settings.DATABASE_URL}-icu`;
  await runCommand({ DATABASE_URL }, 'migrate');
  expect((await check({ DATABASE_URL })).join()).not.toContain('collation');
  await sql`UPDATE pg_database SET datcollversion = '1' WHERE datname = ${`${name}-icu`}`.execute(
    db,
  );
  const { findings } = (await runJson({ DATABASE_URL }, 'check')) as Check;
  const { fix } = findings.find(({ code }) => code === 'collationChanged')!;
  const { db: changed, close } = connectPostgresDatabase(DATABASE_URL);
  onTestFinished(close);
  const statements = [...fix!.matchAll(/(?<= -c ')[^']+/g)].map(([statement]) => statement);
  expect(statements).toHaveLength(2);
  for (const statement of statements) await sql.raw(statement).execute(changed);
  expect((await check({ DATABASE_URL })).join()).not.toContain('collation');
});

it('nameplate check warns about an unencrypted connection to another machine', async () => {
  const url = new URL((await createDatabase()).settings.DATABASE_URL);
  // Another spelling of the loopback address.
  url.hostname = '127.1';
  expect(await getOnlyFinding({ DATABASE_URL: `${url.href}?sslmode=disable` })).toMatch(
    /^database warning: The connection to the database is not encrypted\. /,
  );
  expect(await getOnlyFinding({ DATABASE_URL: url.href })).toMatch(
    /^database error: .*cannot be secured/,
  );
});

it('nameplate check reports that a forwarding provider refuses the credentials, without printing them', async () => {
  const { settings } = await createDatabase();
  const finding = await getOnlyFinding({
    ...settings,
    EMAIL_FORWARDING_PROVIDER: 'improvmx',
    IMPROVMX_API_KEY: 'hush',
    FORWARDING_API_URL: await startFixedServer(401, '{"error":"no"}'),
  });
  expect(finding).toMatch(/^forwarding error: The aliases cannot be read\. /);
  expect(finding).not.toContain('hush');
});

it('nameplate check explains why single sign-on cannot work', async () => {
  const { settings } = await createDatabase();
  const provider = await startForgingProvider();
  const https = await startHttpsServer((_request, response) => void response.end());
  onTestFinished(async () => void (await Promise.all([provider.close(), https.close()])));
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = provider.settings;
  const { host } = new URL(OIDC_ISSUER);
  const signOn = { ...settings, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET };
  expect(await check(signOn)).toEqual([]);
  const wrongSecret = { ...signOn, OIDC_CLIENT_SECRET: 'wrong' };
  expect(await getOnlyFinding(wrongSecret)).toBe(
    `signOnFailing error: ${host} refuses OIDC_CLIENT_ID or OIDC_CLIENT_SECRET (invalid_client), sent by client_secret_basic.`,
  );
  const methods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
  provider.forgery = { metadata: { token_endpoint_auth_methods_supported: methods } };
  expect(await getOnlyFinding(wrongSecret)).toContain(
    '(invalid_client), sent by client_secret_post and client_secret_basic.',
  );
  for (const [issuer, metadata, problem] of [
    [OIDC_ISSUER, { id_token_signing_alg_values_supported: ['HS256'] }, 'secret (alg_HS256). '],
    [`${OIDC_ISSUER}/x`, {}, 'a valid certificate (OAUTH_RESPONSE_IS_NOT_CONFORM). Check '],
    [`https://${https.host}`, {}, 'a valid certificate (DEPTH_ZERO_SELF_SIGNED_CERT). Check '],
  ] as const) {
    provider.forgery = { metadata };
    const finding = await getOnlyFinding({ ...signOn, OIDC_ISSUER: issuer });
    expect(finding).toMatch(/^signOnFailing error: /);
    expect(finding).toContain(problem);
  }
  provider.forgery = { metadata: { issuer: `${OIDC_ISSUER}/club/` } };
  expect(await getOnlyFinding(signOn)).toBe(
    `signOnFailing error: The provider calls itself ${OIDC_ISSUER}/club/: set OIDC_ISSUER to that.`,
  );
  expect(await getOnlyFinding({ ...signOn, OIDC_ISSUER: 'http://127.0.0.1:1' })).toBe(
    'signOnFailing warning: 127.0.0.1:1 cannot be reached (ECONNREFUSED).',
  );
});

it('nameplate check checks that PUBLIC_URL and PAGES_URL lead to Nameplate', async () => {
  const { settings } = await createDatabase();
  const PUBLIC_URL = await startFixedServer(200, HEALTHY);
  const page = await startFixedServer(200, 'User-agent: *\n');
  const unexpected = 'the response is not from Nameplate';
  const startProxy = (problem: string) =>
    startFixedServer(200, HEALTHY, { 'x-client-address': problem });
  for (const [setting, url, problem] of [
    ['PAGES_URL', page, undefined],
    ['PAGES_URL', PUBLIC_URL, `does not respond at PAGES_URL (${unexpected}). `],
    ['PAGES_URL', 'http://pages.invalid', 'PAGES_URL is not https, '],
    ['PUBLIC_URL', page, `does not respond at PUBLIC_URL (${unexpected}). `],
    ['PUBLIC_URL', 'http://127.0.0.1:1', 'does not respond at PUBLIC_URL (ECONNREFUSED). '],
    ['PUBLIC_URL', await startFixedServer(502, 'Bad Gateway'), 'PUBLIC_URL (status 502). '],
    ['PUBLIC_URL', await startProxy('unreadable'), 'must send the header X-Forwarded-For '],
    ['PUBLIC_URL', await startProxy('untrusted'), 'The proxy is not trusted, '],
  ] as const) {
    const address = setting === 'PAGES_URL' ? url.replace('127.0.0.1', 'localhost') : url;
    const [first = ''] = await check({ ...settings, PUBLIC_URL, [setting]: address });
    expect(first).toMatch(problem === undefined ? /^$/ : /^address warning: /);
    expect(first).toContain(problem ?? '');
  }
  expect(await check({ ...settings, PUBLIC_URL: 'http://club.invalid' })).toContain(
    'addressNotHttps warning: The address is not https, so others on the network can read API keys and session cookies.',
  );
});

it('nameplate check warns about a data folder without a database or with write access for others, and creates no database', async () => {
  const DATA_DIR = await createTempFolder();
  expect(await getOnlyFinding({ DATA_DIR })).toMatch(/^database warning: There is no database in /);
  expect(await readdir(DATA_DIR)).toEqual([]);
  const other = await copyDataDir();
  await chmod(other, 0o777);
  expect(await getOnlyFinding({ DATA_DIR: other })).toMatch(/^database error: The data folder .* /);
});

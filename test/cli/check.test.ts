import { chmod, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startMailServer } from '../forwarding/mail-server.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';
import { startHttpsServer } from '../support/https-server.ts';
import { createTempFolder } from '../support/server-process.ts';
import { startForgingProvider } from '../sign-on/support/forging-provider.ts';
import { type Settings, createDatabase, runCommand, runJson } from './support/command-line.ts';
import { readContents, isEmpty } from './support/contents.ts';

interface Check {
  ok: boolean;
  summaries: Record<string, string>;
  findings: { area: string; level: string; problem: string; fix: string }[];
}

/** Runs `nameplate check`, which must exit with 1 if it finds an error. */
async function check(settings: Settings): Promise<Check> {
  const { code, stdout, stderr } = await runCommand(settings, 'check', '--json');
  const result = JSON.parse(stdout) as Check;
  expect({ code, stderr }).toEqual({ code: result.ok ? 0 : 1, stderr: '' });
  expect(result.ok).toBe(result.findings.every(({ level }) => level !== 'error'));
  for (const { fix } of result.findings) expect(fix).toMatch(/\.$/);
  return result;
}

/** Runs `nameplate check` and formats its only finding. */
async function getOnlyFinding(settings: Settings) {
  const { findings } = await check(settings);
  expect(findings).toHaveLength(1);
  const [{ area, level, problem }] = findings as [Check['findings'][0]];
  return `${area} ${level}: ${problem}`;
}

/** Starts a server that sends the same response to every request. */
async function startFixedServer(status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const MAIL_TEST = ['check', '--json', '--mail', 'me@example.org'];

describe('nameplate check', () => {
  it('finds no problems in a correct installation, and changes nothing', async () => {
    const { settings, db } = await createDatabase();
    const before = await readContents(db);
    const { code, stdout, stderr } = await runCommand(settings, 'check');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^Settings +can be used\nDatabase +PostgreSQL at [^@]+, version \d+\.\d+\nForwarding +none, without a mail server\nAddress +PUBLIC_URL is not set: .*\nSign-on +off\n\nNo problems found\.\n$/,
    );
    expect(await readContents(db)).toEqual(before);
  });

  it('warns about settings that others can read', async () => {
    const { settings } = await createDatabase();
    const [before, folder] = [process.cwd(), await createTempFolder()];
    await writeFile(join(folder, '.env'), 'DATABASE_URL=postgres://jane:hush@127.0.0.1/x\n');
    await chmod(join(folder, '.env'), 0o644);
    onTestFinished(() => process.chdir(before));
    process.chdir(folder);
    expect(await getOnlyFinding(settings)).toBe(
      'settings warning: Other users of this machine can read DATABASE_URL in .env: chmod 600 .env',
    );
  });

  it('lists every invalid setting', async () => {
    expect(await getOnlyFinding({ PORT: 'x', LOG_LEVEL: 'loud' })).toMatch(
      /^settings error: Invalid settings: PORT must be a port number\. LOG_LEVEL must be one of /,
    );
  });

  it('says why a database cannot be used', async () => {
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

  it('lists pending migrations, and runs none', async () => {
    const { settings, db } = await createDatabase('template1');
    expect(await getOnlyFinding(settings)).toMatch(
      /^database warning: Migrations are pending: 0001-initial(, \S+)*\.$/,
    );
    expect(await isEmpty(db)).toBe(true);
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
  ])('refuses a database: %s', async (problem, statements) => {
    const { settings, db, name } = await createDatabase();
    await sql.raw(statements.replaceAll('$name', () => name)).execute(db);
    expect(await getOnlyFinding(settings)).toBe(`database error: ${problem}`);
  });

  it('lists missing privileges of the server’s role', async () => {
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
      /^database error: Migrations are pending: .* The user of DATABASE_URL may not create tables\.$/,
    );
    await runJson(settings, 'migrate');
    await sql.raw(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`).execute(db);
    // Nothing listens at SMTP_URL, so there is a second finding.
    const { findings } = await check({
      DATABASE_URL: url.href,
      SMTP_URL: 'smtp://127.0.0.1:1',
      PUBLIC_URL: await startFixedServer(200, '{"status":"ok"}'),
    });
    expect(findings.map(({ problem }) => problem)).toEqual([
      'The user of DATABASE_URL can neither use nor create the job queue (schema pgboss).',
      'The mail server of SMTP_URL cannot be used (ESOCKET).',
    ]);
    await sql
      .raw(`GRANT USAGE ON SCHEMA pgboss TO ${role};
        GRANT SELECT ON ALL TABLES IN SCHEMA pgboss TO ${role}`)
      .execute(db);
    expect((await check({ DATABASE_URL: url.href })).findings).toEqual([]);
  });

  it('sends a test mail with --mail, and reports a refusal', async () => {
    const mailServer = await startMailServer();
    const { settings } = await createDatabase();
    const mailSettings = {
      ...settings,
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'names@example.org',
      PUBLIC_URL: await startFixedServer(200, '{"status":"ok"}'),
    };
    const run = async () => {
      const { code, stdout } = await runCommand(mailSettings, ...MAIL_TEST);
      return { code, ...(JSON.parse(stdout) as Check) };
    };
    const forwarding = 'none, with a mail server, which accepted a test mail to me@example.org';
    expect(await run()).toMatchObject({ code: 0, summaries: { forwarding }, findings: [] });
    expect(mailServer.received).toMatchObject([
      { from: 'names@example.org', to: ['me@example.org'] },
    ]);
    mailServer.refusal = { code: 553, text: 'sender not owned' };
    const problem =
      'The mail server did not accept the test mail to me@example.org (EENVELOPE 553).';
    expect(await run()).toMatchObject({ code: 1, findings: [{ level: 'error', problem }] });
    await mailServer.close();
    expect((await run()).findings).toHaveLength(1);
    const { code, stdout } = await runCommand(settings, ...MAIL_TEST);
    expect(code).toBe(1);
    expect(stdout).toContain('A test mail cannot be sent: SMTP_URL is not set.');
  });

  it('reports an encoding that cannot store all characters, and too few allowed connections', async () => {
    const { db, name } = await createDatabase();
    await sql
      .raw(`CREATE DATABASE ${name}_ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`)
      .execute(db);
    const url = new URL((await createDatabase()).settings.DATABASE_URL);
    url.pathname = `/${name}_ascii`;
    const { findings } = await check({ DATABASE_URL: url.href, DATABASE_POOL_SIZE: '1000' });
    expect(findings.map(({ level, problem }) => `${level}: ${problem}`)).toEqual([
      'error: The database encoding is SQL_ASCII, which cannot store all characters.',
      expect.stringMatching(
        /^warning: The server may open 1014 connections, but PostgreSQL allows only \d+\.$/,
      ),
      expect.stringMatching(/^warning: Migrations are pending: /),
    ]);
  });

  it('warns about an unencrypted connection to another machine', async () => {
    const url = new URL((await createDatabase()).settings.DATABASE_URL);
    // Another spelling of the loopback address.
    url.hostname = '127.1';
    expect(await getOnlyFinding({ DATABASE_URL: `${url.href}?sslmode=disable` })).toBe(
      'database warning: The connection to the database is not encrypted.',
    );
    expect(await getOnlyFinding({ DATABASE_URL: url.href })).toMatch(
      /^database error: .*cannot be secured/,
    );
  });

  it('reports that a forwarding provider refuses the credentials, without printing them', async () => {
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

  it.each([
    ['no server', async () => 'http://127.0.0.1:1', 'ECONNREFUSED'],
    ['a proxy without a server', () => startFixedServer(502, 'Bad Gateway'), 'status 502'],
    [
      'another website',
      () => startFixedServer(200, '<html>'),
      'the response is not from Nameplate',
    ],
  ])('reports that %s responds at PUBLIC_URL', async (_who, address, reason) => {
    const { settings } = await createDatabase();
    expect(await getOnlyFinding({ ...settings, PUBLIC_URL: await address() })).toBe(
      `address warning: Nameplate does not respond at PUBLIC_URL (${reason}).`,
    );
  });

  it('warns about a PUBLIC_URL without encryption', async () => {
    const { settings } = await createDatabase();
    const { findings } = await check({ ...settings, PUBLIC_URL: 'http://nameplate.invalid' });
    expect(findings.map(({ level, problem }) => `${level}: ${problem}`)).toContain(
      'warning: PUBLIC_URL is not https, so others on the network can read API keys and session cookies.',
    );
  });

  it('explains why single sign-on cannot work', async () => {
    const { settings } = await createDatabase();
    const provider = await startForgingProvider();
    const https = await startHttpsServer((_request, response) => void response.end());
    onTestFinished(async () => void (await Promise.all([provider.close(), https.close()])));
    const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = provider.settings;
    const { host } = new URL(OIDC_ISSUER);
    const signOn = { ...settings, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET };
    expect(await check(signOn)).toMatchObject({ findings: [], summaries: { 'sign-on': host } });
    const wrongSecret = { ...signOn, OIDC_CLIENT_SECRET: 'wrong' };
    expect(await getOnlyFinding(wrongSecret)).toBe(
      `sign-on error: ${host} refuses OIDC_CLIENT_ID or OIDC_CLIENT_SECRET (invalid_client).`,
    );
    for (const [issuer, metadata, problem] of [
      [OIDC_ISSUER, { issuer: `${OIDC_ISSUER}/club/` }, `calls itself ${OIDC_ISSUER}/club/: set `],
      [OIDC_ISSUER, { id_token_signing_alg_values_supported: ['HS256'] }, 'secret (alg_HS256). '],
      [`${OIDC_ISSUER}/x`, {}, 'a valid certificate (OAUTH_RESPONSE_IS_NOT_CONFORM). Check '],
      [`https://${https.host}`, {}, 'a valid certificate (DEPTH_ZERO_SELF_SIGNED_CERT). Check '],
    ] as const) {
      provider.forgery = { metadata };
      const finding = await getOnlyFinding({ ...signOn, OIDC_ISSUER: issuer });
      expect(finding).toMatch(/^sign-on error: /);
      expect(finding).toContain(problem);
    }
    expect(await getOnlyFinding({ ...signOn, OIDC_ISSUER: 'http://127.0.0.1:1' })).toBe(
      'sign-on warning: 127.0.0.1:1 cannot be reached (ECONNREFUSED).',
    );
  });

  it('checks that PAGES_URL leads to Nameplate', async () => {
    const { settings } = await createDatabase();
    const PUBLIC_URL = await startFixedServer(200, '{"status":"ok"}');
    const pages = await startFixedServer(200, 'User-agent: *\n');
    const PAGES_URL = pages.replace('127.0.0.1', 'localhost');
    expect(await check({ ...settings, PUBLIC_URL, PAGES_URL })).toMatchObject({
      ok: true,
      findings: [],
      summaries: { address: `${PUBLIC_URL}, pages at ${PAGES_URL}` },
    });
    const other = PUBLIC_URL.replace('127.0.0.1', 'localhost');
    expect(await getOnlyFinding({ ...settings, PUBLIC_URL, PAGES_URL: other })).toBe(
      'address warning: Nameplate does not respond at PAGES_URL (the response is not from Nameplate).',
    );
  });

  it('warns about a data folder without a database or with write access for others, and creates no database', async () => {
    const DATA_DIR = await createTempFolder();
    expect(await getOnlyFinding({ DATA_DIR })).toMatch(
      /^database warning: There is no database in /,
    );
    expect(await readdir(DATA_DIR)).toEqual([]);
    const other = await copyDataDir();
    await chmod(other, 0o777);
    expect(await getOnlyFinding({ DATA_DIR: other })).toMatch(
      /^database error: The data folder .* /,
    );
  });
});

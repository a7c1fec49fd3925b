import { existsSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, inject, it, onTestFinished } from 'vitest';
import { assertOwnSessions } from '#db/connections/own-sessions.ts';
import { listMetricPartitions } from '#db/partitions.ts';
import { ConfigError, loadConfig, Settings } from '#server/platform/settings/config.ts';
import { explainDatabaseFailure } from '#server/platform/settings/start-failure.ts';
import { retryUntilDatabaseReady } from '#server/process/start.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';
import { listen } from '../support/listen.ts';
import { openAsServer } from '../support/open-as-server.ts';
import { spawnServer } from '../support/server-process.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

async function failToStart(settings: Record<string, string>): Promise<string> {
  const server = spawnServer(settings);
  expect(await server.exited).toBe(1);
  expect(server.stderr()).not.toContain('    at ');
  return server.stderr();
}

/**
 * Opens and migrates the database as a server does, and expects a failure. Returns the message for
 * the operator.
 */
async function failToOpen(settings: Record<string, string>): Promise<string | undefined> {
  const config = loadConfig(settings);
  const logger = { warn: () => {}, error: () => {} };
  const openFromConfig = async () => {
    const database = await openAsServer(settings);
    onTestFinished(database.close);
    const prepare = async () => {
      await assertOwnSessions(database.db, database.readDb);
      await database.migrate();
    };
    const onWait = (text: string) => expect.unreachable(text);
    await retryUntilDatabaseReady(prepare, { config, logger, onWait });
    expect.unreachable('the database can be used');
  };
  const error: unknown = await openFromConfig().catch((reason: unknown) => reason);
  return explainDatabaseFailure(error, config);
}

/** Returns the variables in the error message, with duplicates. */
function invalidVariables(settings: Record<string, string>): string[] {
  try {
    loadConfig(settings);
    return [];
  } catch (error) {
    return [...(error as Error).message.matchAll(/^(?:Invalid settings:| +) ([A-Z_]+) /gm)].map(
      ([, name = '']) => name,
    );
  }
}

it('a server that cannot start prints one message and exits with 1 when settings are invalid: it lists them all, each on a line', async () => {
  const settings = {
    PORT: '70000',
    DATABASE_URL: 'mysql://127.0.0.1/x',
    MAIL_DOMAIN: 'not a domain',
    CORS_ORIGINS: 'https://example.com, example.org',
    PUBLIC_URL: 'https://jane@example.com',
    LOG_LEVEL: 'loud',
    NAME_QUARANTINE_DAYS: '-1',
  };
  const output = await failToStart(settings);
  expect(output).toMatch(/^Invalid settings: (?:[A-Z_]+ [^\n]+\.\n {18}){6}[A-Z_]+ [^\n]+\.\n$/);
  expect(output).toContain('LOG_LEVEL must be one of fatal, error, ');
  for (const name of Object.keys(settings)) expect(output).toContain(name);
});

it.each(Object.keys(Settings.shape))(
  'a server that cannot start prints one message and exits with 1 when %s is invalid in several ways: it lists it once',
  (name) => {
    for (const value of ['~', 'foo', '-1', '1.5', '9e99', 'http://', 'a b,c d', 'smtp://%zz@x']) {
      const output = invalidVariables({ [name]: value });
      expect(output.length, `${name}=${value}`).toBe(new Set(output).size);
    }
  },
);

const NO_URL =
  'DATABASE_URL must be a URL such as postgres://user:password@host:5432/database, with the special characters of its parts percent-encoded.';
const SEVERAL_HOSTS =
  'DATABASE_URL must name one host; for several servers, use a proxy that connects to the primary, such as HAProxy.';
const PAGES_URL = 'https://pages.example.net/';

it.each([
  [
    { CORS_ORIGINS: 'https://a.example, b.example, *' },
    'CORS_ORIGINS must be origins such as https://example.com: b.example, *.',
  ],
  [
    { DNS_SERVERS: '2001:db8::1, [2001:db8::1]:53, 192.0.2.1:65535, 192.0.2.1:65536' },
    'DNS_SERVERS must be addresses such as 192.0.2.1 or 192.0.2.1:5353, separated by commas: 192.0.2.1:65536.',
  ],
  [{ DATABASE_URL: 'postgres://jane:top#secret@127.0.0.1/x' }, NO_URL],
  [{ DATABASE_URL: 'postgres://jane:secret@127.0.0.1:99999/x' }, NO_URL],
  [{ DATABASE_URL: 'postgres://jane:secret@[127.0.0.1/x' }, NO_URL],
  [{ DATABASE_URL: 'postgres://jane:secret@one,two/x' }, SEVERAL_HOSTS],
  [{ DATABASE_URL: 'postgres://one:5432,two:5432/x?target_session_attrs=primary' }, SEVERAL_HOSTS],
  [{ DATABASE_URL: 'postgres://jane:secret@/x?host=one,two' }, SEVERAL_HOSTS],
  [{ PAGES_URL }, 'PUBLIC_URL is needed when PAGES_URL is set, for everything except pages.'],
  [
    { PAGES_URL, PUBLIC_URL: 'https://Pages.example.net:8443' },
    'PAGES_URL must have a different host from PUBLIC_URL.',
  ],
  [{ DATA_DIR: '~/nameplate' }, 'DATA_DIR must be a full path: only a shell expands ~.'],
])(
  'a server that cannot start prints one message and exits with 1 when settings are %j, without printing secrets',
  (settings, reason) => {
    expect(() => loadConfig(settings)).toThrow(new ConfigError(`Invalid settings: ${reason}`));
  },
);

it('a command does not stop because the links in mails have no address', () => {
  expect(loadConfig({ SMTP_URL: 'smtp://localhost' }, { isCommand: true })).toMatchObject({
    SMTP_URL: 'smtp://localhost',
  });
});

it('a password may contain a comma, an origin its port, and PAGES_URL a slash at its end', () => {
  expect(
    loadConfig({
      CORS_ORIGINS: 'https://App.Example:443',
      DATABASE_URL: 'postgres://jane:a,b@one/x',
      PUBLIC_URL: 'https://example.org',
      PAGES_URL,
    }),
  ).toMatchObject({
    CORS_ORIGINS: ['https://app.example'],
    PAGES_URL: 'https://pages.example.net',
  });
});

it.each([
  'nonsense',
  'https://x.example:99999',
  'http://[::',
  'https://jane@x.example',
  'https://x.example/names',
])(
  'a server that cannot start prints one message, and exits with 1 if %s is no usable URL',
  (url) => {
    const reason = 'must be an http or https URL such as https://api.example.com, without path, ';
    expect(() => loadConfig({ PUBLIC_URL: url })).toThrow(`Invalid settings: PUBLIC_URL ${reason}`);
    expect(() => loadConfig({ PUBLIC_URL: 'https://x.example', PAGES_URL: url })).toThrow(
      `Invalid settings: PAGES_URL ${reason}`,
    );
  },
);

it.each(['PORT', 'PROMETHEUS_PORT'])(
  'a server that cannot start prints one message and exits with 1 when the port of %s is in use',
  async (name) => {
    const { port, close } = await listen(createServer());
    onTestFinished(close);
    const DATABASE_URL = await createPostgresDatabase('nameplate_template');
    expect(await failToStart({ [name]: String(port), DATABASE_URL })).toBe(
      `Port ${port} on 127.0.0.1 is in use. Stop the other program, or choose another ${name}.\n`,
    );
  },
);

it('a server that cannot start prints one message and exits with 1 when the port is in use at the first start, without a database', async () => {
  const { port, close } = await listen(createServer());
  onTestFinished(close);
  const DATA_DIR = join(inject('tempDir'), 'port-in-use');
  expect(await failToStart({ PORT: String(port), DATA_DIR })).toContain('is in use');
  expect(existsSync(DATA_DIR)).toBe(false);
});

it('a server that cannot start prints one message and exits with 1 when the data folder cannot be created', async () => {
  // Not even root can create a folder below a file.
  expect(await failToOpen({ DATA_DIR: '/dev/null/data' })).toBe(
    "The data folder /dev/null/data cannot be written (EEXIST: file already exists, mkdir '/dev/null'); check its permissions and space, or choose another DATA_DIR.",
  );
});

it('a server that cannot start prints one message and exits with 1 when the database in the data folder is damaged', async () => {
  const DATA_DIR = await copyDataDir();
  await truncate(join(DATA_DIR, 'postgresql-18', 'global', 'pg_control'), 100);
  const output = await failToStart({ DATA_DIR });
  expect(output).toMatch(/^The database in \S+ does not start: .*pg_control.*\n$/);
});

it('a server that cannot start prints one message and exits with 1 when the password is wrong, without printing it', async () => {
  const url = new URL(await createPostgresDatabase());
  url.password = 'wrong-password';
  const output = await failToOpen({ DATABASE_URL: url.href });
  expect(output).toContain('The PostgreSQL server refused the user or password of DATABASE_URL.');
  expect(output).not.toContain('wrong-password');
});

it('a server that cannot start prints one message and exits with 1 when a migration fails, with its name and PostgreSQL’s message', async () => {
  const DATABASE_URL = await createPostgresDatabase();
  const { db, close } = connectPostgresDatabase(DATABASE_URL);
  await sql`CREATE TABLE sites (id integer)`.execute(db);
  await close();
  const server = spawnServer({ DATABASE_URL, LOG_LEVEL: 'debug' });
  expect(await server.exited).toBe(1);
  expect(server.stderr().split('\n')).toEqual([
    'Migration 0001-initial failed and was rolled back: PostgreSQL reported "relation "sites" already exists". Fix the cause and start again, or run the previous version.',
    '',
  ]);
  // The stack is logged at debug level.
  expect(server.stdout()).toMatch(/"level":"debug".*db\/migrations\/0001-initial\.ts:\d+/);
});

it('a server that cannot start prints one message and exits with 1 when metric partitions for the next months cannot be created', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const { db, close } = connectPostgresDatabase(DATABASE_URL);
  const { name } = (await listMetricPartitions(db)).at(-1)!;
  await sql`DROP TABLE ${sql.id(name)}`.execute(db);
  await sql`CREATE TABLE ${sql.id(name)} (color text)`.execute(db);
  await close();
  expect(await failToOpen({ DATABASE_URL })).toBe(
    `The metric partitions of the coming months cannot be created: PostgreSQL reported "table "${name}" contains column "color" not found in parent "metrics"". Fix the cause and start again.`,
  );
});

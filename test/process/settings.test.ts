import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, inject, it } from 'vitest';
import { isServerUnavailable } from '#db/sql-state.ts';
import { openServerDatabase } from '#server/database.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { secureDatabaseUrl } from '#server/platform/settings/database-url.ts';
import {
  toBrowsableOrigin,
  describeListeningAddress,
} from '#server/platform/settings/listening-address.ts';
import {
  exposedSettingsWarning,
  explainDatabaseFailure,
} from '#server/platform/settings/start-failure.ts';
import { createTempFolder } from '../support/server-process.ts';

const ENCRYPTED = 'sslmode=verify-full';

describe('a connection to a database', () => {
  it.each([
    ['postgres://u:p%40@db.example.org/n', `postgres://u:p%40@db.example.org/n?${ENCRYPTED}`],
    ['postgresql://10.0.0.7:5433/n', `postgresql://10.0.0.7:5433/n?${ENCRYPTED}`],
    ['postgres://db/n?application_name=a', `postgres://db/n?application_name=a&${ENCRYPTED}`],
    ['postgres://db/n?sslrootcert=/ca.pem', `postgres://db/n?sslrootcert=%2Fca.pem&${ENCRYPTED}`],
    ['postgres://db/n?sslmode=prefer', `postgres://db/n?${ENCRYPTED}`],
    ['postgres://db/n?sslmode=require', `postgres://db/n?${ENCRYPTED}`],
    [
      'postgres://127.0.0.1/n?host=db.example.org',
      `postgres://127.0.0.1/n?host=db.example.org&${ENCRYPTED}`,
    ],
    ['postgres://localhost.example.org/n', `postgres://localhost.example.org/n?${ENCRYPTED}`],
  ])('to another machine is encrypted: %s', (databaseUrl, url) => {
    expect(secureDatabaseUrl(databaseUrl)).toEqual({ url, isPlain: false });
  });

  it.each([
    'postgres://u:p@localhost/n',
    'postgres://127.0.0.1:5432/n',
    'postgres://[::1]/n',
    'postgres:///n',
    'postgres://%2Fvar%2Frun%2Fpostgresql/n',
    'postgres:///n?host=/var/run/postgresql',
    'postgres://localhost/n?sslmode=disable',
  ])('to this machine is unchanged: %s', (url) => {
    expect(secureDatabaseUrl(url)).toEqual({ url, isPlain: false });
  });

  it.each([
    ['postgres://db/n?sslmode=disable', true],
    ['postgres://db/n?ssl=0', true],
    ['postgres://db/n?ssl=true', false],
    ['postgres://db/n?sslmode=no-verify', false],
    ['postgres://db/n?uselibpqcompat=true&sslmode=require', false],
  ])(
    'keeps the setting in the URL and reports whether it is unencrypted: %s',
    (url, isUnencrypted) => {
      expect(secureDatabaseUrl(url)).toEqual({ url, isPlain: isUnencrypted });
    },
  );

  it('is unencrypted only if the URL says so, and the description mentions it', async () => {
    const url = new URL(inject('postgresUrl'));
    // An address of this machine that does not count as local.
    url.hostname = '0.0.0.0';
    const openUrl = (databaseUrl: string) =>
      openServerDatabase(loadConfig({ DATABASE_URL: databaseUrl }), {
        logger: pino({ level: 'silent' }),
        onMessage: () => {},
        findAddress: () => undefined,
      });
    const refused = await openUrl(url.href);
    await expect(refused.db.selectFrom('accounts').select('id').execute()).rejects.toThrow(
      'The server does not support SSL connections',
    );
    expect(refused.description).not.toContain('encrypted');
    await refused.close();
    url.search = 'sslmode=disable';
    const unencrypted = await openUrl(url.href);
    expect(unencrypted.description).toBe(`PostgreSQL at ${url.host}${url.pathname}, not encrypted`);
    await unencrypted.close();
  });
});

async function writeSettings(text: string, mode: number): Promise<string> {
  const file = join(await createTempFolder(), '.env');
  await writeFile(file, text, { mode });
  return file;
}

it('a secret in a settings file that others can read is reported', async () => {
  for (const [text, name] of [
    ['PORT=3001\nDATABASE_URL=postgres://jane:secret@127.0.0.1/x\n', 'DATABASE_URL'],
    ['  export IMPROVMX_API_KEY = "sk_secret"', 'IMPROVMX_API_KEY'],
    ['CLOUDFLARE_API_TOKEN=secret', 'CLOUDFLARE_API_TOKEN'],
  ] as const) {
    const file = await writeSettings(text, 0o640);
    expect(exposedSettingsWarning(file)).toBe(
      `Other users of this machine can read ${name} in ${file}: chmod 600 ${file}`,
    );
  }
});

it('settings without a secret, or unreadable to others, are not reported', async () => {
  const secret = 'DATABASE_URL=postgres://jane:secret@127.0.0.1/x';
  expect(exposedSettingsWarning(await writeSettings(secret, 0o600))).toBeUndefined();
  expect(
    exposedSettingsWarning(await writeSettings(`#${secret}\nPORT=3001`, 0o644)),
  ).toBeUndefined();
  expect(
    exposedSettingsWarning(await writeSettings('DATABASE_URL=\nPORT=3001\n', 0o644)),
  ).toBeUndefined();
  expect(exposedSettingsWarning(join(await createTempFolder(), '.env'))).toBeUndefined();
});

const ALL_INTERFACES = ' and all other addresses of this machine,';

it.each([
  ['127.0.0.1', 'IPv4', 'http://127.0.0.1:3000', ''],
  ['192.0.2.7', 'IPv4', 'http://192.0.2.7:3000', ''],
  ['::1', 'IPv6', 'http://[::1]:3000', ''],
  ['0.0.0.0', 'IPv4', 'http://127.0.0.1:3000', ALL_INTERFACES],
  ['::', 'IPv6', 'http://localhost:3000', ALL_INTERFACES],
])(
  'a server that listens on %s prints a usable address, and says whether it listens on all interfaces',
  (host, family, address, otherAddressesNote) => {
    expect(describeListeningAddress({ address: host, family, port: 3000 })).toEqual({
      address,
      otherAddressesNote,
    });
  },
);

it.each([
  ['http://127.0.0.1:3000', 'http://localhost:3000'],
  ['http://[::1]:3000', 'http://localhost:3000'],
  ['http://127.0.0.1', 'http://localhost'],
  ['http://127.0.0.12:3000', 'http://127.0.0.12:3000'],
  ['http://192.0.2.7:3000', 'http://192.0.2.7:3000'],
  ['https://names.example.org', 'https://names.example.org'],
])('links for %s begin with %s', (address, link) => {
  expect(toBrowsableOrigin(address)).toBe(link);
});

const config = loadConfig({ DATABASE_URL: 'postgres://jane:secret@db.example.org/nameplate' });

it.each([
  ['ECONNREFUSED', 'connect ECONNREFUSED 192.0.2.7:5432', 'nothing listens there (ECONNREFUSED)'],
  ['ENOENT', 'connect ENOENT /run/.s.PGSQL.5432', 'nothing listens there (ENOENT)'],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND db', 'its host name cannot be resolved (ENOTFOUND)'],
  ['EAI_AGAIN', 'getaddrinfo EAI_AGAIN db', 'its host name cannot be resolved (EAI_AGAIN)'],
  ['EHOSTUNREACH', 'connect EHOSTUNREACH', 'there is no route to it (EHOSTUNREACH)'],
  ['ENETUNREACH', 'connect ENETUNREACH', 'there is no route to it (ENETUNREACH)'],
  ['ETIMEDOUT', 'connect ETIMEDOUT', 'it does not respond in time (ETIMEDOUT)'],
  [undefined, 'timeout expired', 'it does not respond in time'],
  [undefined, 'Connection terminated due to connection timeout', 'it does not respond in time'],
  [undefined, 'Connection terminated unexpectedly', 'the connection was lost'],
  ['ECONNRESET', 'read ECONNRESET', 'the connection was lost (ECONNRESET)'],
  ['57P03', 'the database system is starting up', 'it is starting or stopping (57P03)'],
  ['53300', 'sorry, too many clients already', 'all its connections are in use (53300)'],
])('an unreachable database with %s (%s) is reported with the reason', (code, message, reason) => {
  const error = Object.assign(new Error(message), {
    code,
    ...(message.startsWith('connect ') && { syscall: 'connect' }),
  });
  expect(explainDatabaseFailure(error, config)).toBe(
    `The PostgreSQL server of DATABASE_URL cannot be reached: ${reason}.`,
  );
});

it.each([
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
])('an untrusted certificate (%s) is not reported as unreachable', (code, message) => {
  expect(explainDatabaseFailure(Object.assign(new Error(message), { code }), config)).toContain(
    `cannot be secured (${code})`,
  );
});

it.each([
  'server login has been failing, try again later (server_login_retry)',
  'client_login_timeout (server down)',
  'server conn crashed?',
  'no more connections allowed (max_client_conn)',
])('a PgBouncer error about a missing database server counts as unavailable (%s)', (message) => {
  expect(isServerUnavailable(Object.assign(new Error(message), { code: '08P01' }))).toBe(true);
});

it('an error that Citus requires a superuser is reported with instructions', () => {
  const message = 'must be superuser to alter superuser roles or change superuser attribute';
  const error = Object.assign(new Error(message), { code: '42501' });
  expect(explainDatabaseFailure(error, config)).toBe(
    `PostgreSQL allows this only for a superuser (${message}). With Citus, run db/citus.sql after the migrations, then start: see docs/citus.md.`,
  );
});

it('a missing password is reported', () => {
  const error = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string');
  expect(explainDatabaseFailure(error, config)).toBe(
    'The PostgreSQL server of DATABASE_URL requires a password. Add it to DATABASE_URL.',
  );
});

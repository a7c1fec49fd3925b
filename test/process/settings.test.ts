import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { isServerUnavailable } from '#db/sql-state.ts';
import { ALL_FEATURES, listFeatures } from '#server/features/call-features.ts';
import { ConfigError, loadConfig } from '#server/platform/settings/config.ts';
import { secureDatabaseUrl } from '#server/platform/settings/database-url.ts';
import { settingNameOf } from '#server/platform/settings/feature-settings.ts';
import {
  toBrowsableOrigin,
  describeListeningAddress,
} from '#server/platform/settings/listening-address.ts';
import { passkeyHost } from '#server/platform/settings/relying-party.ts';
import {
  exposedSettingsWarning,
  explainDatabaseFailure,
  explainListenFailure,
} from '#server/platform/settings/start-failure.ts';
import { explainUnknownSettings } from '#server/platform/settings/unknown-settings.ts';
import { openAsServer } from '../support/open-as-server.ts';
import { createTempFolder } from '../support/server-process.ts';

const ENCRYPTED = 'sslmode=verify-full';

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
])('a connection to a database to another machine is encrypted: %s', (databaseUrl, url) => {
  expect(secureDatabaseUrl(databaseUrl)).toEqual({ url, isUnencrypted: false });
});

it.each([
  // To this machine
  ['postgres://u:p@localhost/n', false],
  ['postgres://127.0.0.1:5432/n', false],
  ['postgres://[::1]/n', false],
  ['postgres:///n', false],
  ['postgres://%2Fvar%2Frun%2Fpostgresql/n', false],
  ['postgres:///n?host=/var/run/postgresql', false],
  ['postgres://localhost/n?sslmode=disable', false],
  // With a setting in the URL
  ['postgres://db/n?sslmode=disable', true],
  ['postgres://db/n?ssl=0', true],
  ['postgres://db/n?ssl=true', false],
  ['postgres://db/n?sslmode=no-verify', false],
  ['postgres://db/n?uselibpqcompat=true&sslmode=require', false],
])(
  'a connection to a database is unchanged, and it is reported whether it needs but lacks encryption: %s',
  (url, isUnencrypted) => {
    expect(secureDatabaseUrl(url)).toEqual({ url, isUnencrypted: isUnencrypted });
  },
);

it.each(['sslrootcert', 'sslcert', 'sslkey'])(
  'a connection to a database needs the file in %s of its URL',
  (name) => {
    const load = (file: string) => loadConfig({ DATABASE_URL: `postgres://db/n?${name}=${file}` });
    expect(() => load('/nowhere/ca.pem')).toThrow(
      `Invalid settings: DATABASE_URL names a file in ${name} that cannot be read (ENOENT: no such file or directory, open '/nowhere/ca.pem').`,
    );
    expect(() => load('/tmp')).toThrow('cannot be read (EISDIR');
    expect(() => load(import.meta.filename)).not.toThrow();
  },
);

it('a connection to a database is unencrypted only if the URL says so, and the description mentions it', async () => {
  const url = new URL(inject('postgresUrl'));
  // An address of this machine that does not count as local.
  url.hostname = '0.0.0.0';
  const refused = await openAsServer({ DATABASE_URL: url.href });
  await expect(refused.db.selectFrom('accounts').select('id').execute()).rejects.toThrow(
    'The server does not support SSL connections',
  );
  expect(refused.description).not.toContain('encrypted');
  await refused.close();
  url.search = 'sslmode=disable';
  const unencrypted = await openAsServer({ DATABASE_URL: url.href });
  expect(unencrypted.description).toBe(`PostgreSQL at ${url.host}${url.pathname}, not encrypted`);
  await unencrypted.close();
});

it.each([
  ['PORT=3001\nDATABASE_URL=postgres://jane:secret@127.0.0.1/x\n', 0o640, 'DATABASE_URL'],
  ['  export IMPROVMX_API_KEY = "sk_secret"', 0o644, 'IMPROVMX_API_KEY'],
  ['CLOUDFLARE_API_TOKEN=secret', 0o640, 'CLOUDFLARE_API_TOKEN'],
  ['SMTP_URL="smtps://jane@club.example:secret@mail.example:465"', 0o644, 'SMTP_URL'],
  ['DATABASE_URL=postgres:///x?user=jane&password=secret', 0o644, 'DATABASE_URL'],
  ['SMTP_URL=smtp://127.0.0.1:25\nDATABASE_URL=postgres://jane@db:5432/x', 0o644, undefined],
  ['SMTP_URL=smtp://127.0.0.1:25\nSMTP_URL=smtp://me:pw@127.0.0.1:25', 0o644, 'SMTP_URL'],
  ['REPLACE_ENCRYPTION_KEY=true', 0o644, undefined],
  ['DATABASE_URL=postgres://jane:secret@127.0.0.1/x', 0o600, undefined],
  ['#DATABASE_URL=postgres://jane:secret@127.0.0.1/x\nPORT=3001', 0o644, undefined],
  ['DATABASE_URL=\nPORT=3001\n', 0o644, undefined],
])('of settings in %j with mode %o, others can read the secret %s', async (text, mode, name) => {
  const file = join(await createTempFolder(), '.env');
  expect(exposedSettingsWarning(file)).toBeUndefined();
  await writeFile(file, text, { mode });
  expect(exposedSettingsWarning(file)).toBe(
    name && `Other users of this machine can read ${name} in ${file}: chmod 600 ${file}`,
  );
});

it('unknown settings are named: all of the file, and misspelled ones of the environment', async () => {
  const file = join(await createTempFolder(), '.env');
  const explain = (text: string, env = {}) =>
    writeFile(file, text).then(() => explainUnknownSettings(env, file));
  const [open, unknown] = ['REGISTRATON=open', 'is not a setting and has no effect.'];
  const typo = `REGISTRATON ${unknown} Did you mean REGISTRATION, `;
  expect(explainUnknownSettings({}, file)).toEqual([]);
  expect(await explain(`PORT=1\n${open}\nTHEME=dark`, { REGISTRATON: 'open' })).toEqual([
    expect.stringContaining(typo),
    `THEME ${unknown}`,
  ]);
  for (const name of ['DATABASE_URI', 'SMTPURL', 'public_url', 'DATADIR', 'MIAL_FROM', 'PUBLICURL'])
    expect([name, await explain('', { [name]: 'x' })]).toEqual([
      name,
      [expect.stringMatching(` ${unknown} Did you mean [A-Z_]+`)],
    ]);
  const usual = `PATH HOME HOSTNAME MAIL USER LOGNAME TERM SHELL PWD LANG PORTS POST TZ HTTP_PROXY
    REDIS_PORT KUBERNETES_SERVICE_HOST PGHOST NODE_ENV NAMEPLATE_API_KEY XDG_DATA_DIRS DATABASE`;
  const others = Object.fromEntries(usual.split(/\s+/).map((name) => [name, 'x']));
  expect(await explain('POSTGRES_PASSWORD=x\n#OLD=1', { ...process.env, ...others })).toEqual([]);
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
  ['http://0.0.0.0:3000', 'http://localhost:3000'],
  ['http://[::]:3000', 'http://localhost:3000'],
  ['http://127.0.0.12:3000', 'http://127.0.0.12:3000'],
  ['http://192.0.2.7:3000', 'http://192.0.2.7:3000'],
  ['https://names.example.org', 'https://names.example.org'],
])('links for %s begin with %s', (address, link) => {
  expect(toBrowsableOrigin(address)).toBe(link);
});

const external = loadConfig({ DATABASE_URL: 'postgres://jane:secret@db.example.org/nameplate' });

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
  expect(explainDatabaseFailure(error, external)).toBe(
    `The PostgreSQL server of DATABASE_URL cannot be reached: ${reason}.`,
  );
});

const POOLER_MESSAGE = 'unsupported startup parameter: lock_timeout';
const CITUS_MESSAGE = 'must be superuser to alter superuser roles';

it.each([
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'certificate',
    /\(UNABLE_TO_VERIFY_.*\)\. .*sslrootcert=(?!.*disable)/,
  ],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'no', /cannot be secured .* add \?sslrootcert=(?!.*disable)/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'no', /cannot be secured .* host name that is in its certifica/],
  ['CERT_HAS_EXPIRED', 'no', /cannot be secured .* Renew its certificate/],
  ['ERR_OSSL_PEM_NO_START_LINE', 'no', /cannot be secured .* sslcert and sslkey\.$/],
  [undefined, 'The server does not support SSL connections', /secured \(The server .*sslmode=disa/],
  ['08P01', POOLER_MESSAGE, /pooler .* refused the connection: .* lock_timeout\.$/],
  ['42501', 'permission denied for schema public', /may not create tables; grant it CREATE on/],
  ['42501', CITUS_MESSAGE, /only for a superuser \(must be .*\)\. With Citus, run db\/citus\.sql/],
  [undefined, 'SASL: the client password must be a string', /requires a password\. Add it to/],
])('a database that fails with %s (%s) is reported with instructions', (code, message, text) => {
  const error = Object.assign(new Error(message), { code });
  expect(explainDatabaseFailure(error, external)).toMatch(text);
});

it('an address that does not belong to this machine is reported', () => {
  const error = Object.assign(new Error('no'), { code: 'EADDRNOTAVAIL' });
  expect(explainListenFailure(error, { host: '203.0.113.1', port: 0 })).toBe(
    'This machine has no address 203.0.113.1; choose another HOST.',
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

const OPTIONAL_NAMES = ALL_FEATURES.flatMap(({ name, optional }) =>
  optional ? [settingNameOf(name)] : [],
);

it.each([
  ['signup', 'there is no feature signup. Did you mean sign-up or sign-on?'],
  ['weekSummaries', 'there is no feature weeksummaries. Did you mean week-summaries?'],
  ['x', `there is no feature x. It may name ${OPTIONAL_NAMES.join(', ')}.`],
  ['alerts,sites', 'sites cannot be left out.'],
  ['server-status', 'server-status cannot be left out.'],
  ['sign-up', 'invitations needs sign-up. Leave out both or neither.'],
  ['visitors', 'week-summaries needs visitors. Leave out both or neither.'],
  ['connections,week-summaries', 'alerts needs connections. Leave out both or neither.'],
])('FEATURES_OFF is refused if it is %s', (FEATURES_OFF, reason) => {
  const loaded = loadConfig({ FEATURES_OFF });
  const error = new ConfigError(`Invalid settings: FEATURES_OFF: ${reason}`);
  expect(() => listFeatures(loaded)).toThrow(error);
});

it.each([
  ['', []],
  [' , ', []],
  [' Alerts, alerts ,,COVERS ', ['alerts', 'covers']],
])('FEATURES_OFF=%j leaves out %j', (FEATURES_OFF, names) => {
  const loaded = loadConfig({ FEATURES_OFF });
  expect(loaded.FEATURES_OFF).toEqual(names);
  expect(listFeatures(loaded)).toHaveLength(ALL_FEATURES.length - names.length);
});

it('FEATURES_OFF leaves out the settings of these features, too', () => {
  const settings = {
    BACKUP_DIR: '~/backups',
    OIDC_ISSUER: 'x',
    REGISTRATION: 'x',
    VISITOR_DAYS: '7',
  };
  expect(() => loadConfig(settings)).toThrow('BACKUP_DIR');
  const FEATURES_OFF = 'backups,sign-on,sign-up,invitations,visitors,week-summaries';
  const loaded = loadConfig({ ...settings, FEATURES_OFF });
  expect(loaded).toMatchObject({ REGISTRATION: 'closed', VISITOR_DAYS: 7 });
  expect([loaded.BACKUP_DIR, loaded.OIDC_ISSUER]).toEqual([undefined, undefined]);
});

it('FEATURES_OFF with passkeys means that none work', () => {
  const url = 'https://names.example.org';
  expect(passkeyHost({ FEATURES_OFF: [] }, url)).toBe('names.example.org');
  expect(passkeyHost({ FEATURES_OFF: ['passkeys'] }, url)).toBe('');
});

import { pino } from 'pino';
import { describe, expect, inject, it } from 'vitest';
import { loadConfig } from '#server/platform/settings/config.ts';
import { openServerDatabase } from '#server/database.ts';
import { secureDatabaseUrl } from '#server/platform/settings/database-url.ts';

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

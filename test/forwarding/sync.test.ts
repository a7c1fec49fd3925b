import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { createForwarding } from '#server/features/forwarding/forwarding.ts';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { useFakeProvider } from './use-forwarding.ts';

const { server, fake } = await useFakeProvider();

describe('sync, list and check', () => {
  beforeEach(() => {
    fake.aliases.clear();
  });

  it('sync, list and check adds missing aliases, and removes extra ones', async () => {
    for (const name of ['missing', 'diverted', 'right'])
      await server.createForwardedAccount(name, `${name}@Example.com`);
    const leftOver = await server.createForwardedAccount('left-over', 'left-over@example.com');
    await server.disableForwarding(leftOver);
    await server.waitUntilSynced();
    fake.aliases.delete('missing');
    fake.aliases.set('diverted', 'elsewhere@example.net');
    fake.aliases.set('left-over', 'left-over@example.com');
    fake.aliases.set('by-hand', 'hand@example.net');
    const report = await server.forwarding.sync({});
    expect(report).toEqual({
      provider: 'improvmx',
      compared: 5,
      repaired: ['diverted', 'left-over', 'missing'],
      waiting: [],
      unknown: [{ name: 'by-hand', destination: 'hand@example.net' }],
      pruned: [],
    });
    expect(Object.fromEntries(fake.aliases)).toEqual({
      'by-hand': 'hand@example.net',
      diverted: 'diverted@example.com',
      missing: 'missing@example.com',
      right: 'right@example.com',
    });
  });

  it('sync, list and check deletes unknown aliases only on request, and never a catch-all', async () => {
    fake.aliases.set('stranger', 'stranger@example.net');
    fake.aliases.set('*', 'operator@example.net');
    expect((await server.forwarding.sync({})).unknown).toEqual([
      { name: 'stranger', destination: 'stranger@example.net' },
    ]);
    expect(fake.aliases.has('stranger')).toBe(true);
    const report = await server.forwarding.sync({ prune: true });
    expect(report).toMatchObject({ unknown: [], pruned: ['stranger'] });
    expect(fake.aliases.has('stranger')).toBe(false);
    expect(fake.aliases.has('*')).toBe(true);
  });

  it('sync, list and check leaves failed changes to the job queue', async () => {
    await server.createForwardedAccount('awaited', 'awaited@example.com');
    await server.waitUntilSynced();
    fake.aliases.delete('awaited');
    fake.faultFor = ({ body }) => (body?.alias === 'awaited' ? { kind: 'disconnect' } : undefined);
    expect((await server.forwarding.sync({})).waiting).toEqual(['awaited']);
    fake.faultFor = () => undefined;
    await server.waitUntilSynced();
    expect(fake.aliases.get('awaited')).toBe('awaited@example.com');
  });
});

it.each(['none', 'postfix'] as const)(
  'forwarding by %s treats the database as the source of truth',
  async (provider) => {
    const database = await openTestDatabase();
    const { db } = database;
    const config = loadConfig({
      EMAIL_FORWARDING_PROVIDER: provider,
      DATABASE_URL: 'postgres://unused.example/nameplate',
    });
    const logger = { warn: () => {} };
    const jobs = new JobQueue({ url: database.url, logger });
    const forwarding = await createForwarding({ config, db, jobs, logger });
    const released_at = new Date();
    const { id } = await insertTestAccount(db);
    const email = 'current@example.com';
    await sql`INSERT INTO display_names (name, account_id, was_forwarded, released_at)
      VALUES ('former', NULL, true, ${released_at}), ('current', ${id}, true, NULL)`.execute(db);
    await sql`UPDATE forwarding_settings SET forwarding_enabled = true, forwarding_email = ${email}
      WHERE account_id = ${id}`.execute(db);
    await forwarding.addMissingJobs();
    const state = {
      ...{ is_synced: true, attempts: 0, last_error: null, next_try_at: null },
      ...{ uncertain_until: null, unconfirmed: false },
    };
    const current = provider === 'none' ? [null, 'no provider'] : [email, 'settled'];
    expect(await forwarding.list()).toEqual([
      {
        ...{ ...state, name: 'current', account_id: id, destination: email },
        ...{ provider_destination: current[0], stage: current[1] },
        ...{ released_at: null, alias_removed_at: null },
      },
      {
        ...{ ...state, name: 'former', account_id: null, destination: null },
        ...{ provider_destination: null, stage: 'settled' },
        ...{ released_at, alias_removed_at: expect.any(Date) },
      },
    ]);
    expect(await forwarding.check()).toEqual([]);
    const nothing = { repaired: [], waiting: [], unknown: [], pruned: [] };
    expect(await forwarding.sync({})).toEqual({ provider, compared: 2, ...nothing });
    await database.close();
  },
);

it('the settings report all missing settings of the chosen provider at once', () => {
  const names = ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ZONE_ID', 'CLOUDFLARE_ACCOUNT_ID'];
  const missing = names.map(
    (name) => `${name} is needed when EMAIL_FORWARDING_PROVIDER is cloudflare.`,
  );
  expect(() => loadConfig({ EMAIL_FORWARDING_PROVIDER: 'cloudflare', PORT: 'x' })).toThrow(
    ['Invalid settings: PORT must be a port number.', ...missing].join('\n                  '),
  );
});

const SMTP_URL = 'smtp://user:p%40ss-canary@mail.example.org:587';
const PUBLIC_URL = 'https://names.example.org';
it.each<[Record<string, string>, string]>([
  ...[
    ['improvmx', 'IMPROVMX_API_KEY'],
    ['forward-email', 'FORWARD_EMAIL_API_KEY'],
    ['postfix', 'DATABASE_URL'],
  ].map(([provider = '', name]): [Record<string, string>, string] => [
    { EMAIL_FORWARDING_PROVIDER: provider },
    `${name} is needed when EMAIL_FORWARDING_PROVIDER is ${provider}.`,
  ]),
  [{ SMTP_URL }, 'PUBLIC_URL is needed when SMTP_URL is set, for the links in its mail.'],
  [
    { REGISTRATION: 'open', SMTP_URL, PUBLIC_URL, HOME_URL: 'https://www.example.org/' },
    'HOME_URL cannot be set when REGISTRATION is open or approval: names are claimed on the landing page at /.',
  ],
])('the settings %j are refused with %s', (settings, message) => {
  expect(() => loadConfig(settings)).toThrow(`Invalid settings: ${message}`);
});

it('the settings allow open registration with a mail server, which is off by default', () => {
  expect(loadConfig({}).REGISTRATION).toBe('invite');
  const config = loadConfig({
    ...{ REGISTRATION: 'open', REGISTRATION_REFUSED_DOMAINS: 'Throwaway.com, other.net' },
    ...{ SMTP_URL, PUBLIC_URL: `${PUBLIC_URL}/`, HOME_URL: ' ' },
  });
  expect(config).not.toHaveProperty('HOME_URL');
  expect(config).toMatchObject({
    ...{ REGISTRATION: 'open', REGISTRATION_REFUSED_DOMAINS: ['throwaway.com', 'other.net'] },
    ...{ REGISTRATIONS_PER_DAY: 20, SMTP_URL, PUBLIC_URL },
  });
  const HOME_URL = 'https://www.example.org/';
  for (const REGISTRATION of ['invite', 'closed'])
    expect(loadConfig({ REGISTRATION, HOME_URL }).HOME_URL).toBe(HOME_URL);
});

it.each([
  ['office@club.example:p@ss#/w:rd%', 'office%40club.example:p%40ss%23%2Fw%3Ard%25'],
  ['office%40club.example:p%25', 'office%40club.example:p%25'],
  ['office@club.example', 'office%40club.example'],
])('the settings accept the user and password %s in SMTP_URL', (credentials, encoded) => {
  const url = (part: string) => `smtp://${part}@mail.example:587`;
  for (const query of ['', '?ignoreTLS=true', '?name=a.example&ignoreTLS=true']) {
    const config = loadConfig({ SMTP_URL: url(credentials) + query, PUBLIC_URL });
    expect(config.SMTP_URL).toBe(url(encoded) + query);
  }
});

it.each([
  'mail.example.org',
  'http://mail.example.org',
  'smtp://mail.example.org/canary',
  'smtp://user:canary@mail.example.org?logger=true&debug=true',
  'smtp://user:canary@mail.example.org?name=a&logger=true',
  'smtp://user:canary@mail.example.org?name=a%0d%0aMAIL',
])('the settings reject the mail server URL %s without repeating it', (url) => {
  const load = () => loadConfig({ SMTP_URL: url, PUBLIC_URL });
  expect(load).toThrow(/^Invalid settings: SMTP_URL must be a URL/);
  expect(load).not.toThrow(/canary/);
});

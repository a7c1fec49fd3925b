import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteExpired } from '#db/queries/expired-rows.ts';
import { setLoginEmail } from '#db/queries/sign-ups.ts';
import { createInvitationLink } from '#server/features/invitations/invitation.ts';
import { mailLoginLinks } from '#server/features/sessions/login-mail.ts';
import { mailSignUpLink } from '#server/features/sign-up/sign-up-mail.ts';
import { createToken } from '#server/platform/secrets/token.ts';
import { startForwardingApp } from '../forwarding/forwarding-app.ts';
import { waitUntilMailsSent } from '../forwarding/mail-server.ts';
import { PUBLIC_URL, useForwarding } from '../forwarding/use-forwarding.ts';
import { call, type TestResponse } from '../support/call.ts';
import { createSignUpToken } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import { createPage } from '../support/publish-page.ts';
import { postFromPage, sessionHeaders } from '../support/session.ts';
import { setSuspended } from '../support/suspend.ts';
import {
  insertTestAccount,
  type TestAccount,
  type TestApp,
  openTestApp,
  startTestApp,
} from '../support/test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { useFrozenDate } from '../support/use-frozen-date.ts';

const { server, fake, mailServer } = await useForwarding();

let nameCount = 0;
const createUniqueName = () => `someone-${(nameCount += 1)}`;

const post = (
  path: string,
  json: unknown,
  headers: Record<string, string> = {},
  at: Pick<TestApp, 'app'> = server,
): Promise<TestResponse> => postFromPage(at, `/owner/account/${path}`, json, headers);
const createRegistration = (display_name: unknown, email: unknown) =>
  post('create-registration', { display_name, email });
const createAccount = (registration_url: string, display_name: string) =>
  post('create-account', { registration_url, display_name });

const DONE = { status: 200, body: { success: true } };
const INVALID_LINK = errorText(401, 'This link is no longer valid. Sign up again for a new one.');
const nameUnavailable = (name: string) => errorText(409, `The name ${name} is not available.`);

/** Waits until at least `expected` emails to an address have arrived, and returns them. */
const waitForMails = async (email: string, expected = 1) =>
  (await mailServer.waitForMails(expected, email)).map(({ source }) => source);

const waitForMail = (email: string, text: RegExp) =>
  eventually(() => mailServer.mailsTo(email).some(({ source }) => text.test(source)), Boolean);

const waitUntilAllSent = () => waitUntilMailsSent(server.db);

const LINK_PATTERN =
  /https:\/\/names\.example\.org\/dashboard\/registration#([\w-]{43})\/([a-z0-9-]+)/;

async function requestToken(name: string, email: string): Promise<string> {
  expect(await createRegistration(name, email)).toMatchObject(DONE);
  const [mail] = await waitForMails(email);
  return LINK_PATTERN.exec(mail!)![1]!;
}

const countAccounts = async () => (await server.sql`SELECT FROM accounts`).length;

it('a sign-up mails the link in the language of the browser', async () => {
  const json = { display_name: 'deutsch', email: 'deutsch@example.com' };
  const headers = { 'accept-language': 'de-CH,en;q=0.8' };
  const response = await post('create-registration', json, headers);
  expect(response).toMatchObject(DONE);
  const [mail] = await waitForMails('deutsch@example.com');
  expect(mail).toContain('Subject: deutsch bei names.example.org sichern');
  expect(mail).toContain('<html lang="de">');
});

it('a sign-up mails a link that creates the account with its display name and logs in', async () => {
  const before = await countAccounts();
  expect(await createRegistration('Jane Doe', 'jane@example.com')).toMatchObject(DONE);
  const [mail] = await waitForMails('jane@example.com');
  const [, token, name] = LINK_PATTERN.exec(mail!)!;
  expect(name).toBe('jane-doe');
  expect(mail).toContain('Subject: Claim jane-doe at names.example.org');
  expect(await countAccounts()).toBe(before);
  const created = await createAccount(token!, name!);
  const login = { key_id: null, login_age: 'fresh', session: { via: 'link' } };
  expect(created).toMatchObject(okBody(login));
  const headers = sessionHeaders(created);
  expect(await call(server.app, { path: '/account/get-display-name', headers })).toMatchObject({
    body: { display_name: 'jane-doe' },
  });
  expect(await createAccount(token!, createUniqueName())).toMatchObject(INVALID_LINK);
});

it('a sign-up forgets a former address, also when its owner returns to the first one', async () => {
  const [first, second] = ['first@example.com', 'second@example.com'];
  const created = await createAccount(await requestToken('comes-back', first), 'comes-back');
  const headers = sessionHeaders(created);
  const write = async (path: string, json: unknown) =>
    expect(await postFromPage(server, path, json, headers)).toMatchObject({ status: 200 });
  const forwardTo = (email: string) =>
    write('/email-forwarding/email-forwarding-toggle', { enabled: true, email });
  await forwardTo(second);
  const [mail] = await waitForMails(second);
  const { pathname } = new URL(/https:\S+\/confirm\/[\w-]{43}/.exec(mail!)![0]);
  const confirmed = await server.app.inject({
    method: 'POST',
    url: pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  });
  expect(confirmed.statusCode).toBe(200);
  await forwardTo(first);
  expect(await createRegistration('somebody-else', second)).toMatchObject(DONE);
  await waitForMail(second, LINK_PATTERN);
  await write('/account/update-display-name', { display_name: 'comes-back-2' });
  mailServer.received.length = 0;
  await postFromPage(server, '/owner/sessions/send-login-link', { email: first });
  await waitForMail(first, /login link for comes-back-2/);
});

it('a sign-up with the address of an account gets the same response; the mail names the account', async () => {
  const token = await requestToken('has-account', 'has@example.com');
  await createAccount(token, 'has-account');
  mailServer.received.length = 0;
  const knownResponse = await createRegistration('another-name', 'HAS@example.com');
  const unknownResponse = await createRegistration('another-name', 'nobody@example.com');
  for (const response of [knownResponse, unknownResponse]) expect(response).toMatchObject(DONE);
  expect(knownResponse.text).toBe(unknownResponse.text);
  expect(Object.keys(knownResponse.headers)).toEqual(Object.keys(unknownResponse.headers));
  const [known] = await waitForMails('HAS@example.com');
  expect(known).toContain('Subject: Claim another-name at names.example.org');
  expect(known).toContain('has-account has this address, too.');
  const [unknown] = await waitForMails('nobody@example.com');
  expect(unknown).not.toContain('this address, too');
});

it('a sign-up with the address of a suspended account mails why it is suspended', async () => {
  const token = await requestToken('is-suspended', 'suspended@example.com');
  await createAccount(token, 'is-suspended');
  await setSuspended(server, 'is-suspended');
  mailServer.received.length = 0;
  const request = { email: 'suspended@example.com', display_name: 'comes-back' };
  await mailSignUpLink(server.db, server.outbox, { ...request, language: 'en' });
  const [mail] = await waitForMails('suspended@example.com');
  expect(mail).toContain('Subject: Your account @is-suspended was suspended');
  expect(mail).not.toMatch(/login#|registration#/);
});

it('a sign-up does not reserve its display name: the second to confirm chooses another one', async () => {
  for (let round = 0; round < 5; round += 1) {
    const name = createUniqueName();
    const tokens = await Promise.all(
      ['one', 'two', 'three'].map((recipient) =>
        createSignUpToken(server.db, {
          email: `${recipient}-${name}@example.com`,
          display_name: name,
        }),
      ),
    );
    const before = await countAccounts();
    const responses = await Promise.all(tokens.map((token) => createAccount(token, name)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await countAccounts()).toBe(before + 1);
    for (const [index, { status, body }] of responses.entries())
      if (status === 409) {
        expect({ status, body }).toEqual(nameUnavailable(name));
        expect((await createAccount(tokens[index]!, createUniqueName())).status).toBe(200);
      }
  }
});

it('a sign-up creates one account per address and name, with the first link that is used', async () => {
  for (let round = 0; round < 5; round += 1) {
    const email = `${createUniqueName()}@example.com`;
    const tokens = await Promise.all(
      [0, 1, 2].map(() => createSignUpToken(server.db, { email, display_name: 'x' })),
    );
    const before = await countAccounts();
    const responses = await Promise.all(
      [...tokens, ...tokens].map((token) => createAccount(token, createUniqueName())),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(await countAccounts()).toBe(before + 1);
  }
});

it('a sign-up expires after a day, and its row is deleted', async () => {
  const email = 'late@example.com';
  const token = await createSignUpToken(server.db, { email, display_name: 'late-one' });
  await server.sql`UPDATE sign_ups SET created_at = created_at - interval '25 hours'
      WHERE email = ${email}`;
  expect(await createAccount(token, 'late-one')).toMatchObject(INVALID_LINK);
  await deleteExpired(server.db, 'sign_ups');
  const rows = await server.sql`SELECT FROM sign_ups WHERE email = ${email}`;
  expect(rows).toEqual([]);
});

it.each(['', 'x', createToken(), `${createToken()}/jane`, "' OR true --"])(
  'a sign-up is not found by an invalid token: %s',
  async (token) => {
    expect(await createAccount(token, createUniqueName())).toMatchObject(INVALID_LINK);
  },
);

it('a sign-up does not store the token, and logs neither the token nor the address', async () => {
  server.log.length = 0;
  const token = await requestToken('quiet-one', 'quiet@example.com');
  await createAccount(token, 'quiet-one');
  const rows = await server.sql`SELECT sign_ups::text FROM sign_ups`;
  expect(JSON.stringify([rows, server.log])).not.toContain(token);
  expect(JSON.stringify(server.log)).not.toContain('quiet@example.com');
});

it('a sign-up mails at most five links a day to an address, and all of them work', async () => {
  const email = 'flooded@example.com';
  const request = { email, display_name: 'flooded', language: 'en' as const };
  await Promise.all(
    Array.from({ length: 20 }, () => mailSignUpLink(server.db, server.outbox, request)),
  );
  const mails = await waitForMails(email, 5);
  await waitUntilAllSent();
  expect(await waitForMails(email)).toHaveLength(5);
  const tokens = mails.map((mail) => LINK_PATTERN.exec(mail)![1]!);
  expect(new Set(tokens).size).toBe(5);
  expect((await createAccount(tokens[2]!, 'flooded')).status).toBe(200);
});

const checkName = (display_name: unknown) => post('check-registration', { display_name });

it('a requested display name is available or not, without revealing whether it is reserved, taken or quarantined', async () => {
  await server.createNamedAccount('taken-one');
  await server.sql`INSERT INTO display_names (name, was_forwarded, released_at)
      VALUES ('held-one', true, now())`;
  for (const name of ['taken-one', 'held-one', 'moderator'])
    expect(await checkName(name)).toMatchObject(okBody({ display_name: name, available: false }));
  expect(await checkName(' Free One ')).toMatchObject(
    okBody({ display_name: 'free-one', available: true, suggestions: [] }),
  );
  for (const name of ['taken-one', 'held-one', 'moderator'])
    expect(await createRegistration(name, 'x@example.com')).toMatchObject(nameUnavailable(name));
  const token = await createSignUpToken(server.db, { email: 'y@example.com', display_name: 'y' });
  for (const name of ['taken-one', 'held-one', 'moderator'])
    expect(await createAccount(token, name)).toMatchObject(nameUnavailable(name));
  expect((await createAccount(token, 'free-one')).status).toBe(200);
});

it('a requested display name gets three available suggestions, also if it is reserved', async () => {
  const suggestionsFor = async (name: string) => {
    await server.sql`INSERT INTO display_names (name, was_forwarded, released_at)
        VALUES (${name}, true, now())`;
    return (await checkName(name)).body;
  };
  expect(await suggestionsFor('similar-one')).toMatchObject({
    suggestions: ['similar-one-online', 'similar-one-web', 'similar-one2'],
  });
  for (const name of ['admin', 'postmaster', 'moderator']) {
    const { suggestions } = (await suggestionsFor(name)) as { suggestions: string[] };
    expect([name, suggestions.length]).toEqual([name, 3]);
    for (const suggestion of suggestions)
      expect((await checkName(suggestion)).body).toMatchObject({ available: true });
  }
  await suggestionsFor('similar-two-web');
  expect(await suggestionsFor('similar-two')).toMatchObject({
    suggestions: ['similar-two-online', 'similar-two2', 'similar-two3'],
  });
});

it.each([
  'not-an-address',
  'two@example.com,three@example.com',
  '"quoted"@example.com',
  'x@localhost',
  'x@nameplate.example',
  'x@mail.nameplate.example',
  'x@host.internal',
  'x\r\nBcc: y@example.com',
  `${'x'.repeat(250)}@example.com`,
  '',
])('the address %j is refused before anything is stored or mailed', async (email) => {
  expect((await createRegistration(createUniqueName(), email)).status).toBe(400);
  const rows = await server.sql`SELECT FROM sign_ups WHERE email = ${email}`;
  expect(rows).toEqual([]);
});

it('login links are mailed before queued sign-up links', async () => {
  const database = await openTestDatabase();
  const settings = { SMTP_URL: mailServer.url, PUBLIC_URL };
  const { url } = database;
  const writingServer = await startForwardingApp({ fake, settings, url, processesJobs: false });
  const owner = await insertTestAccount(database.db);
  await database.db
    .transaction()
    .execute((trx) => setLoginEmail(trx, { accountId: owner.id, email: 'owner@example.com' }));
  for (let count = 0; count < 40; count += 1)
    await mailSignUpLink(database.db, writingServer.outbox, {
      email: `${count}@example.com`,
      display_name: createUniqueName(),
      language: 'en',
    });
  await mailLoginLinks(database.db, writingServer.outbox, 'owner@example.com');
  const workerServer = await startForwardingApp({ fake, settings, url });
  const mails = await mailServer.waitForMails(41);
  // Three workers each process five emails at a time.
  expect(mails.findIndex(({ to }) => to.includes('owner@example.com'))).toBeLessThan(15);
  await Promise.all([writingServer.close(), workerServer.close()]);
  await database.close();
});

describe('an invitation on a server with mail', () => {
  let inviteServer: TestApp;
  beforeAll(async () => {
    inviteServer = await startTestApp(
      { REGISTRATION: 'invite', forwarding: server.forwarding, outbox: server.outbox },
      { ...server.database, close: async () => {} },
    );
  });
  afterAll(() => inviteServer.close());
  const createInvitationUrl = async () =>
    (await createInvitationLink(server.db, '', { days: 7 })).invitation_url;
  const send = (path: string, json: unknown) => postFromPage(inviteServer, `/owner/${path}`, json);
  const EXPIRED = errorText(401, 'This invitation is no longer valid. Ask for a new one.');

  it('an invitation on a server with mail mails a link that creates the account with an address for login links; both are used up', async () => {
    const invitation_url = await createInvitationUrl();
    const email = `${createUniqueName()}@example.com`;
    const request = { invitation_url, display_name: 'Priya', email };
    expect(await send('account/create-registration', request)).toMatchObject(DONE);
    const [mail] = await waitForMails(email);
    const registration_url = LINK_PATTERN.exec(mail!)![1]!;
    // The invitation stays valid until the link is used.
    expect((await send('account/check-registration', request)).status).toBe(200);
    const fromLink = { registration_url, display_name: 'Priya' };
    const checkFromLink = () => send('account/check-registration', fromLink);
    expect(await checkFromLink()).toMatchObject({ status: 200, body: { available: true } });
    const createInvitedAccount = () => send('account/create-account', fromLink);
    expect(await createInvitedAccount()).toMatchObject(okBody({ session: { via: 'link' } }));
    expect(await createInvitedAccount()).toMatchObject(INVALID_LINK);
    expect(await checkFromLink()).toMatchObject(INVALID_LINK);
    expect(await send('account/check-registration', request)).toMatchObject(EXPIRED);
    expect((await send('sessions/send-login-link', { email })).status).toBe(200);
    await waitForMail(email, /Your login link for priya/);
  });

  it('an invitation on a server with mail creates one account, for the first address that is confirmed', async () => {
    const invitation_url = await createInvitationUrl();
    const tokens = [];
    for (const name of ['either-one', 'or-other']) {
      const email = `${name}@example.com`;
      await send('account/create-registration', { invitation_url, display_name: name, email });
      const [mail] = await waitForMails(email);
      tokens.push({ registration_url: LINK_PATTERN.exec(mail!)![1]!, display_name: name });
    }
    const requests = tokens.map((json) => send('account/create-account', json));
    const responses = await Promise.all(requests);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  it('an invitation on a server with mail checks no name and sends no mail if it is used, invalid or missing', async () => {
    const json = { display_name: 'nobody', email: `${createUniqueName()}@example.com` };
    for (const path of ['account/check-registration', 'account/create-registration']) {
      expect(await send(path, { ...json, invitation_url: createToken() })).toMatchObject(EXPIRED);
      expect(await send(path, { ...json, invitation_url: 'x' })).toMatchObject(EXPIRED);
      expect((await send(path, json)).status).toBe(403);
    }
  });
});

it('a display name requested by an account is available if it is free, its own, or quarantined for it', async () => {
  const otherAccount = await server.createAccount();
  const { account: ownAccount } = await createPage(server, {}, 'was-mine');
  await ownAccount.client.account.updateDisplayName({ display_name: 'is-mine' });
  const check = async ({ owner }: TestAccount, display_name: string) =>
    (await owner.account.checkDisplayName({ display_name })).available;
  for (const name of ['was-mine', 'Is Mine', 'free-name'])
    expect([name, await check(ownAccount, name)]).toEqual([name, true]);
  for (const name of ['was-mine', 'is-mine', 'admin'])
    expect([name, await check(otherAccount, name)]).toEqual([name, false]);
});

describe('settings', () => {
  useFrozenDate();

  it.each(['closed', 'invite'] as const)(
    'settings with REGISTRATION=%s refuse sign-ups, also with an existing link',
    async (mode) => {
      const other = await openTestApp({ REGISTRATION: mode });
      const token = await createSignUpToken(other.db, {
        email: 'jane@example.com',
        display_name: 'jane',
      });
      for (const [path, json] of [
        ['check-registration', { display_name: 'jane' }],
        ['create-registration', { display_name: 'jane', email: 'jane@example.com' }],
        ['create-account', { display_name: 'jane', registration_url: token }],
      ] as const)
        expect(await post(path, json, {}, other)).toMatchObject(
          errorText(403, 'Registration is closed on this server.'),
        );
    },
  );

  it('settings refuse the configured mail domains and their subdomains', async () => {
    const other = await openTestApp({ REGISTRATION_REFUSED_DOMAINS: ['throwaway.com'] });
    for (const [domain, status] of [
      ['throwaway.com', 400],
      ['x.ThrowAway.com', 400],
      ['notthrowaway.com', 200],
    ] as const) {
      const json = { display_name: 'jane', email: `jane@${domain}` };
      expect((await post('create-registration', json, {}, other)).status, domain).toBe(status);
    }
  });

  it('settings limit sign-ups per day and name checks per minute for each network', async () => {
    const rateLimitOptions = { requestsPerMinute: 0, nameChecksPerMinute: 8, signUpsPerDay: 3 };
    const other = await openTestApp({ rateLimitOptions, TRUST_PROXY: ['127.0.0.1'] });
    const callFrom = async (network: string, path: string) => {
      const json = { display_name: createUniqueName(), email: `${createUniqueName()}@example.com` };
      const { status, headers } = await post(path, json, { 'x-forwarded-for': network }, other);
      return [status, headers['x-error-code']];
    };
    const OK_RESULT = [200, undefined];
    for (let count = 0; count < 3; count += 1)
      expect(await callFrom(`2001:db8::${count}`, 'create-registration')).toEqual(OK_RESULT);
    const dailyLimit = [429, 'registrationRateLimited'];
    expect(await callFrom('2001:db8::ffff', 'create-registration')).toEqual(dailyLimit);
    for (let count = 4; count < 8; count += 1)
      expect(await callFrom('2001:db8::1', 'check-registration')).toEqual(OK_RESULT);
    expect(await callFrom('2001:db8::1', 'check-registration')).toEqual([
      429,
      'nameCheckRateLimited',
    ]);
    for (const path of ['create-registration', 'check-registration'])
      expect(await callFrom('2001:db8:1::', path)).toEqual(OK_RESULT);
  });

  it('settings count four times the limit of a /64 for its /56, and sixteen times for its /48', async () => {
    const rateLimitOptions = { requestsPerMinute: 0, nameChecksPerMinute: 1 };
    const other = await openTestApp({ rateLimitOptions, TRUST_PROXY: ['127.0.0.1'] });
    const checkAll = async (networks: string[]) => {
      const statuses: number[] = [];
      for (const network of networks) {
        const headers = { 'x-forwarded-for': network };
        statuses.push(
          (await post('check-registration', { display_name: 'jane' }, headers, other)).status,
        );
      }
      return statuses;
    };
    // A request beyond a /64's limit does not count against the limit of its /56.
    expect(await checkAll(Array<string>(2).fill('2001:db8:0:0::1'))).toEqual([200, 429]);
    const createNetworks = (prefix: string) =>
      [1, 2, 3, 4].map((index) => `2001:db8:0:${prefix}0${index}::1`);
    expect(await checkAll(createNetworks('0'))).toEqual([200, 200, 200, 429]);
    for (const prefix of ['1', '2', '3'])
      expect(await checkAll(createNetworks(prefix))).toEqual([200, 200, 200, 200]);
    expect(await checkAll(['2001:db8:0:4a00::1', '2001:db8:0:ff00::1'])).toEqual([429, 429]);
    expect(await checkAll(['2001:db8:1:4a00::1', '203.0.113.7'])).toEqual([200, 200]);
  });

  it('settings limit links per hour, then refuse known and unknown addresses alike', async () => {
    // One network gets at most half.
    const other = await openTestApp({ UNCONFIRMED_MAILS_PER_HOUR: 6 });
    const unknownEmail = () => `${createUniqueName()}@example.com`;
    const knownEmail = unknownEmail();
    const request = { email: knownEmail, display_name: 'known' };
    const registration_url = await createSignUpToken(other.db, request);
    const requestForOther = (email: string) =>
      post('create-registration', { display_name: createUniqueName(), email }, {}, other);
    const json = { display_name: 'known', registration_url };
    expect((await post('create-account', json, {}, other)).status).toBe(200);
    // Sets the hour of the count, which could otherwise end during the test.
    const setHour = (hoursAgo: number) =>
      other.sql`UPDATE unconfirmed_mails
        SET hour = date_trunc('hour', now()) - ${hoursAgo} * interval '1 hour'`;
    for (const email of [unknownEmail(), knownEmail, knownEmail])
      expect(await requestForOther(email)).toMatchObject({ status: 200 });
    await setHour(0);
    const refused = errorText(
      503,
      expect.stringMatching(
        /^This server has reached its hourly limit of mails to new addresses\. Try again in \d+ (minutes|seconds?)\.$/,
      ),
    );
    for (const email of [unknownEmail(), knownEmail]) {
      const response = await requestForOther(email);
      expect(response).toMatchObject(refused);
      const seconds = Number(response.headers['retry-after']);
      expect([seconds > 0, seconds <= 3_600]).toEqual([true, true]);
    }
    await setHour(1);
    expect(await requestForOther(knownEmail)).toMatchObject({ status: 200 });
  });

  it('settings count invitations and group links apart, and give a group link a share', async () => {
    const other = await openTestApp({ UNCONFIRMED_MAILS_PER_HOUR: 4, mailEnabled: true });
    const invite = async (maxUses: number) => {
      return (await createInvitationLink(other.db, '', { maxUses, days: 1 })).invitation_url;
    };
    const requestForOther = async (invitation_url?: string) => {
      const name = createUniqueName();
      const json = { display_name: name, email: `${name}@example.com`, invitation_url };
      return (await post('create-registration', json, {}, other)).status;
    };
    const leaked = await invite(100);
    const statuses: number[] = [];
    while (statuses.length < 4) statuses.push(await requestForOther(leaked));
    expect(statuses).toEqual([200, 200, 503, 503]);
    expect(await requestForOther(await invite(100))).toBe(200);
    for (const invitation of [await invite(1), await invite(1), undefined])
      expect(await requestForOther(invitation)).toBe(200);
  });

  it('settings give the /48 or /24 of a client at most half, so that others still get links', async () => {
    const requestAll = async (networks: string[]) => {
      const settings = { UNCONFIRMED_MAILS_PER_HOUR: 4, TRUST_PROXY: ['127.0.0.1'] };
      const other = await openTestApp(settings);
      const statuses: number[] = [];
      for (const network of networks) {
        const name = createUniqueName();
        const json = { display_name: name, email: `${name}@example.com` };
        const headers = { 'x-forwarded-for': network };
        statuses.push((await post('create-registration', json, headers, other)).status);
      }
      return statuses;
    };
    const expected = [200, 200, 503, 200, 200];
    const subnets = ['a000', 'b000', 'c000'].map((subnet) => `2001:db8:0:${subnet}::1`);
    expect(await requestAll([...subnets, '2001:db8:1::1', '2001:db8:2::1'])).toEqual(expected);
    const hosts = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];
    expect(await requestAll([...hosts, '203.0.112.1', '198.51.100.1'])).toEqual(expected);
  });
});

import { beforeEach, expect, it } from 'vitest';
import { insertOperator } from '#db/queries/operators.ts';
import { createLoginLink } from '#server/features/sessions/login-link.ts';
import { findRelyingParty } from '#server/platform/settings/relying-party.ts';
import { Authenticator } from '../support/authenticator.ts';
import { call, type TestResponse } from '../support/call.ts';
import { errorCode, errorText, okBody } from '../support/expected-responses.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import {
  createSession,
  logIn,
  postFromPage,
  SAME_ORIGIN_HEADERS,
  sessionHeaders,
} from '../support/session.ts';
import { setSuspended } from '../support/suspend.ts';
import { type TestAccount, type TestApp, openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const ORIGIN = 'https://names.example.org';

const { server, account } = useServer({ PUBLIC_URL: `${ORIGIN}/api`, account: 'per test' });

type Options = { options: Parameters<Authenticator['create']>[0] & { rpId: string } };

const post = (path: string, json: unknown, caller: Record<string, string>): Promise<TestResponse> =>
  call(server.app, { method: 'POST', path: `/owner/passkeys/${path}`, json, headers: caller });

async function requestOptions(path: string, callerHeaders: Record<string, string>) {
  const { status, body } = await post(path, undefined, callerHeaders);
  expect(status).toBe(200);
  return (body as Options).options;
}

/** Has `account`, for which each test starts with a session (`headers`). */
let authenticator: Authenticator;
let headers: Record<string, string>;
let registered: TestResponse;
beforeEach(async () => {
  headers = await logIn(server, account.id);
  authenticator = new Authenticator(ORIGIN);
  const answer = authenticator.create(await requestOptions('create-passkey-options', headers));
  registered = await post('create-passkey', { answer, label: 'Phone' }, headers);
});

const createPasskeyLoginOptions = () =>
  requestOptions('create-passkey-login-options', SAME_ORIGIN_HEADERS);
const answerLogin = (answer: unknown) =>
  post('create-passkey-session', { answer }, SAME_ORIGIN_HEADERS);

async function logInWith(
  by: Authenticator,
  overrides: Parameters<Authenticator['get']>[1] = {},
): Promise<TestResponse> {
  return answerLogin(by.get(await createPasskeyLoginOptions(), overrides));
}

const listPasskeys = async ({ owner }: TestAccount) => owner.passkeys.listPasskeys();

/** The address of the account was set by a key of scope `all`. */
async function logInWithMailedLink({ id }: TestAccount): Promise<Record<string, string>> {
  await server.sql`UPDATE forwarding_settings SET email_scope = 'all' WHERE account_id = ${id}`;
  const link = (await createLoginLink(server.db, id, '', { isMailed: true })).split('#')[1];
  return sessionHeaders(await createSession(server, { login_url: link }));
}

/** Unlike the helper for all tests, keeps the scope of the key. */
async function makeOperator({ id }: TestAccount): Promise<void> {
  await server.db.transaction().execute((trx) => insertOperator(trx, id));
}

const REFUSED = errorText(401, 'This passkey is not valid here. Log in another way.');
const LOGIN_REFUSED = errorText(
  400,
  'The passkey could not be added. Start again, and finish within five minutes.',
);

it('a passkey for the host that the server had before is no way in, and operators see it', async () => {
  await makeOperator(account);
  await server.sql`UPDATE api_keys SET revoked_at = now() WHERE account_id = ${account.id}`;
  const session = await logIn(server, account.id);
  const read = async (path: string) =>
    (await call(server.app, { method: 'GET', path, headers: session })).body;
  const isWayIn = async (host: string | null) => {
    await server.sql`UPDATE passkeys SET host = ${host} WHERE account_id = ${account.id}`;
    const body = (await read('/owner/sessions/get-session')) as { can_log_in_again: boolean };
    return body.can_log_in_again;
  };
  const findWarning = async () => {
    const { setup } = (await read('/owner/server/get-server')) as { setup: { text: string }[] };
    return setup.map(({ text }) => text).find((text) => text.includes('old.example.org'));
  };
  expect(await isWayIn('names.example.org')).toBe(true);
  expect(await isWayIn(null)).toBe(true);
  expect(await findWarning()).toBe(undefined);
  expect(await isWayIn('old.example.org')).toBe(false);
  expect(await findWarning()).toBe(
    '1 passkey works only at old.example.org. The members have to sign in another way and add a new one.',
  );
  expect(await logInWith(authenticator)).toMatchObject({ status: 200 });
  expect(await findWarning()).toBe(undefined);
});

it('a passkey is registered for the account and logs in without a user name', async () => {
  const passkey = {
    id: authenticator.id,
    label: 'Phone',
    host: 'names.example.org',
    created_at: expect.stringMatching(/Z$/),
    last_used_at: null,
  };
  expect(registered).toMatchObject({ status: 200 });
  expect(registered.body).toEqual({ passkey });
  expect(await listPasskeys(account)).toEqual({ passkeys: [passkey] });
  const options = await createPasskeyLoginOptions();
  expect(options).toMatchObject({ rpId: 'names.example.org', userVerification: 'required' });
  expect(options).not.toHaveProperty('allowCredentials');
  const login = await answerLogin(authenticator.get(options));
  expect(login).toMatchObject(
    okBody({ account_id: account.id, key_id: null, session: { via: 'passkey', current: true } }),
  );
  const session = sessionHeaders(login);
  const toggle = { method: 'POST', path: '/site/toggle-site-visibility', headers: session };
  expect((await call(server.app, toggle)).status).toBe(200);
  expect(await listPasskeys(account)).toEqual({
    passkeys: [{ ...passkey, last_used_at: expect.stringMatching(/Z$/) }],
  });
});

it('a passkey is requested as a discoverable credential with user verification', async () => {
  const named = await server.createNamedAccount('jane-doe');
  const options = await requestOptions('create-passkey-options', named.headers);
  expect(options).toMatchObject({
    rp: { id: 'names.example.org', name: 'Nameplate' },
    user: { name: 'jane-doe' },
    attestation: 'none',
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
});

it.each([
  ['from another origin', { origin: 'https://names.example.org.evil.example' }],
  ['for another host', { rpId: 'evil.example' }],
  ['whose owner did not prove who they are', { isUserVerified: false }],
  ['of another challenge', { challenge: 'AAAA' }],
  ['of another account', { userHandle: Buffer.from('somebody').toString('base64url') }],
])('%s cannot log in', async (_title, overrides) => {
  expect((await logInWith(authenticator)).status).toBe(200);
  expect(await logInWith(authenticator, overrides)).toMatchObject(REFUSED);
  expect((await logInWith(authenticator, { counter: 1_000 })).status).toBe(200);
});

it.each([
  ['from another origin', { origin: 'https://evil.example' }],
  ['for another host', { rpId: 'evil.example' }],
  ['whose owner did not prove who they are', { isUserVerified: false }],
  ['of another challenge', { challenge: 'AAAA' }],
])('%s cannot be registered', async (_title, overrides) => {
  const before = await listPasskeys(account);
  const options = await requestOptions('create-passkey-options', account.headers);
  const answer = new Authenticator(ORIGIN).create(options, overrides);
  expect(await post('create-passkey', { answer }, account.headers)).toMatchObject(LOGIN_REFUSED);
  expect(await listPasskeys(account)).toEqual(before);
});

it('a passkey that another account has cannot be registered', async () => {
  const otherAccount = await server.createAccount();
  const options = await requestOptions('create-passkey-options', otherAccount.headers);
  const answer = authenticator.create(options);
  expect(await post('create-passkey', { answer }, otherAccount.headers)).toMatchObject(
    LOGIN_REFUSED,
  );
});

it('a passkey cannot log in if it is unknown or its signature is wrong', async () => {
  expect(await logInWith(new Authenticator(ORIGIN))).toMatchObject(REFUSED);
  const options = await createPasskeyLoginOptions();
  const { id, response } = authenticator.get(options);
  const stranger = new Authenticator(ORIGIN).get(options);
  const { userHandle } = response as unknown as { userHandle: string };
  const forged = { ...stranger, id, rawId: id, response: { ...stranger.response, userHandle } };
  expect(await answerLogin(forged)).toMatchObject(REFUSED);
});

it('a passkey that counts backwards is refused with the reason and an event, unless it is synchronized, and counts to 2^32 - 1', async () => {
  const useTwice = async (isBackedUp: boolean) => {
    expect((await logInWith(authenticator, { counter: 100, isBackedUp })).status).toBe(200);
    return logInWith(authenticator, { counter: 5, isBackedUp });
  };
  expect((await useTwice(true)).status).toBe(200);
  expect(await useTwice(false)).toMatchObject(errorCode(401, 'passkeyCounterTooLow'));
  expect(await account.owner.events.listEvents({ limit: 1 })).toMatchObject({
    events: [{ type: 'login_failed', outcome: 'failed', detail: { via: 'passkey' } }],
  });
  for (const counter of [101, 2 ** 31, 2 ** 32 - 1])
    expect((await logInWith(authenticator, { counter })).status).toBe(200);
});

it('a passkey cannot log in to a suspended account', async () => {
  await setSuspended(server, account.id);
  expect(await logInWith(authenticator)).toMatchObject(errorCode(403, 'accountSuspended'));
});

it('a passkey that is used by two logins at once logs in once, and its counter never goes back', async () => {
  for (let round = 1; round <= 10; round += 1) {
    const counters = [round * 10, round * 10 + 5];
    const logins = await Promise.all(
      counters.map((counter) => logInWith(authenticator, { counter })),
    );
    for (const { status } of logins) expect([200, 401]).toContain(status);
    const accepted = counters.filter((_, index) => logins[index]!.status === 200);
    expect(
      await server.sql`SELECT counter::int FROM passkeys WHERE account_id = ${account.id}`,
    ).toEqual([{ counter: Math.max(...accepted) }]);
  }
});

it.each(['a key of scope `all`', 'a link mailed to an address that such a key set'])(
  'a passkey that %s added never gets the rights of an operator',
  async (login) => {
    const caller = login.startsWith('a key') ? account.headers : await logInWithMailedLink(account);
    const ownAuthenticator = new Authenticator(ORIGIN);
    const options = await requestOptions('create-passkey-options', caller);
    await post('create-passkey', { answer: ownAuthenticator.create(options) }, caller);
    const earlier = await logIn(server, account.id);
    await makeOperator(account);
    const path = '/owner/members/list-members';
    // Becoming an operator ended this session.
    expect(await call(server.app, { path, headers: earlier })).toMatchObject({ status: 401 });
    const session = sessionHeaders(await logInWith(ownAuthenticator));
    expect(await call(server.app, { path, headers: session })).toMatchObject({ status: 403 });
    expect(await post('create-passkey-options', undefined, session)).toMatchObject({
      status: 403,
    });
  },
);

it("a passkey of an operator cannot be registered with a key of scope `all` and an operator's challenge", async () => {
  const { passkeys: before } = await listPasskeys(account);
  await makeOperator(account);
  const options = await requestOptions('create-passkey-options', await logIn(server, account.id));
  const answer = new Authenticator(ORIGIN).create(options);
  expect(await post('create-passkey', { answer }, account.headers)).toMatchObject(
    errorCode(403, 'insufficientScope'),
  );
  expect(await listPasskeys(account)).toEqual({ passkeys: before });
});

it('a passkey cannot log in after its removal, which also ends the sessions it started', async () => {
  const login = await logInWith(authenticator);
  const session = sessionHeaders(login);
  const json = { passkey_id: authenticator.id };
  expect(await post('delete-passkey', json, headers)).toMatchObject(okBody({ success: true }));
  const path = '/owner/sessions/get-session';
  expect(await call(server.app, { path, headers: session })).toMatchObject({ status: 401 });
  expect(await call(server.app, { path, headers })).toMatchObject({ status: 200 });
  expect(await logInWith(authenticator)).toMatchObject(REFUSED);
  expect(await listPasskeys(account)).toEqual({ passkeys: [] });
});

it('a challenge can be used once', async () => {
  const options = await createPasskeyLoginOptions();
  const logInWithChallenge = () => answerLogin(authenticator.get(options));
  const responses = await Promise.all([1, 2, 3].map(logInWithChallenge));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
  const creation = await requestOptions('create-passkey-options', account.headers);
  const register = () =>
    post('create-passkey', { answer: new Authenticator(ORIGIN).create(creation) }, account.headers);
  const registrations = await Promise.all([1, 2].map(register));
  expect(registrations.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

it('a challenge expires after five minutes', async () => {
  const options = await createPasskeyLoginOptions();
  fakeTimers(['Date'], Date.now() + 300_000);
  expect(await answerLogin(authenticator.get(options))).toMatchObject(REFUSED);
});

it('a challenge is valid on every server of the database', async () => {
  const other = await openTestApp({ PUBLIC_URL: `${ORIGIN}/api` }, server.database);
  const options = await requestOptions('create-passkey-login-options', SAME_ORIGIN_HEADERS);
  const json = { answer: authenticator.get(options) };
  const logInOn = (app: Pick<TestApp, 'app'>) =>
    postFromPage(app, '/owner/passkeys/create-passkey-session', json);
  expect((await logInOn(other)).status).toBe(200);
  for (const app of [other, server]) expect(await logInOn(app)).toMatchObject(REFUSED);
});

it('a challenge causes no database writes when unauthenticated clients request many', async () => {
  await createPasskeyLoginOptions();
  const before = server.queryCount();
  await Promise.all(Array.from({ length: 50 }, createPasskeyLoginOptions));
  expect(server.queryCount()).toBe(before);
});

it('a challenge is rejected if it was changed', async () => {
  const options = await createPasskeyLoginOptions();
  const bytes = Buffer.from(options.challenge, 'base64url');
  for (const index of [0, 6, bytes.length - 1]) {
    const changedBytes = Buffer.from(bytes);
    changedBytes[index]! ^= 1;
    const challenge = changedBytes.toString('base64url');
    const response = authenticator.get({ ...options, challenge });
    expect(await answerLogin(response)).toMatchObject(REFUSED);
  }
});

it('a challenge is valid for one purpose and one account only', async () => {
  const otherAccount = await server.createAccount();
  const creation = await requestOptions('create-passkey-options', account.headers);
  const login = await createPasskeyLoginOptions();
  const wrongChallenge = { ...login, challenge: creation.challenge };
  expect(await answerLogin(authenticator.get(wrongChallenge))).toMatchObject(REFUSED);
  for (const challenge of [creation.challenge, login.challenge]) {
    const response = new Authenticator(ORIGIN).create({ ...creation, challenge });
    expect(await post('create-passkey', { answer: response }, otherAccount.headers)).toMatchObject(
      LOGIN_REFUSED,
    );
  }
});

it('an invalid passkey response is refused, whatever is wrong, for an account with a passkey', async () => {
  const validAnswer = authenticator.get(await createPasskeyLoginOptions());
  for (const clientDataJSON of ['', 'e30', 'bnVsbA', 'WzFd', '%']) {
    const response = { ...validAnswer, response: { ...validAnswer.response, clientDataJSON } };
    expect(await answerLogin(response)).toMatchObject(REFUSED);
  }
  for (const name of ['authenticatorData', 'signature', 'userHandle'])
    for (const value of [undefined, null, '', 1, {}, 'AAAA']) {
      const newLogin = authenticator.get(await createPasskeyLoginOptions());
      const response = { ...newLogin, response: { ...newLogin.response, [name]: value } };
      expect(await answerLogin(response)).toMatchObject(REFUSED);
    }
});

it("an invalid passkey response is refused if it comes from our page inside another site's frame", async () => {
  expect(await logInWith(authenticator, { crossOrigin: true })).toMatchObject(REFUSED);
  const options = await requestOptions('create-passkey-options', headers);
  const response = new Authenticator(ORIGIN).create(options, { crossOrigin: true });
  expect(await post('create-passkey', { answer: response }, headers)).toMatchObject(LOGIN_REFUSED);
});

it('an invalid passkey response does not put request data into the log', async () => {
  const options = await requestOptions('create-passkey-options', headers);
  const origin = 'https://someone@private.example.org';
  const response = new Authenticator(ORIGIN).create(options, { origin });
  expect(await post('create-passkey', { answer: response }, headers)).toMatchObject(LOGIN_REFUSED);
  expect(server.log.at(-1)).toMatchObject({ reason: 'passkeyInvalid' });
  expect(JSON.stringify(server.log)).not.toContain('someone@private');
});

it.each([
  ['https://names.example.org/api', { id: 'names.example.org', origin: ORIGIN }],
  ['https://names.example.org:8443', { id: 'names.example.org', origin: `${ORIGIN}:8443` }],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://127.0.0.1:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://[::1]:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://names.example.org', undefined],
  ['https://203.0.113.7', undefined],
  ['https://[2001:db8::1]', undefined],
])('passkeys at %s use the relying party %o', (address, relyingParty) => {
  expect(findRelyingParty(address)).toEqual(relyingParty);
});

it('passkeys are refused with an explanation where browsers do not support them', async () => {
  const withoutTls = await openTestApp({ PUBLIC_URL: 'http://names.example.org' });
  const other = await withoutTls.createAccount();
  for (const path of ['create-passkey-login-options', 'create-passkey-options'])
    expect(
      await postFromPage(withoutTls, `/owner/passkeys/${path}`, undefined, other.headers),
    ).toMatchObject(
      errorText(
        409,
        'Passkeys need an address with https. Ask the person who installed this server to set it (PUBLIC_URL).',
      ),
    );
});

import { expect, it } from 'vitest';
import { call, type TestResponse } from '../support/call.ts';
import { errorCode, okBody } from '../support/expected-responses.ts';
import { logIn, postFromPage } from '../support/session.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useSignOn } from './support/use-sign-on.ts';

const fixture = useSignOn();
const { createBrowser, createUser, getSession, sessionHeaders } = fixture;

async function createLoggedInBrowser(account: TestAccount) {
  const visitor = createBrowser();
  const { cookie = '' } = await logIn(fixture.server, account.id);
  const [name = '', value = ''] = cookie.split('=');
  visitor.cookies.set(name, value);
  return visitor;
}

function listIdentities(headers: Record<string, string>): Promise<TestResponse> {
  return call(fixture.server.app, { path: '/owner/identities/list-identities', headers });
}

function unlink(headers: Record<string, string>, identityId: string): Promise<TestResponse> {
  const path = '/owner/identities/delete-identity';
  return postFromPage(fixture.server, path, { identity_id: identityId }, headers);
}

async function readFirstIdentityId(headers: Record<string, string>): Promise<string> {
  const { body } = await listIdentities(headers);
  return (body as { identities: { id: string }[] }).identities[0]!.id;
}

async function ageSessions(accountId: string): Promise<void> {
  await fixture.server.sql`UPDATE sessions SET created_at = ${new Date(Date.now() - 3_601_000)}
    WHERE account_id = ${accountId}`;
}

it('an owner can link an identity, and then log in with it', async () => {
  const account = await fixture.server.createAccount();
  const owner = await createLoggedInBrowser(account);
  const jane = createUser({ groups: ['staff'], email: 'jane@home.example' });
  expect(await owner.signOn(jane, '?for=link')).toMatchObject({
    status: 200,
    headers: { refresh: '0; url=/dashboard/settings' },
  });
  const issued = { issuer: fixture.provider.issuer, label: 'jane@home.example' };
  expect(await listIdentities(account.headers)).toMatchObject({
    body: { identities: [{ ...issued, last_used_at: null }] },
  });
  const otherBrowser = createBrowser();
  await otherBrowser.signOn(jane);
  expect(await getSession(otherBrowser)).toMatchObject({ account_id: account.id });
  expect(await listIdentities(account.headers)).toMatchObject({
    body: { identities: [{ last_used_at: expect.stringMatching(/Z$/) }] },
  });
  // Linking again changes nothing.
  expect(await owner.signOn(jane, '?for=link')).toMatchObject({ status: 200 });
  const { body } = await listIdentities(account.headers);
  expect((body as { identities: unknown[] }).identities).toHaveLength(1);
});

it('an owner needs a session with a recent login to link an identity', async () => {
  const account = await fixture.server.createAccount();
  const owner = await createLoggedInBrowser(account);
  await ageSessions(account.id);
  expect(await owner.open('/dashboard/sign-on?for=link')).toMatchObject(
    errorCode(403, 'reauthenticationRequired'),
  );
  for (const headers of [{}, account.headers])
    expect(await createBrowser().open('/dashboard/sign-on?for=link', headers)).toMatchObject({
      status: 400,
    });
});

it('an owner cannot link an identity if the session ends during the flow', async () => {
  const account = await fixture.server.createAccount();
  const owner = await createLoggedInBrowser(account);
  const providerUrl = await owner.startSignOn('?for=link');
  const callbackUrl = await owner.logInAtProvider(providerUrl, createUser());
  const path = '/owner/sessions/revoke-all-sessions';
  await call(fixture.server.app, { method: 'POST', path, headers: account.headers });
  expect(await owner.open(callbackUrl)).toMatchObject(errorCode(400, 'signOnExpired'));
  expect(await listIdentities(account.headers)).toMatchObject({ body: { identities: [] } });
});

it("an owner cannot link another account's identity, nor two identities of one provider", async () => {
  const takenUser = createUser();
  await createBrowser().signOn(takenUser);
  const account = await fixture.server.createAccount();
  const IDENTITY_TAKEN = errorCode(409, 'identityTaken');
  const owner = await createLoggedInBrowser(account);
  expect(await owner.signOn(takenUser, '?for=link')).toMatchObject(IDENTITY_TAKEN);
  owner.logOutAtProvider();
  expect(await owner.signOn(createUser(), '?for=link')).toMatchObject({ status: 200 });
  owner.logOutAtProvider();
  expect(await owner.signOn(createUser(), '?for=link')).toMatchObject(IDENTITY_TAKEN);
});

it("unlinking ends the identity's sessions and prevents its login", async () => {
  const account = await fixture.server.createAccount();
  const jane = createUser();
  await (await createLoggedInBrowser(account)).signOn(jane, '?for=link');
  const otherBrowser = createBrowser();
  await otherBrowser.signOn(jane);
  const id = await readFirstIdentityId(account.headers);
  expect(await unlink(account.headers, id)).toMatchObject(okBody({ success: true }));
  const path = '/owner/sessions/get-session';
  const headers = sessionHeaders(otherBrowser);
  expect((await call(fixture.server.app, { path, headers })).status).toBe(401);
  fixture.provider.users.set(jane, {});
  expect(await createBrowser().signOn(jane)).toMatchObject(errorCode(403, 'signOnNotAllowed'));
  expect(await unlink(account.headers, id)).toMatchObject({ status: 404 });
});

it('unlinking is refused if it is the only login method', async () => {
  const jane = createBrowser();
  await jane.signOn(createUser());
  const headers = sessionHeaders(jane);
  const id = await readFirstIdentityId(headers);
  expect(await unlink(headers, id)).toMatchObject(errorCode(409, 'lastLogin'));
  expect(await getSession(jane)).toMatchObject({ login_age: 'fresh' });
  const path = '/owner/keys/create-key';
  await postFromPage(fixture.server, path, { scope: 'read' }, headers);
  expect(await unlink(headers, id)).toMatchObject({ status: 409 });
  await postFromPage(fixture.server, path, {}, headers);
  expect(await unlink(headers, id)).toMatchObject({ status: 200 });
});

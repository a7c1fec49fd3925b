import { describe, expect, it } from 'vitest';
import { call, type TestResponse } from '../support/call.ts';
import { logIn } from '../support/session.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useSignOn } from './support/use-sign-on.ts';

const used = useSignOn();
const { browser, user, sessionOf, headersOf } = used;

/** Creates a browser that is signed in to an account with a login link. */
async function signedIn(account: TestAccount) {
  const visitor = browser();
  const { cookie = '' } = await logIn(used.server, account.id);
  const [name = '', value = ''] = cookie.split('=');
  visitor.cookies.set(name, value);
  return visitor;
}

function list(headers: Record<string, string>): Promise<TestResponse> {
  return call(used.server.app, { path: '/owner/identities/list-identities', headers });
}

function unlink(headers: Record<string, string>, identityId: string): Promise<TestResponse> {
  const path = '/owner/identities/unlink-identity';
  return call(used.server.app, { method: 'POST', path, json: { identityId }, headers });
}

async function identityOf(headers: Record<string, string>): Promise<string> {
  const { body } = await list(headers);
  return (body as { identities: { id: string }[] }).identities[0]!.id;
}

async function age(accountId: string): Promise<void> {
  await used.server.database.db
    .updateTable('sessions')
    .set({ created_at: new Date(Date.now() - 3_601_000) })
    .where('account_id', '=', accountId)
    .execute();
}

describe('an owner', () => {
  it('links an identity, which can then log in to the account', async () => {
    const account = await used.server.createAccount();
    const owner = await signedIn(account);
    const jane = user({ email: 'jane@home.example' });
    expect(await owner.signOn(jane, '?for=link')).toMatchObject({
      status: 200,
      headers: { refresh: '0; url=/dashboard/security' },
    });
    expect(await list(account.headers)).toMatchObject({
      body: {
        identities: [
          { issuer: used.provider.issuer, label: 'jane@home.example', last_used_at: null },
        ],
      },
    });
    const elsewhere = browser();
    await elsewhere.signOn(jane);
    expect(await sessionOf(elsewhere)).toMatchObject({ account_id: account.id });
    expect(await list(account.headers)).toMatchObject({
      body: { identities: [{ last_used_at: expect.stringMatching(/Z$/) }] },
    });
    // Linking again changes nothing.
    expect(await owner.signOn(jane, '?for=link')).toMatchObject({ status: 200 });
    const { body } = await list(account.headers);
    expect((body as { identities: unknown[] }).identities).toHaveLength(1);
  });

  it('needs a recent login and a session to link', async () => {
    const account = await used.server.createAccount();
    const owner = await signedIn(account);
    await age(account.id);
    expect(await owner.open('/dashboard/sign-on?for=link')).toMatchObject({
      status: 403,
      headers: { 'x-error-code': 'reauthenticationRequired' },
    });
    expect(await browser().open('/dashboard/sign-on?for=link')).toMatchObject({ status: 400 });
    expect(await browser().open('/dashboard/sign-on?for=link', account.headers)).toMatchObject({
      status: 400,
    });
  });

  it('links nothing if the session has ended in the meantime', async () => {
    const account = await used.server.createAccount();
    const owner = await signedIn(account);
    const back = await owner.prove(await owner.leave('?for=link'), user());
    const path = '/owner/session/revoke-all-sessions';
    await call(used.server.app, { method: 'POST', path, headers: account.headers });
    expect(await owner.open(back)).toMatchObject({ headers: { 'x-error-code': 'signOnExpired' } });
    expect(await list(account.headers)).toMatchObject({ body: { identities: [] } });
  });

  it("cannot link another account's identity, nor two identities of one provider", async () => {
    const taken = user();
    await browser().signOn(taken);
    const account = await used.server.createAccount();
    const TAKEN = { status: 409, headers: { 'x-error-code': 'identityTaken' } };
    const owner = await signedIn(account);
    expect(await owner.signOn(taken, '?for=link')).toMatchObject(TAKEN);
    owner.leaveProvider();
    expect(await owner.signOn(user(), '?for=link')).toMatchObject({ status: 200 });
    owner.leaveProvider();
    expect(await owner.signOn(user(), '?for=link')).toMatchObject(TAKEN);
  });

  it('links nothing if the response arrives in another browser', async () => {
    const attacker = await signedIn(await used.server.createAccount());
    const victim = browser();
    const back = await victim.prove(await attacker.leave('?for=link'), user());
    expect(await victim.open(back)).toMatchObject({ status: 400 });
  });
});

describe('unlinking', () => {
  it("ends the identity's sessions and prevents its login", async () => {
    const account = await used.server.createAccount();
    const jane = user({});
    await (await signedIn(account)).signOn(jane, '?for=link');
    const elsewhere = browser();
    await elsewhere.signOn(jane);
    const id = await identityOf(account.headers);
    expect(await unlink(account.headers, id)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    const path = '/owner/session/get-session';
    expect(await call(used.server.app, { path, headers: headersOf(elsewhere) })).toMatchObject({
      status: 401,
    });
    expect(await browser().signOn(jane)).toMatchObject({
      headers: { 'x-error-code': 'signOnNotAllowed' },
    });
    expect(await unlink(account.headers, id)).toMatchObject({ status: 404 });
  });

  it('is refused for the only login method', async () => {
    const jane = browser();
    await jane.signOn(user());
    const headers = headersOf(jane);
    const id = await identityOf(headers);
    expect(await unlink(headers, id)).toMatchObject({
      status: 409,
      headers: { 'x-error-code': 'lastLogin' },
    });
    expect(await sessionOf(jane)).toMatchObject({ proof: 'fresh' });
    const path = '/owner/keys/create-key';
    await call(used.server.app, { method: 'POST', path, json: { scope: 'read' }, headers });
    expect(await unlink(headers, id)).toMatchObject({ status: 409 });
    await call(used.server.app, { method: 'POST', path, json: {}, headers });
    expect(await unlink(headers, id)).toMatchObject({ status: 200 });
  });

  it('needs a recent login and an identity of the account', async () => {
    const jane = browser();
    await jane.signOn(user());
    const id = await identityOf(headersOf(jane));
    const other = await used.server.createAccount();
    expect(await unlink(other.headers, id)).toMatchObject({ status: 404 });
    await age((await sessionOf(jane)).account_id);
    expect(await unlink(headersOf(jane), id)).toMatchObject({
      status: 403,
      headers: { 'x-error-code': 'reauthenticationRequired' },
    });
  });
});

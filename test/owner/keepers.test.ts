import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { contract } from '#contract/index.ts';
import { authenticatedContract } from '#contract/owner/index.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { findKeeperInvitation, setKeeperToken } from '#db/queries/keepers.ts';
import { createToken, hashToken } from '#server/platform/secrets/token.ts';
import { call, type TestResponse } from '../support/call.ts';
import {
  addIdentity,
  addPasskey,
  authenticatedEndpoints,
  createOperator,
  createValidPath,
  createValidRequest,
} from '../support/endpoints.ts';
import { errorCode, errorText } from '../support/expected-responses.ts';
import { createSession, logIn } from '../support/session.ts';
import { openTestApp, type TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer({
  mailEnabled: true,
  chat: { deliver: () => Promise.resolve('1') },
});

let count = 0;

interface Person extends TestAccount {
  name: string;
  session: Record<string, string>;
}

async function addPerson(word = 'person'): Promise<Person> {
  count += 1;
  const name = `${word}-${count}`;
  const account = await server.createNamedAccount(name);
  return { ...account, name, session: await logIn(server, account.id) };
}

type Endpoint = `${'GET' | 'POST'} /${string}`;

function act(
  { session }: Pick<Person, 'session'>,
  account: { id: string } | undefined,
  endpoint: Endpoint,
  json?: unknown,
): Promise<TestResponse> {
  const [method, path] = endpoint.split(' ') as [string, string];
  const headers = { ...session, ...(account && { 'nameplate-account': account.id }) };
  return call(server.app, { method, path, json, headers });
}

async function invite(club: Person, name: string, by: Person = club): Promise<string> {
  const json = { display_name: name };
  const { body, text } = await act(by, club, 'POST /owner/keepers/invite-keeper', json);
  expect(text).toContain('invitation');
  return (body as { invitation: { id: string } }).invitation.id;
}

async function addKeeper(club: Person, by: Person = club): Promise<Person> {
  const keeper = await addPerson('keeper');
  const invitation_id = await invite(club, keeper.name, by);
  const json = { invitation_id };
  const { text } = await act(
    keeper,
    undefined,
    'POST /owner/keepers/accept-keeper-invitation',
    json,
  );
  expect(text).toBe('{"success":true}');
  return keeper;
}

/** An account that its first keeper owns. */
async function addClub(): Promise<{ club: Person; owner: Person }> {
  const club = await addPerson('club');
  const owner = await addKeeper(club);
  const json = { account_id: owner.id };
  expect(await act(club, undefined, 'POST /owner/keepers/transfer-account', json)).toMatchObject({
    status: 200,
  });
  return { club, owner };
}

const SAVE = 'POST /account/update-display-name';
const save = (person: Person, club: { id: string }) =>
  act(person, club, SAVE, { display_name: `renamed-${(count += 1)}` });

async function createKey(person: Person, club: { id: string }): Promise<{ key: string }> {
  const json = { label: 'wind', scope: 'all' };
  const { body } = await act(person, club, 'POST /owner/keys/create-key', json);
  return { key: (body as { api_key: string }).api_key };
}

it('a keeper acts for the account after accepting, and events name the person', async () => {
  const club = await addPerson('club');
  const keeper = await addPerson('keeper');
  expect(await save(keeper, club)).toMatchObject(errorCode(403, 'accountNotKept'));
  const invitation_id = await invite(club, keeper.name);
  expect(await save(keeper, club)).toMatchObject(errorCode(403, 'accountNotKept'));
  const listed = await act(keeper, undefined, 'GET /owner/accounts/list-accounts');
  expect(listed.body).toMatchObject({
    accounts: [{ id: keeper.id, owner: true }],
    invitations: [{ id: invitation_id, account: { id: club.id }, invited_by: { id: club.id } }],
  });
  await act(keeper, undefined, 'POST /owner/keepers/accept-keeper-invitation', { invitation_id });
  expect((await save(keeper, club)).status).toBe(200);
  const { body } = await act(club, undefined, 'GET /owner/events/list-events');
  expect(body).toMatchObject({
    events: expect.arrayContaining([
      expect.objectContaining({
        type: 'display_name_updated',
        summary: expect.stringMatching(new RegExp(` by @${keeper.name}$`)),
      }),
      expect.objectContaining({
        type: 'keeper_joined',
        action: `@${keeper.name} keeps the account, too`,
      }),
    ]),
  });
  expect((await act(keeper, undefined, 'GET /account/get-display-name')).body).toEqual({
    display_name: keeper.name,
  });
  const kept = await act(keeper, undefined, 'GET /owner/accounts/list-accounts');
  expect(kept.body).toMatchObject({
    accounts: [{ id: keeper.id }, { id: club.id, owner: false }],
    invitations: [],
  });
});

it('the header never falls back to the own account, and a key only repeats its own', async () => {
  const [person, other] = [await addPerson(), await addPerson()];
  for (const id of [other.id, randomUUID(), 'x', '', `${person.id}, ${other.id}`])
    expect(await save(person, { id })).toMatchObject(errorCode(403, 'accountNotKept'));
  expect((await save(person, { id: person.id.toUpperCase() })).status).toBe(200);
  const withKey = (id: string) =>
    call(server.app, {
      path: '/account/get-display-name',
      key: person.key,
      headers: { 'nameplate-account': id },
    });
  expect((await withKey(person.id)).status).toBe(200);
  const keeper = await addKeeper(person);
  expect(await withKey(keeper.id)).toMatchObject(errorCode(403, 'accountNotKept'));
  const key = { key: keeper.key, headers: { 'nameplate-account': person.id } };
  expect(await call(server.app, { path: '/account/get-display-name', ...key })).toMatchObject(
    errorCode(403, 'accountNotKept'),
  );
});

it('the session of a keeper is the person: login, language, scope and rights of an operator', async () => {
  const club = await addPerson('club');
  const keeper = await addKeeper(club);
  await server.sql`INSERT INTO operators (account_id) VALUES (${club.id}), (${keeper.id})`;
  await server.sql`UPDATE accounts SET language = 'de' WHERE id = ${keeper.id}`;
  const session = await act(keeper, club, 'GET /owner/sessions/get-session');
  expect(session.body).toMatchObject({
    account_id: club.id,
    actor_id: keeper.id,
    operator: false,
    language: 'de',
    login_age: 'fresh',
    session: { current: true },
  });
  expect(await act(keeper, club, 'GET /owner/members/list-members')).toMatchObject(
    errorCode(403, 'insufficientScope'),
  );
  await server.sql`UPDATE sessions SET created_at = now() - interval '2 hours'
    WHERE account_id = ${keeper.id}`;
  const create = { label: 'x', scope: 'all' };
  expect(await act(keeper, club, 'POST /owner/keys/create-key', create)).toMatchObject(
    errorCode(403, 'reauthenticationRequired'),
  );
  await act(keeper, club, 'POST /owner/sessions/revoke-current-session');
  expect((await act(keeper, undefined, 'GET /owner/sessions/get-session')).status).toBe(401);
});

const OWNER_ONLY = [
  'emailForwarding.emailForwardingToggle',
  'account.exportAccount',
  'account.deleteAccount',
  'keepers.inviteKeeper',
];
const OWN_LOGIN =
  /^(?:passkeys|identities)\.|^sessions\.(?:listSessions|revokeSession|revokeAllSessions)$|^keepers\.(?:acceptKeeperInvitation|getKeeperInvitation)$/;
const BY_HANDLER = ['keepers.removeKeeper', 'keepers.transferAccount'];

it('the contract says for every operation whether keepers may call it', () => {
  const rules: Record<string, string[]> = {};
  for (const [area, routes] of [
    ...Object.entries(contract),
    ...Object.entries(authenticatedContract),
  ])
    for (const [name, { metadata }] of Object.entries(
      routes as Record<string, { metadata: { actor?: string; refusals: object } }>,
    )) {
      const { actor = 'keeper', refusals } = metadata;
      (rules[actor] ??= []).push(`${area}.${name}`);
      expect([name, 'ownerOnly' in refusals]).toEqual([name, /owner|self/.test(actor)]);
    }
  expect(rules['owner']!.toSorted()).toEqual(OWNER_ONLY.toSorted());
  expect(rules['handler']).toEqual(BY_HANDLER);
  expect(rules['self']!.filter((name) => !OWN_LOGIN.test(name))).toEqual([]);
  expect(rules['keeper']!.filter((name) => OWN_LOGIN.test(name))).toEqual([]);
});

describe('for an account that others keep', () => {
  let [owner, keeper, stranger] = [{} as Person, {} as Person, {} as Person];
  beforeAll(async () => {
    [owner, keeper, stranger] = [await addPerson(), await addPerson(), await addPerson()];
  });

  it.each(
    authenticatedEndpoints.filter(
      ({ area, name, isForOperators }) =>
        !isForOperators && !BY_HANDLER.includes(`${area}.${name}`),
    ),
  )(
    '$method $path is for keepers, their keys or owners only, as the contract says',
    async (endpoint) => {
      const operation = `${endpoint.area}.${endpoint.name}`;
      const isOwnLogin = OWN_LOGIN.test(operation);
      const isForKeepers = !isOwnLogin && !OWNER_ONLY.includes(operation);
      const club = await server.createAccount();
      for (const { id } of [owner, keeper])
        await server.sql`INSERT INTO keepers (account_id, keeper_id, is_owner)
          VALUES (${club.id}, ${id}, ${id === owner.id})`;
      const path = isOwnLogin ? endpoint.path : await createValidPath(server, club, endpoint);
      const valid = isOwnLogin ? {} : await createValidRequest(server, club, endpoint);
      const request = { ...valid, method: endpoint.method, path };
      const asPerson = async (person: Person) => {
        // One operation ends the session.
        const isLogout = operation === 'sessions.revokeCurrentSession';
        const session = isLogout ? await logIn(server, person.id) : person.session;
        const headers = { ...valid.headers, ...session, 'nameplate-account': club.id };
        return call(server.app, { ...request, headers });
      };
      const refused = errorCode(403, 'ownerOnly');
      expect(await asPerson(stranger)).toMatchObject(errorCode(403, 'accountNotKept'));
      if (!isForKeepers) {
        const { key } = await createKey(keeper, club);
        expect(await asPerson(keeper)).toMatchObject(refused);
        expect(await call(server.app, { ...request, key })).toMatchObject(refused);
      }
      const { status, text } = await asPerson(isForKeepers ? keeper : owner);
      expect([operation, status, text]).toEqual([operation, isOwnLogin ? 403 : 200, text]);
    },
  );
});

it("a keeper's key does what the keeper may, and does not open the account", async () => {
  const club = await addPerson('club');
  const keeper = await addKeeper(club);
  const { key } = await createKey(keeper, club);
  const rename = { method: 'POST', path: '/account/update-display-name', key };
  const json = { display_name: `by-key-${count}` };
  expect((await call(server.app, { ...rename, json })).status).toBe(200);
  expect(await createSession(server, { api_key: key })).toMatchObject(
    errorCode(401, 'loginFailed'),
  );
  const { body } = await call(server.app, { path: '/owner/accounts/list-accounts', key });
  expect(body).toMatchObject({ accounts: [{ id: club.id }], invitations: [] });
  const made = await call(server.app, {
    method: 'POST',
    path: '/owner/keys/create-key',
    key,
    json: { label: 'second', scope: 'metrics' },
  });
  expect(made.status).toBe(200);
  const listed = await act(club, undefined, 'GET /owner/keepers/list-keepers');
  expect(listed.body).toMatchObject({
    keepers: [
      { account_id: club.id, owner: true },
      { account_id: keeper.id, owner: false, keys: ['wind', 'second'], connections: [] },
    ],
  });
  await server.sql`UPDATE accounts SET suspended_at = now() WHERE id = ${keeper.id}`;
  expect(await call(server.app, { ...rename, json })).toMatchObject(
    errorCode(403, 'accountNotKept'),
  );
  await server.sql`UPDATE accounts SET suspended_at = NULL WHERE id = ${keeper.id}`;
  const remove = { account_id: keeper.id };
  await act(club, undefined, 'POST /owner/keepers/remove-keeper', remove);
  expect(await call(server.app, { ...rename, json })).toMatchObject(
    errorCode(401, 'apiKeyRevoked'),
  );
  const keys = await server.sql`SELECT id FROM api_keys WHERE actor_id = ${keeper.id}
    AND revoked_at IS NULL`;
  expect(keys).toEqual([]);
});

it('only the owner removes others and hands keys on; what is not handed on ends', async () => {
  const { club, owner } = await addClub();
  const [first, second] = [await addKeeper(club, owner), await addKeeper(club, owner)];
  const { key } = await createKey(first, club);
  await server.sql`INSERT INTO connections (account_id, kind, name, event_types, actor_id)
    VALUES (${club.id}, 'email', 'mine', '{}', ${first.id})`;
  const remove = (by: Person, account_id: string, hand_to?: string) =>
    act(by, club, 'POST /owner/keepers/remove-keeper', { account_id, hand_to });
  expect(await remove(first, second.id)).toMatchObject(errorCode(403, 'keeperForbidden'));
  expect(await remove(first, first.id, second.id)).toMatchObject(errorCode(403, 'keeperForbidden'));
  expect(await remove(owner, first.id, club.id)).toMatchObject(errorCode(404, 'keeperNotFound'));
  expect(await remove(owner, randomUUID())).toMatchObject(errorCode(404, 'keeperNotFound'));
  expect((await remove(owner, first.id, second.id)).status).toBe(200);
  expect(await save(first, club)).toMatchObject(errorCode(403, 'accountNotKept'));
  const rename = { method: 'POST', path: '/account/update-display-name', key };
  const json = { display_name: `handed-${count}` };
  expect((await call(server.app, { ...rename, json })).status).toBe(200);
  expect((await remove(second, second.id)).status).toBe(200);
  expect(await call(server.app, { ...rename, json })).toMatchObject(
    errorCode(401, 'apiKeyRevoked'),
  );
  const connections = await server.sql`SELECT disabled_reason FROM connections
    WHERE account_id = ${club.id}`;
  expect(connections).toEqual([{ disabled_reason: 'owner' }]);
  expect(await remove(owner, owner.id)).toMatchObject(errorCode(409, 'ownerCannotLeave'));
});

it('an account that is handed over has no login of its own', async () => {
  const club = await addPerson('club');
  await addPasskey(server, club);
  await addIdentity(server, club);
  await server.sql`UPDATE forwarding_settings SET login_email = 'club@names.org'
    WHERE account_id = ${club.id}`;
  const keeper = await addKeeper(club);
  const transfer = (by: Person, account_id: string) =>
    act(by, club, 'POST /owner/keepers/transfer-account', { account_id });
  expect(await transfer(keeper, keeper.id)).toMatchObject(errorCode(403, 'transferForbidden'));
  expect(await transfer(club, randomUUID())).toMatchObject(errorCode(404, 'keeperNotFound'));
  expect((await transfer(club, keeper.id)).status).toBe(200);
  expect((await act(club, undefined, 'GET /owner/sessions/get-session')).status).toBe(401);
  expect(await createSession(server, { api_key: club.key })).toMatchObject(
    errorCode(401, 'loginFailed'),
  );
  const left = await server.sql`SELECT FROM passkeys WHERE account_id = ${club.id}
    UNION ALL SELECT FROM identities WHERE account_id = ${club.id}
    UNION ALL SELECT FROM sessions WHERE account_id = ${club.id}`;
  expect(left).toEqual([]);
  const operator = await createOperator(server);
  const json = { account_id: club.id };
  const login = await call(server.app, {
    method: 'POST',
    path: '/owner/members/create-login-link',
    key: operator.key,
    json,
  });
  expect(login).toMatchObject(
    errorText(409, 'This account has no login of its own. Its keepers open it.'),
  );
  const second = await addKeeper(club, keeper);
  expect((await transfer(keeper, second.id)).status).toBe(200);
  expect(await transfer(keeper, keeper.id)).toMatchObject(errorCode(403, 'transferForbidden'));
  expect((await save(keeper, club)).status).toBe(200);
});

it('an operator, and an account that keeps others, cannot be handed over', async () => {
  const club = await addPerson('club');
  const keeper = await addKeeper(club);
  const middle = await addKeeper(keeper);
  const transfer = (by: Person, to: Person) =>
    act(by, undefined, 'POST /owner/keepers/transfer-account', { account_id: to.id });
  expect(await transfer(keeper, middle)).toMatchObject(errorCode(409, 'accountNotTransferable'));
  await server.sql`INSERT INTO operators (account_id) VALUES (${club.id})`;
  expect(await transfer(club, keeper)).toMatchObject(errorCode(409, 'accountNotTransferable'));
});

it('an account never loses the last person who can sign in for it', async () => {
  const { club, owner } = await addClub();
  const operator = await createOperator(server);
  const asOperator = (operation: string, account_id: string) =>
    call(server.app, {
      method: 'POST',
      path: `/owner/members/${operation}`,
      key: operator.key,
      json: { account_id, ...(operation === 'suspend-member' && { reason: 'Spam' }) },
    });
  const last = errorText(
    409,
    `Nobody else can sign in for @${club.name}. Hand it over or delete it first.`,
  );
  const isOnlyKeeper = async () => {
    const { body: kept } = await act(owner, undefined, 'GET /owner/accounts/list-accounts');
    const { accounts } = kept as { accounts: { only_keeper: boolean }[] };
    return accounts.map(({ only_keeper: isOnly }) => isOnly);
  };
  expect(await isOnlyKeeper()).toEqual([false, true]);
  const close = { confirm: owner.id };
  expect(await act(owner, undefined, 'POST /owner/account/delete-account', close)).toMatchObject({
    status: 409,
    headers: { 'x-error-code': 'lastKeeper' },
  });
  expect(await asOperator('suspend-member', owner.id)).toMatchObject(last);
  expect(await asOperator('delete-member', owner.id)).toMatchObject(last);
  const invited = await addPerson();
  await invite(club, invited.name, owner);
  expect(await asOperator('suspend-member', owner.id)).toMatchObject(last);
  const keeper = await addKeeper(club, owner);
  expect(await isOnlyKeeper()).toEqual([false, false]);
  expect((await asOperator('suspend-member', owner.id)).status).toBe(200);
  expect(await save(owner, club)).toMatchObject({ status: 401 });
  const leave = { account_id: keeper.id };
  expect(await act(keeper, club, 'POST /owner/keepers/remove-keeper', leave)).toMatchObject(last);
  expect((await asOperator('delete-member', owner.id)).status).toBe(200);
  const { body } = await act(keeper, club, 'GET /owner/keepers/list-keepers');
  expect(body).toMatchObject({ keepers: [{ account_id: keeper.id, owner: true }] });
  expect((await asOperator('suspend-member', club.id)).status).toBe(200);
  expect((await asOperator('suspend-member', keeper.id)).status).toBe(200);
  expect(await asOperator('resume-member', club.id)).toMatchObject({ status: 409 });
});

it('while keepers are off, the last one can go, and an operator opens the account', async () => {
  const { club, owner } = await addClub();
  const { app } = await openTestApp({ FEATURES_OFF: ['keepers'] }, server.database);
  const json = { confirm: owner.id };
  const path = '/owner/account/delete-account';
  const closed = await call(app, { method: 'POST', path, json, headers: owner.session });
  expect([closed.status, closed.text]).toEqual([200, '{"success":true}']);
  const { key } = await createOperator(server);
  const link = await call(app, {
    method: 'POST',
    path: '/owner/members/create-login-link',
    key,
    json: { account_id: club.id },
  });
  const { login_url } = link.body as { login_url: string };
  expect(await createSession(server, { login_url })).toMatchObject({
    body: { account_id: club.id },
  });
});

it('an operator creates an account that members keep, without a key and a login', async () => {
  const { key } = await createOperator(server);
  const off = await openTestApp({ FEATURES_OFF: ['keepers'] }, server.database);
  const [owner, keeper] = [await addPerson('owner'), await addPerson('keeper')];
  const create = (keepers: string[], { app }: Pick<typeof off, 'app'> = server) => {
    const json = { display_name: ` Clüb  ${(count += 1)}\n`, keepers };
    return call(app, { method: 'POST', path: '/owner/members/create-member', key, json });
  };
  const { body } = await create([`@${owner.name}`, keeper.name.toUpperCase(), owner.name]);
  const { member, api_key } = body as {
    member: Person & { display_name: string; page_title: string };
    api_key: null;
  };
  expect(api_key).toBeNull();
  expect(member).toMatchObject({ display_name: `clueb-${count}`, page_title: `Clüb ${count}` });
  expect((await act(keeper, member, 'GET /owner/keepers/list-keepers')).body).toMatchObject({
    keepers: [
      { account_id: owner.id, owner: true },
      { account_id: keeper.id, owner: false },
    ],
  });
  const joined = await server.sql`SELECT detail->>'by' AS by FROM events
    WHERE account_id = ${member.id} AND type = 'keeper_joined'`;
  expect(joined).toEqual([{ by: 'operator' }, { by: 'operator' }]);
  expect(member).toMatchObject({ kept: true });
  for (const [operation, change] of [
    ['create-login-link', {}],
    ['update-member-email', { email: 'club@example.com' }],
    ['update-member-role', { operator: true }],
  ] as const) {
    const path = `/owner/members/${operation}`;
    const json = { account_id: member.id, ...change };
    const refused = await call(server.app, { method: 'POST', path, key, json });
    expect(refused).toMatchObject(errorCode(409, 'accountKept'));
  }
  for (const name of ['nobody-there', member.display_name])
    expect(await create([owner.name, name])).toMatchObject(errorCode(404, 'memberNotFound'));
  const own = `clueb-${count + 1}`;
  expect(await create([own])).toMatchObject(errorCode(404, 'memberNotFound'));
  expect(await create([owner.name], off)).toMatchObject(errorCode(409, 'keepersOff'));
  const kept = await server.sql`SELECT FROM keepers WHERE keeper_id = ${owner.id}`;
  expect(kept).toHaveLength(1);
});

it('an owner deletes the account and stays signed in', async () => {
  const { club, owner } = await addClub();
  const json = { confirm: club.id };
  const deleted = await act(owner, club, 'POST /owner/account/delete-account', json);
  expect([deleted.status, deleted.headers['set-cookie']]).toEqual([200, undefined]);
  expect(await save(owner, club)).toMatchObject(errorCode(403, 'accountNotKept'));
  expect((await act(owner, undefined, 'GET /owner/sessions/get-session')).status).toBe(200);
});

it('an invitation waits for the account itself, not for those who keep it', async () => {
  const [club, keeper, other] = [await addPerson('club'), await addPerson(), await addPerson()];
  const invitation_id = await invite(club, keeper.name);
  const accept = { invitation_id, accept: true };
  await act(keeper, undefined, 'POST /owner/keepers/accept-keeper-invitation', accept);
  await invite(other, club.name);
  const readToDo = async (person: Person, account?: Person) =>
    (await act(person, account, 'GET /owner/sessions/get-session')).body;
  expect(await readToDo(club)).toMatchObject({ to_do: [{ code: 'keeperInvited' }] });
  expect(await readToDo(keeper, club)).toMatchObject({ account_id: club.id, to_do: [] });
});

it('an invitation is for one member, ends after 14 days, and can be declined or withdrawn', async () => {
  const club = await addPerson('club');
  const [invited, other] = [await addPerson(), await addPerson()];
  const answer = (person: Person, invitation_id: string, accept = true) =>
    act(person, undefined, 'POST /owner/keepers/accept-keeper-invitation', {
      invitation_id,
      accept,
    });
  const gone = errorCode(404, 'invitationNotFound');
  const id = await invite(club, `@${invited.name.toUpperCase()}`);
  expect(await answer(other, id)).toMatchObject(gone);
  expect((await answer(invited, id, false)).status).toBe(200);
  expect(await answer(invited, id)).toMatchObject(gone);
  const second = await invite(club, invited.name);
  const [{ days }] = (await server.sql<{ days: number }>`
    SELECT round(extract(epoch FROM expires_at - now()) / 86400)::int AS days
    FROM keeper_invitations WHERE id = ${second}`) as [{ days: number }];
  expect(days).toBe(14);
  await act(club, undefined, 'POST /owner/keepers/remove-keeper', { account_id: invited.id });
  expect(await answer(invited, second)).toMatchObject(gone);
  const third = await invite(club, invited.name);
  await server.sql`UPDATE keeper_invitations SET expires_at = now() WHERE id = ${third}`;
  expect(await answer(invited, third)).toMatchObject(gone);
  expect(await findKeeperInvitation(server.db, { id: third, keeperId: invited.id })).toBe(
    undefined,
  );
  // A request that waited while its account was handed over.
  const fourth = await invite(club, invited.name);
  const ownership = { account_id: invited.id, keeper_id: other.id, is_owner: true };
  await server.db.insertInto('keepers').values(ownership).execute();
  expect(await answer(invited, fourth)).toMatchObject(gone);
  await server.db.deleteFrom('keepers').where('account_id', '=', invited.id).execute();
  const json = { display_name: invited.name };
  const asKeeper = (await addKeeper(club)).session;
  expect(
    await act({ session: asKeeper }, club, 'POST /owner/keepers/invite-keeper', json),
  ).toMatchObject(errorCode(403, 'ownerOnly'));
});

it('inviting again voids the first link, so that clients do not repeat it by themselves', async () => {
  const club = await addPerson('club');
  const invited = await addPerson();
  const id = await invite(club, invited.name);
  const token = createToken();
  await inTransaction(server.db, (trx) => setKeeperToken(trx, id, hashToken(token)));
  const path = 'POST /owner/keepers/get-keeper-invitation';
  const read = () => act(invited, undefined, path, { invitation_url: token });
  expect((await read()).status).toBe(200);
  expect(await invite(club, invited.name)).toBe(id);
  expect(await read()).toMatchObject(errorCode(404, 'invitationNotFound'));
  const { metadata } = authenticatedContract.keepers.inviteKeeper;
  expect(metadata).not.toHaveProperty('idempotent');
});

it('only members with a login of their own are invited, once, and at most 20', async () => {
  const { club, owner } = await addClub();
  const inviteName = (display_name: string) =>
    act(owner, club, 'POST /owner/keepers/invite-keeper', { display_name });
  const suspended = await addPerson();
  await server.sql`UPDATE accounts SET suspended_at = now() WHERE id = ${suspended.id}`;
  const { club: otherClub } = await addClub();
  for (const name of ['nobody-at-all', suspended.name, otherClub.name, club.name])
    expect(await inviteName(name)).toMatchObject(errorCode(404, 'memberNotFound'));
  expect(await inviteName(owner.name)).toMatchObject(errorCode(409, 'alreadyKeeper'));
  await server.sql`WITH added AS (INSERT INTO accounts SELECT FROM generate_series(1, 19) RETURNING id)
    INSERT INTO keepers (account_id, keeper_id) SELECT ${club.id}, id FROM added`;
  expect(await inviteName((await addPerson()).name)).toMatchObject(
    errorCode(409, 'keeperLimitReached'),
  );
});

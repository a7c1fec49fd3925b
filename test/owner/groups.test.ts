import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { GroupSource } from '#db/queries/groups.ts';
import { runMaintenance } from '#server/process/maintenance.ts';
import { call, send } from '../support/call.ts';
import { addApplication, createOperator } from '../support/endpoints.ts';
import { errorCode, errorText, okBody } from '../support/expected-responses.ts';
import type { TestAccount } from '../support/test-app.ts';
import { unzip } from '../support/unzip.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();
let operator: TestAccount;

beforeAll(async () => {
  operator = await createOperator(server, 'secretary');
});
beforeEach(() => server.sql`DELETE FROM groups`);

const post = (operation: string, json: object) =>
  send(server, operator, `POST /owner/groups/${operation}`, json);
const create = async (name: string, color: 'blue' | 'green' = 'blue') =>
  (await operator.owner.groups.createGroup({ name, color })).group.id;
const list = async (deleted = false) =>
  (await operator.owner.groups.listGroups({ deleted })).groups.map(({ name, members }) => [
    name,
    members,
  ]);
const add = (group_id: string, ...accounts: { id: string }[]) =>
  operator.owner.groups.addMembers({ group_id, account_ids: accounts.map(({ id }) => id) });
const listMembers = async (group_id: string) =>
  (await operator.owner.members.listMembers({ group_id, count: true })).members.map(({ id }) => id);
const groupsOf = async ({ id }: { id: string }) =>
  (await operator.owner.members.getMember({ account_id: id })).member.groups;
const insertMembership = (group: string, { id }: { id: string }, source: GroupSource) =>
  server.sql`INSERT INTO group_members (group_id, account_id, source)
    VALUES (${group}, ${id}, ${source})`;

it('groups have a name that occurs once, and a slug that stays and that no other group gets', async () => {
  const created = await operator.owner.groups.createGroup({ name: 'Große Böe!', color: 'green' });
  expect(created.group).toMatchObject({
    slug: 'grosse-boe',
    name: 'Große Böe!',
    color: 'green',
    members: 0,
    deleted_at: null,
  });
  expect(await post('create-group', { name: 'GROSSE böe!' })).toMatchObject(okBody({}));
  expect(await post('create-group', { name: 'große Böe!' })).toMatchObject(
    errorText(409, 'There is a group große Böe! already.'),
  );
  const { id: group_id } = created.group;
  expect(await post('update-group', { group_id, name: 'Gusts' })).toMatchObject(
    okBody({ group: { name: 'Gusts', slug: 'grosse-boe', color: 'green' } }),
  );
  const others = await Promise.all(
    ['Grosse Boe', 'Operators', '☂'].map((name) => operator.owner.groups.createGroup({ name })),
  );
  expect(others.map(({ group }) => group.slug)).toEqual(['grosse-boe-3', 'operators-2', 'group']);
  const [audit] = await server.sql<object>`SELECT action, detail FROM audit_log
    WHERE action = 'groups.updateGroup' ORDER BY created_at DESC LIMIT 1`;
  expect(audit).toEqual({
    action: 'groups.updateGroup',
    detail: { group: 'Große Böe!', name: 'Gusts' },
  });
});

it('members can be in several groups, by which the list of members and its file are filtered', async () => {
  const [anna, karl] = [await server.createNamedAccount('anna'), await server.createAccount()];
  const [altos, board] = [await create('Altos', 'green'), await create('Board')];
  expect(await add(altos, anna, anna, karl)).toMatchObject({ added: 2, group: { members: 2 } });
  expect(await add(altos, karl)).toMatchObject({ added: 0, group: { members: 2 } });
  await add(board, anna);
  expect(await list()).toEqual([
    ['Altos', 2],
    ['Board', 1],
  ]);
  expect(await groupsOf(anna)).toEqual([
    { id: altos, name: 'Altos', color: 'green', sources: ['hand'] },
    { id: board, name: 'Board', color: 'blue', sources: ['hand'] },
  ]);
  expect(await listMembers(board)).toEqual([anna.id]);
  expect((await listMembers(altos)).toSorted()).toEqual([anna.id, karl.id].toSorted());
  expect(await listMembers('none')).toEqual([operator.id]);
  const path = `/owner/members/export-members?group_id=${board}`;
  const { text, headers } = await call(server.app, { path, key: operator.key });
  expect(headers['content-disposition']).toMatch(/filename="members-board-20[-\d]{8}\.csv"/);
  expect(text.split('\r\n').slice(1, -1)).toEqual([
    expect.stringMatching(/anna,.*,"Altos, Board"$/),
  ]);
  const bad = await call(server.app, {
    path: '/owner/members/list-members?group_id=altos',
    key: operator.key,
  });
  expect(bad).toMatchObject(errorText(400, 'group_id must be the id of a group, or none.'));
});

it('removing members ends what operators did, and says who stays by single sign-on', async () => {
  const [anna, karl] = [await server.createAccount(), await server.createAccount()];
  const group_id = await create('Altos');
  await add(group_id, anna, karl);
  await insertMembership(group_id, anna, 'import');
  await insertMembership(group_id, karl, 'sign_on');
  const account_ids = [anna.id, karl.id];
  expect(await post('remove-members', { group_id, account_ids })).toMatchObject(
    okBody({ removed: 1, kept: 1, group: { members: 1 } }),
  );
  expect(await listMembers(group_id)).toEqual([karl.id]);
  expect(await groupsOf(karl)).toMatchObject([{ sources: ['sign_on'] }]);
  expect(await post('remove-members', { group_id, account_ids: [anna.id] })).toMatchObject(
    okBody({ removed: 0, kept: 0 }),
  );
  const [audit] = await server.sql<object>`SELECT account_id, detail FROM audit_log
    WHERE action = 'groups.removeMembers' ORDER BY created_at DESC LIMIT 1`;
  expect(audit).toEqual({
    account_id: anna.id,
    detail: { group: 'Altos', removed: 0 },
  });
});

it('nobody is added if one is no member, or if the group would be too large', async () => {
  const anna = await server.createAccount();
  const { id: waiting } = await addApplication(server);
  const group_id = await create('Altos');
  const unknown = '0b7e5c1e-0f4e-4d53-9f0f-3d1c2b5a6e77';
  for (const member of [waiting, unknown])
    expect(await post('add-members', { group_id, account_ids: [anna.id, member] })).toMatchObject(
      errorText(404, `There is no member ${member}.`),
    );
  await server.sql`WITH fillers AS (
      INSERT INTO accounts SELECT FROM generate_series(1, 5000) RETURNING id
    ) INSERT INTO group_members (group_id, account_id, source)
      SELECT ${group_id}, id, 'hand' FROM fillers`;
  expect(await post('add-members', { group_id, account_ids: [anna.id] })).toMatchObject(
    errorText(400, 'A group can have 5,000 members.'),
  );
  expect(await groupsOf(anna)).toEqual([]);
  await server.sql`DELETE FROM accounts
    WHERE id IN (SELECT account_id FROM group_members WHERE group_id = ${group_id})`;
});

it('a server has at most 200 groups, also if deleted ones come back', async () => {
  const gone = await create('Gone');
  await post('delete-group', { group_id: gone });
  await server.sql`INSERT INTO groups (slug, name, color)
    SELECT number, number, 'blue' FROM generate_series(1, 199) AS number`;
  await create('Last');
  const refusal = errorText(
    400,
    'This server has reached its limit of 200 groups. Delete one first.',
  );
  expect(await post('create-group', { name: 'One more' })).toMatchObject(refusal);
  expect(await post('update-group', { group_id: gone, deleted: false })).toMatchObject(refusal);
});

it('a deleted group comes back with its members within 30 days, and keeps its slug for 90', async () => {
  const anna = await server.createAccount();
  const group_id = await create('Altos');
  await add(group_id, anna);
  expect(await post('delete-group', { group_id })).toMatchObject(okBody({ success: true }));
  expect([await list(), await list(true)]).toEqual([[], [['Altos', 1]]]);
  expect([await groupsOf(anna), await listMembers(group_id)]).toEqual([[], []]);
  for (const [operation, fields] of [
    ['delete-group', {}],
    ['update-group', { name: 'x' }],
    ['add-members', { account_ids: [anna.id] }],
    ['remove-members', { account_ids: [anna.id] }],
  ] as const)
    expect(await post(operation, { group_id, ...fields })).toMatchObject(
      errorCode(404, 'groupNotFound'),
    );
  const other = await operator.owner.groups.createGroup({ name: 'Altos' });
  expect(other.group.slug).toBe('altos-2');
  expect(await post('update-group', { group_id, deleted: false })).toMatchObject(
    errorCode(409, 'groupNameTaken'),
  );
  expect(await post('update-group', { group_id, deleted: false, name: 'Old altos' })).toMatchObject(
    okBody({ group: { slug: 'altos', members: 1, deleted_at: null } }),
  );
  await post('delete-group', { group_id });

  const age = (days: number) =>
    server.sql`UPDATE groups SET deleted_at = now() - ${days} * interval '1 day'
      WHERE id = ${group_id}`;
  const countRows = async () => {
    await runMaintenance(server.nameplate);
    return server.sql<{ members: number }>`SELECT
      (SELECT count(*)::int FROM group_members WHERE group_id = groups.id) AS members
      FROM groups WHERE id = ${group_id}`;
  };
  await age(29);
  expect(await countRows()).toEqual([{ members: 1 }]);
  await age(31);
  expect(await post('update-group', { group_id, deleted: false })).toMatchObject(
    errorCode(404, 'groupNotFound'),
  );
  expect(await list(true)).toEqual([]);
  expect(await countRows()).toEqual([{ members: 0 }]);
  await age(91);
  expect(await countRows()).toEqual([]);
});

it('a member who leaves is in no group at once, and the export names the groups', async () => {
  const anna = await server.createAccount();
  await add(await create('Altos'), anna);
  const { rawPayload } = await server.app.inject({
    url: '/owner/account/export-account',
    headers: anna.headers,
  });
  expect(JSON.parse((await unzip(rawPayload)).get('groups.json')!)).toMatchObject([
    { name: 'Altos', source: 'hand' },
  ]);
  await send(server, anna, 'POST /owner/account/delete-account', { confirm: anna.id });
  expect(await list()).toEqual([['Altos', 0]]);
});

import { beforeAll, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { createOperator } from '../support/endpoints.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useSignOn } from './support/use-sign-on.ts';

const fixture = useSignOn({ OIDC_ALLOWED_GROUPS: ['staff'] });
let operator: TestAccount;
let altos: string;
let board: string;

beforeAll(async () => {
  operator = await createOperator(fixture.server);
  const create = async (name: string, sign_on: string) =>
    (await operator.owner.groups.createGroup({ name, sign_on })).group.id;
  altos = await create('Altos', '/altos');
  board = await create('Board', 'board');
});

async function signOn(user: string, claims: Record<string, unknown>): Promise<string> {
  fixture.provider.users.set(user, claims);
  const browser = fixture.createBrowser();
  await browser.signOn(user);
  return (await fixture.getSession(browser)).account_id;
}
const groupsOf = async (account_id: string) =>
  (await operator.owner.members.getMember({ account_id })).member.groups.map(
    ({ name, sources }) => [name, ...sources],
  );

it('single sign-on takes members into the groups that it names, and takes away only its own', async () => {
  const user = fixture.createUser();
  const id = await signOn(user, { groups: ['staff', 'altos', 'board'] });
  expect(await groupsOf(id)).toEqual([
    ['Altos', 'sign_on'],
    ['Board', 'sign_on'],
  ]);
  await operator.owner.groups.addMembers({ group_id: board, account_ids: [id] });
  await signOn(user, { groups: ['staff'] });
  expect(await groupsOf(id)).toEqual([['Board', 'hand']]);
  const { entries } = await operator.owner.server.listAuditEntries({ account_id: id });
  expect(entries).toContainEqual(
    expect.objectContaining({
      via: 'single sign-on',
      action: 'groups.removeMembers',
      detail: { group: 'Altos' },
    }),
  );
});

it('who may no longer sign in leaves the groups of single sign-on, and so does everybody if the group is mapped to another', async () => {
  const [user, other] = [fixture.createUser(), fixture.createUser()];
  const id = await signOn(user, { groups: ['staff', 'altos'] });
  const otherId = await signOn(other, { groups: ['staff', 'altos'] });
  await operator.owner.groups.updateGroup({ group_id: altos, name: 'All altos' });
  fixture.provider.users.set(user, { groups: ['altos'], email: 'a@b.example' });
  await fixture.createBrowser().signOn(user);
  expect([await groupsOf(id), await groupsOf(otherId)]).toEqual([[], [['All altos', 'sign_on']]]);
  await operator.owner.groups.updateGroup({ group_id: altos, sign_on: null });
  expect(await groupsOf(otherId)).toEqual([]);
});

it('the sessions of who may no longer sign in end even if their groups cannot be changed', async () => {
  const user = fixture.createUser();
  const browser = fixture.createBrowser();
  await browser.signOn(user);
  fixture.provider.users.set(user, { groups: ['guests'], email: 'a@b.example' });
  await fixture.server.sql`ALTER TABLE group_members RENAME TO unreadable`;
  expect(await fixture.createBrowser().signOn(user)).toMatchObject({ status: 500 });
  await fixture.server.sql`ALTER TABLE unreadable RENAME TO group_members`;
  const headers = fixture.sessionHeaders(browser);
  const path = '/owner/sessions/get-session';
  expect(await call(fixture.server.app, { path, headers })).toMatchObject({ status: 401 });
});

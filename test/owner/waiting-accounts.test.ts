import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, it } from 'vitest';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { hasAnyAccount } from '#db/queries/accounts.ts';
import { canLoseOperator, isOperator } from '#db/queries/operators.ts';
import { insertAccountWithKey } from '#server/features/accounts/create-account.ts';
import { createApiKey } from '#server/features/keys/manage-keys.ts';
import { call } from '../support/call.ts';
import { addApplication, makeOperator } from '../support/endpoints.ts';
import { okBody } from '../support/expected-responses.ts';
import { postFromPage } from '../support/session.ts';
import { openTestApp, type TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const routes: { method: string; url: string }[] = [];
const collectRoutes = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ method: each, url });
  });
};
subscribe('fastify.initialization', collectRoutes);
const { server } = useServer({ REGISTRATION: 'approval', mailEnabled: true });
let operator: TestAccount;
let waiting: { id: string; token: string };
beforeAll(async () => {
  unsubscribe('fastify.initialization', collectRoutes);
  operator = await server.createNamedAccount('nora');
  await makeOperator(server, operator);
  waiting = await addApplication(server, { name: 'ada-waits', person: 'Ada Waits' });
});

it('every route of the page of a waiting account answers as for a name that nobody has', async () => {
  const pages = routes.filter(({ url }) => url.startsWith('/@:name'));
  expect(pages.length).toBeGreaterThan(10);
  for (const { method, url } of pages) {
    const read = async (name: string) => {
      const path = url.replace(':name', name).replace(/:\w+|\*/, waiting.id);
      const { statusCode, payload } = await server.app.inject({
        method: method as 'GET',
        url: path,
        headers: { 'sec-fetch-site': 'same-origin' },
      });
      return [method, url, statusCode, payload.replaceAll(name, 'NAME')];
    };
    expect(await read('ada-waits')).toEqual(await read('ada-never'));
  }
});

it('no list that visitors, members or crawlers read has a waiting account', async () => {
  await operator.owner.server.updateInstance({ directory: 'everybody' });
  const webfinger = '/.well-known/webfinger?resource=acct:ada-waits@names.example.org';
  for (const url of ['/', '/members', '/sitemap.xml', webfinger])
    expect((await server.app.inject({ url })).payload).not.toMatch(/ada-waits|Ada Waits/);
  expect(await server.sql`SELECT FROM member_aliases WHERE name = 'ada-waits'`).toEqual([]);
});

it('the key of a waiting account, should it have one, is refused by every operation of both contracts', async () => {
  const { api_key: key } = await inTransaction(server.db, (trx) =>
    createApiKey(trx, { accountId: waiting.id, label: 'early' }),
  );
  const operations = [contract, ownerContract].flatMap((routers) =>
    Object.values(routers).flatMap((area) => Object.values(area)),
  );
  for (const { method, path } of operations as { method: 'GET'; path: string }[]) {
    const { status } = await call(server.app, { method, path, key });
    expect([path, status]).not.toEqual([path, 200]);
    if (!path.startsWith('/owner/')) expect([path, status]).toEqual([path, 403]);
  }
});

it('the name of a waiting account is taken for everybody', async () => {
  const display_name = 'Ada Waits';
  await expect(operator.client.account.updateDisplayName({ display_name })).rejects.toMatchObject({
    code: 'displayNameTaken',
  });
  const check = await operator.owner.account.checkDisplayName({ display_name });
  expect(check).toMatchObject({ available: false });
  const address = { name: 'ada-waits', recipients: [] };
  await expect(operator.owner.addresses.createAddress(address)).rejects.toMatchObject({
    code: 'addressNameTaken',
  });
  expect(
    await postFromPage(server, '/owner/account/check-registration', { display_name }),
  ).toMatchObject(okBody({ available: false }));
});

it('operators find a waiting account only among those who wait, and can only decide about it', async () => {
  const { members } = operator.owner;
  expect((await members.listMembers({ search: 'ada' })).members).toEqual([]);
  for (const search of ['ada-waits', 'Ada W', 'ada-waits@names.org', waiting.id])
    expect((await members.listMembers({ search, state: 'waiting' })).members).toMatchObject([
      { id: waiting.id, state: 'waiting', page_title: 'Ada Waits', email: 'ada-waits@names.org' },
    ]);
  expect((await members.listMembers({ state: 'suspended' })).members).toEqual([]);
  expect((await operator.owner.server.getServer()).accounts).toMatchObject({
    total: 1,
    suspended: 0,
    unseen: 0,
  });
  const account_id = waiting.id;
  for (const request of [
    () => members.suspendMember({ account_id, reason: 'Spam' }),
    () => members.resumeMember({ account_id }),
    () => members.createLoginLink({ account_id }),
    () => members.updateMemberName({ account_id, display_name: 'other-name' }),
    () => members.updateMemberEmail({ account_id, email: 'other@names.org' }),
    () => members.updatePictureLimit({ account_id, picture_limit_mb: 1 }),
    () => members.deleteMember({ account_id }),
  ])
    await expect(request()).rejects.toMatchObject({ code: 'accountWaiting' });
  await expect(members.updateMemberRole({ account_id, operator: true })).rejects.toMatchObject({
    code: 'accountNotActive',
  });
  const { address } = await operator.owner.addresses.createAddress({
    name: 'board',
    recipients: [],
  });
  await expect(
    operator.owner.addresses.updateAddress({
      address_id: address.id,
      recipients: [{ account_id }],
    }),
  ).rejects.toMatchObject({ code: 'memberNotFound' });
});

it('the first account on a server where somebody waits is an operator', async () => {
  const other = await openTestApp({ REGISTRATION: 'approval', mailEnabled: true });
  await other.sql`DELETE FROM accounts`;
  const { id } = await addApplication(other);
  expect(await hasAnyAccount(other.db)).toBe(false);
  const first = await inTransaction(other.db, insertAccountWithKey);
  expect(await isOperator(other.db, first.account_id)).toBe(true);
  expect(await isOperator(other.db, id)).toBe(false);
  expect(await inTransaction(other.db, (trx) => canLoseOperator(trx, first.account_id))).toBe(true);
});

it('an application ends with its account, if a server of 0.3.1 deletes that', async () => {
  const { id } = await addApplication(server);
  await server.sql`DELETE FROM display_names WHERE account_id = ${id}`;
  await server.sql`DELETE FROM accounts WHERE id = ${id}`;
  expect(await server.sql`SELECT FROM applications WHERE id = ${id}`).toEqual([]);
  const { results } = await operator.owner.members.approveMembers({ account_ids: [id] });
  expect(results).toEqual([{ account_id: id, result: 'notFound' }]);
});

it('applications of servers of 0.3.1 have accounts, also those from before the upgrade', async () => {
  const apply = async (name: string) => {
    await server.sql`INSERT INTO display_names (name, is_address, held) VALUES (${name}, true, true)`;
    const [row] = await server.sql<{
      id: string;
    }>`INSERT INTO applications (display_name, email, text, language)
      VALUES (${name}, ${`${name}@names.org`}, 'Hello', 'en') RETURNING id`;
    return row!.id;
  };
  await server.sql`ALTER TABLE applications DISABLE TRIGGER keep_waiting_account`;
  const ids = [await apply('before-it')];
  await server.sql`ALTER TABLE applications ENABLE TRIGGER keep_waiting_account`;
  await server.sql`UPDATE applications SET state = state WHERE state = 'waiting'`;
  ids.push(await apply('beside-it'), await apply('declined-there'), await apply('taken-back'));
  const { results } = await operator.owner.members.approveMembers({ account_ids: ids.slice(0, 2) });
  expect(results.map(({ result }) => result)).toEqual(['done', 'done']);
  for (const search of ['before-it', 'beside-it'])
    expect((await operator.owner.members.listMembers({ search })).members).toMatchObject([
      { display_name: search, email: `${search}@names.org`, state: 'active' },
    ]);
  await server.sql`UPDATE applications SET state = 'declined', decided_at = now()
    WHERE id = ${ids[2]}`;
  await server.sql`DELETE FROM applications WHERE id = ${ids[3]}`;
  expect(await server.sql`SELECT FROM accounts WHERE id = ANY (${ids.slice(2)}::uuid[])`).toEqual(
    [],
  );
  for (const display_name of ['declined-there', 'taken-back'])
    expect(
      await postFromPage(server, '/owner/account/check-registration', { display_name }),
    ).toMatchObject(okBody({ available: true }));
});

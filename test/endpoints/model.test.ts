import fc from 'fast-check';
import { expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { Model } from '../support/model.ts';
import {
  type Operation,
  PROJECT_IDS,
  ROUTES,
  operationSequences,
} from '../support/model-operations.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

let sentMessageCount = 0;
const { server } = useServer({
  chat: {
    send: () => Promise.resolve(String((sentMessageCount += 1))),
    edit: (_webhook, id) => Promise.resolve(id),
  },
});

async function execute({ key }: TestAccount, operation: Operation) {
  const [method, path] = ROUTES[operation.endpoint];
  const { status, body } = await call(server.app, {
    method,
    path,
    key,
    ...(operation.kind === 'write' && {
      payload: operation.body && JSON.stringify(operation.body),
      ...(operation.idempotencyKey !== undefined && {
        headers: { 'idempotency-key': operation.idempotencyKey },
      }),
    }),
  });
  return { status, body };
}

/** Copies server-generated block ids into the model, then compares the sites. */
async function compareSite(model: Model, accountIndex: 0 | 1, account: TestAccount): Promise<void> {
  const { blocks } = await account.client.site.getSiteConfiguration();
  for (const [index, block] of model.accounts[accountIndex].blocks.entries())
    block.id ??= blocks[index]?.id;
  expect(await account.client.site.getSiteConfiguration()).toEqual(model.read(accountIndex).site);
}

async function compareAll(model: Model, accounts: readonly TestAccount[]): Promise<void> {
  for (const accountIndex of [0, 1] as const) {
    const { id, client } = accounts[accountIndex]!;
    const { displayName, status, projects } = model.read(accountIndex);
    expect(await client.account.getDisplayName()).toEqual(displayName);
    expect(await client.site.getSiteStatus()).toEqual(status);
    expect(await client.stats.getProjects()).toEqual(projects);
    await compareSite(model, accountIndex, accounts[accountIndex]!);
    const { db } = server.database;
    const settings = await db
      .selectFrom('forwarding_settings')
      .select(['forwarding_enabled as enabled', 'forwarding_email as email'])
      .where('account_id', '=', id)
      .executeTakeFirst();
    expect(settings).toEqual(model.accounts[accountIndex].forwarding);
    const metrics = await db
      .selectFrom('metrics')
      .select('payload')
      .where('project_id', '=', PROJECT_IDS[accountIndex])
      .orderBy('received_at')
      .orderBy('id')
      .execute();
    expect(metrics.map(({ payload }) => payload)).toEqual(model.accounts[accountIndex].metrics);
  }
}

/** Deletes all projects and display names, then creates two accounts with a project each. */
async function resetAccounts(): Promise<[TestAccount, TestAccount]> {
  const { db } = server.database;
  await db.deleteFrom('display_names').execute();
  await db.deleteFrom('projects').execute();
  const accounts = [await server.createAccount(), await server.createAccount()] as const;
  for (const [index, id] of PROJECT_IDS.entries())
    await db
      .insertInto('projects')
      .values({
        id,
        account_id: accounts[index]!.id,
        name: 'Shop',
        created_at: new Date('2026-01-01T00:00:00Z'),
      })
      .execute();
  sentMessageCount = 0;
  return [...accounts];
}

it('any sequence of requests of two accounts gets the responses that an in-memory model predicts', async () => {
  await fc.assert(
    fc.asyncProperty(operationSequences, async (operations) => {
      const accounts = await resetAccounts();
      const model = new Model();
      for (const operation of operations) {
        const expected = model.apply(operation);
        const account = accounts[operation.accountIndex];
        if (operation.kind === 'read' && operation.endpoint === 'site')
          await compareSite(model, operation.accountIndex, account);
        else expect(await execute(account, operation)).toEqual(expected);
        if (operation.kind === 'write' && operation.endpoint === 'update')
          await compareSite(model, operation.accountIndex, account);
      }
      await compareAll(model, accounts);
      expect(sentMessageCount).toBe(model.sentMessageCount);
    }),
    { numRuns: 40 },
  );
});

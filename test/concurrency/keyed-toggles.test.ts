import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { claimIdempotencyKey } from '../../db/queries/idempotency-keys.ts';
import { REQUEST_LIMITS } from '../../db/connections/postgres.ts';
import { send } from '../support/call.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import { connectPostgresDatabase, PATIENCE, type TestDatabase } from '../support/test-database.ts';
import { startTwoServers, type TwoServers } from './support/two-servers.ts';

const PATH = '/site/toggle-site-visibility';
const toggled = (newStatus: boolean) => [200, { success: true, newStatus }, undefined];
const repeated = (newStatus: boolean) => [200, { success: true, newStatus }, 'true'];

let servers: TwoServers;
let outside: TestDatabase;
let server: TestApp;
let other: TestApp;
/** One that waits for a lock no longer than in production. */
let hasty: TestApp;
let jane: TestAccount;
let john: TestAccount;
beforeAll(async () => {
  servers = await startTwoServers();
  ({ first: server, second: other, outside } = servers);
  const { lock_timeout } = REQUEST_LIMITS;
  hasty = await startTestApp(
    {},
    connectPostgresDatabase(outside.url, { timeLimits: { ...PATIENCE, lock_timeout } }),
  );
});
afterAll(async () => {
  await hasty.close();
  await servers.close();
});
beforeEach(async () => {
  [jane, john] = [await createOwner(), await createOwner()];
});

async function createOwner(): Promise<TestAccount> {
  const account = await server.createAccount();
  // From now on its key is believed.
  await account.client.site.getSiteStatus();
  return account;
}

async function toggle(account: TestAccount, key: string, { body = {}, to = server } = {}) {
  const answer = await send(to, account, `POST ${PATH}`, body, { 'idempotency-key': key });
  return [answer.status, answer.body, answer.headers['idempotent-replayed']];
}

async function isShown({ client }: TestAccount): Promise<boolean> {
  return (await client.site.getSiteStatus()).enabled;
}

it('changes of one account that arrive together with keys of their own come one after the other', async () => {
  const keys = Array.from({ length: 15 }, (_, index) => `k-${index}`);
  const answers = await Promise.all(keys.map((key) => toggle(jane, key)));
  expect(answers.filter(([status]) => status === 200)).toHaveLength(15);
  const states = answers.map(([, body]) => (body as { newStatus: boolean }).newStatus);
  expect(states.filter(Boolean)).toHaveLength(8);
  expect(await isShown(jane)).toBe(true);
});

it('of changes that arrive together each key has its own fate', async () => {
  for (const [key, state] of [
    ['same', true],
    ['changed', false],
    ['expired', true],
  ] as const)
    expect(await toggle(jane, key)).toEqual(toggled(state));
  await outside.db
    .updateTable('idempotency_keys')
    .set({ created_at: sql<Date>`now() - interval '24 hours 1 second'` })
    .where('account_id', '=', jane.id)
    .where('key', '=', 'expired')
    .execute();
  const answers = await Promise.all([
    toggle(jane, 'same'),
    toggle(jane, 'changed', { body: { other: true } }),
    toggle(jane, 'expired'),
    toggle(john, 'same'),
  ]);
  expect(answers).toEqual([
    repeated(true),
    [400, { error: 'The Idempotency-Key was used before with another request body.' }, undefined],
    toggled(false),
    toggled(true),
  ]);
  expect([await isShown(jane), await isShown(john)]).toEqual([false, true]);
});

it('keys that come to two servers at once change the visibility once each', async () => {
  const keys = Array.from({ length: 15 }, (_, index) => `k-${index}`);
  const [here, there] = await Promise.all([
    Promise.all(keys.map((key) => toggle(jane, key))),
    Promise.all(keys.toReversed().map((key) => toggle(jane, key, { to: other }))),
  ]);
  const bodies = (answers: unknown[][]) => answers.map(([, body]) => body);
  expect(bodies(there.toReversed())).toEqual(bodies(here));
  const replays = [...here, ...there].filter(([, , replayed]) => replayed === 'true');
  expect(replays).toHaveLength(15);
  expect(await isShown(jane)).toBe(true);
});

it('a key that is being claimed elsewhere holds up none of those that it arrives with for long', async () => {
  const bodyHash = hash('sha256', '{}', 'buffer');
  const key = { accountId: jane.id, method: 'POST', path: PATH, key: 'elsewhere', bodyHash };
  const undone = new Error('undone');
  let waiting: ReturnType<typeof toggle> | undefined;
  const elsewhere = outside.db.transaction().execute(async (trx) => {
    await claimIdempotencyKey(trx, key);
    waiting = toggle(jane, 'elsewhere', { to: hasty });
    expect(await toggle(john, 'elsewhere', { to: hasty })).toEqual(toggled(true));
    throw undone;
  });
  await expect(elsewhere).rejects.toBe(undone);
  expect(await waiting).toEqual(toggled(true));
  expect(await isShown(jane)).toBe(true);
});

it('a change that fails takes nobody with it, and leaves its key to a repeat', async () => {
  await sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN RAISE EXCEPTION ''no'' USING ERRCODE = ''check_violation''; END'`.execute(outside.db);
  await sql`CREATE TRIGGER refuse BEFORE INSERT ON sites FOR EACH ROW
    WHEN (NEW.account_id = ${sql.lit(jane.id)}) EXECUTE FUNCTION refuse()`.execute(outside.db);
  const failed = [500, { error: 'The visibility could not be updated.' }, undefined];
  const answers = await Promise.all([toggle(jane, 'k'), toggle(john, 'k')]);
  expect(answers).toEqual([failed, toggled(true)]);
  await sql`DROP FUNCTION refuse CASCADE`.execute(outside.db);
  expect(await toggle(jane, 'k')).toEqual(toggled(true));
});

it('changes behind a lock that lasts are refused together, not one after the other', async () => {
  const answers = await outside.db.transaction().execute(async (trx) => {
    await sql`SELECT FROM accounts WHERE id = ${jane.id} FOR UPDATE`.execute(trx);
    const keys = Array.from({ length: 200 }, (_, index) => `k-${index}`);
    return await Promise.all(keys.map((key) => toggle(jane, key, { to: hasty })));
  });
  // Of the few that reach the database, none waits for longer than a request may; the others are shed.
  for (const [status] of answers) expect([500, 503]).toContain(status);
  expect(await isShown(jane)).toBe(false);
});

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  claimIdempotencyKey,
  claimKeys,
  type IdempotencyKey,
  storeAnswer,
} from '../../db/queries/idempotency-keys.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { untilLocked } from '../support/until-locked.ts';

let database: TestDatabase;
let accountId: string;
beforeAll(async () => {
  database = await openTestDatabase();
  ({ id: accountId } = await insertTestAccount(database.db));
});
afterAll(() => database.close());
afterEach(() => vi.useRealTimers());

/** Near midnight, about which a key is claimed for both days. */
const TIMES = ['23:55:01', '23:59:59', '00:00:01', '00:02:29', '00:02:31', '00:04:59', '00:05:01'];
/** Clocks that differ by four minutes at most, or one server asked after the other. */
const PAIRS = TIMES.flatMap((first) =>
  TIMES.filter((second) => Math.abs(at(second) - at(first)) < 150_000).map((second) => [
    first,
    second,
  ]),
);

function at(time: string): number {
  return Date.parse(`2026-03-0${time.startsWith('23') ? 1 : 2}T${time}Z`);
}

/** Asks at a time when a day ends or the next one begins. */
async function asked<T>(time: string, ask: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: at(time) });
  return ask();
}

function newKey(): IdempotencyKey {
  const key = crypto.randomUUID();
  return { accountId, method: 'POST', path: '/', key, bodyHash: Buffer.alloc(32) };
}

const ANSWER = { status: 200, json: '{"first":true}' };
const FIRST = { status: 200, answer: { first: true } };

describe.each(PAIRS)('a key that is claimed at %s', (first, second) => {
  it(`is known at ${second}`, async () => {
    const { db } = database;
    const key = newKey();
    expect(await asked(first, () => claimIdempotencyKey(db, key))).toBeUndefined();
    await storeAnswer(db, key, ANSWER);
    expect(await asked(second, () => claimIdempotencyKey(db, key))).toMatchObject(FIRST);
  });

  it(`is waited for at ${second} until its answer is stored`, async () => {
    const { db } = database;
    const key = newKey();
    const trx = await db.startTransaction().execute();
    expect(await asked(first, () => claimIdempotencyKey(trx, key))).toBeUndefined();
    const repeated = asked(second, () => claimIdempotencyKey(db, key));
    await untilLocked(db);
    await storeAnswer(trx, key, ANSWER);
    await trx.commit().execute();
    expect(await repeated).toMatchObject(FIRST);
  });

  it(`is free at ${second} if its first request failed meanwhile`, async () => {
    const { db } = database;
    const key = newKey();
    const trx = await db.startTransaction().execute();
    expect(await asked(first, () => claimIdempotencyKey(trx, key))).toBeUndefined();
    const repeated = asked(second, () => claimIdempotencyKey(db, key));
    await untilLocked(db);
    await trx.rollback().execute();
    expect(await repeated).toBeUndefined();
  });

  it(`is claimed by no group of writes at ${second}`, async () => {
    const { db } = database;
    const key = newKey();
    const trx = await db.startTransaction().execute();
    expect(await asked(first, () => claimIdempotencyKey(trx, key))).toBeUndefined();
    const repeated = asked(second, () => claimKeys(db, [{ ...key, status: 200, answer: {} }]));
    await untilLocked(db);
    await storeAnswer(trx, key, ANSWER);
    await trx.commit().execute();
    expect(await repeated).toEqual(new Set());
    expect(await asked(first, () => claimIdempotencyKey(db, key))).toMatchObject(FIRST);
  });
});

it('a key is known for 24 hours, and free from then on', async () => {
  const { db } = database;
  const key = newKey();
  await asked('00:00:01', () => claimIdempotencyKey(db, key));
  const setAge = (hours: number) =>
    db
      .updateTable('idempotency_keys')
      .set({ created_at: new Date(performance.timeOrigin + performance.now() - hours * 3_600_000) })
      .where('key', '=', key.key)
      .execute();
  await setAge(23.9);
  expect(await asked('23:59:59', () => claimIdempotencyKey(db, key))).toMatchObject({
    status: null,
  });
  await setAge(24.1);
  expect(await asked('23:59:59', () => claimIdempotencyKey(db, key))).toBeUndefined();
  expect(await asked('23:59:59', () => claimIdempotencyKey(db, key))).toMatchObject({
    status: null,
  });
});

import { HOUR_MS } from '../../contract/durations.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { insertApiKey, type StoredKey } from '../../db/queries/api-keys.ts';
import { generateApiKey, hashSecret } from '../../server/service/keys/api-key.ts';
import { AccessCache } from '../../server/service/access-cache.ts';
import { call, type Reply, send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { untilLocked } from '../support/until-locked.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

/** Far more than it takes, so that a slow machine fails nothing. */
const AT_A_TIME = 4;
const WAITING = 100;
const network = () => '203.0.113.1';
const OVERLOADED = { error: 'The service is overloaded; try again in a moment.' };

describe('a server', () => {
  let server: TestApp;
  beforeAll(async () => {
    const url = await createPostgresDatabase('nameplate_template');
    const database = connectPostgresDatabase(url);
    server = await startTestApp({ cacheMs: HOUR_MS }, database);
  });
  afterAll(() => server.close());

  const read = (key: string) => call(server.app, { path: '/site/get-site-status', key });
  const unknownKey = () => {
    const { id, secret } = generateApiKey();
    return `${id}.${secret}`;
  };

  it('looks a new key up once and notes its use once, for 800 reads at once', async () => {
    const { key } = await server.createAccount();
    const [queries, notes] = [server.queryCount(), server.noteCount()];
    const replies = await Promise.all(Array.from({ length: 800 }, () => read(key)));
    for (const { status, body } of replies)
      expect({ status, body }).toEqual({ status: 200, body: { enabled: false } });
    expect(server.queryCount() - queries).toBe(800 + 1);
    await eventually(() => server.noteCount() - notes === 1, Boolean);
  });

  it('notes the use of many keys with one statement at a time', async () => {
    const { db } = server.database;
    const accounts = await Promise.all(Array.from({ length: 100 }, server.createAccount));
    await db.transaction().execute(async (trx) => {
      // The first note waits for it, and the others for the first.
      await sql`LOCK TABLE api_keys IN SHARE MODE`.execute(trx);
      for (const { status } of await Promise.all(accounts.map(({ key }) => read(key))))
        expect(status).toBe(200);
      await untilLocked(db);
      const { rows } = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
      expect(rows).toHaveLength(1);
    });
    await eventually(async () => {
      const ids = accounts.map(({ id }) => id);
      const uses = await db
        .selectFrom('api_keys')
        .select('last_used_at')
        .where('account_id', 'in', ids)
        .execute();
      for (const { last_used_at } of uses) expect(last_used_at).toBeInstanceOf(Date);
    });
  });

  it('asks no more for an unknown key than for one that it knows', async () => {
    const { id: accountId } = await server.createAccount();
    const wrong = generateApiKey();
    const secretHash = hashSecret('another secret');
    await insertApiKey(server.database.db, { id: wrong.id, accountId, secretHash, label: null });
    for (const { id, secret } of [wrong, generateApiKey()]) {
      const asked = `${id}.${secret}`;
      const before = server.queryCount();
      const replies = await Promise.all(Array.from({ length: 20 }, () => read(asked)));
      replies.push(await read(asked));
      for (const { status, body } of replies)
        expect({ status, body }).toEqual({ status: 401, body: { error: 'Unauthorized' } });
      expect(server.queryCount() - before).toBe(1);
    }
  });

  it('refuses strangers when too many of them wait, and answers callers as ever', async () => {
    const account = await server.createAccount();
    await send(server, account, 'GET /site/get-site-status');
    const refused: Reply[] = [];
    const { promise: manyRefused, resolve } = Promise.withResolvers<void>();
    const answers: Reply[] = [];
    let strangers: Promise<void>[] = [];
    await server.database.db.transaction().execute(async (trx) => {
      await sql`LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`.execute(trx);
      strangers = Array.from({ length: AT_A_TIME + WAITING + 50 }, async () => {
        const reply = await read(unknownKey());
        if (reply.status === 503) refused.push(reply);
        if (refused.length === 50) resolve();
      });
      await manyRefused;
      for (let count = 0; count < 4; count += 1)
        answers.push(await send(server, account, 'POST /site/toggle-site-visibility'));
    });
    await Promise.all(strangers);
    for (const { body, headers } of refused)
      expect([body, headers['retry-after']]).toEqual([OVERLOADED, '1']);
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      [true, false, true, false].map((newStatus) => [200, { success: true, newStatus }]),
    );
  });
});

describe('look-ups of keys', () => {
  const stored: StoredKey = {
    account_id: 'account',
    secret_hash: Buffer.alloc(32),
    scope: 'all',
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
    suspended_at: null,
  };
  /** Look-ups in the order in which they came; each is answered when a test says so. */
  let asked: {
    id: string;
    answer: (key: StoredKey | undefined) => void;
    fail: (error: Error) => void;
  }[] = [];
  function keysOf(cacheMs: number): AccessCache<StoredKey> {
    asked = [];
    return new AccessCache(
      (id) => {
        const { promise, resolve, reject } = Promise.withResolvers<StoredKey | undefined>();
        asked.push({ id, answer: resolve, fail: reject });
        return promise;
      },
      { gate: 'unknown-keys', cacheMs },
    );
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const askMany = (keys: AccessCache<StoredKey>, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const found = Promise.resolve(keys.get(`stranger ${index}`, network));
      // Look-ups that nobody waits for fail when they waited too long.
      found.catch(() => {});
      return found;
    });
  afterEach(() => vi.useRealTimers());

  it('are answered at once while the last answer is cached, even if there is no such key', async () => {
    const keys = keysOf(HOUR_MS);
    for (const [id, answer] of [
      ['known', stored],
      ['unknown', undefined],
    ] as const) {
      const first = keys.get(id, network);
      await turn();
      asked.at(-1)!.answer(answer);
      expect(await first).toBe(answer);
      expect(keys.get(id, network)).toBe(answer);
    }
    expect(asked.map(({ id }) => id)).toEqual(['known', 'unknown']);
  });

  it('are made again when the last answer has expired from the cache', async () => {
    const keys = keysOf(0);
    for (let count = 1; count <= 3; count += 1) {
      const found = keys.get('known', network);
      await turn();
      asked.at(-1)!.answer(stored);
      expect(await found).toBe(stored);
      expect(asked).toHaveLength(count);
    }
  });

  it.each([
    ['is answered', () => asked[0]!.answer({ ...stored, account_id: 'before' })],
    ['fails', () => asked[0]!.fail(new Error('lost'))],
  ])(
    'that take longer than they are cached are made once more when the first %s, for all who came meanwhile',
    async (_how, end) => {
      vi.useFakeTimers({ toFake: ['performance'] });
      const keys = keysOf(800);
      const first = Promise.resolve(keys.get('known', network)).catch(() => undefined);
      await turn();
      vi.advanceTimersByTime(801);
      const later = Array.from({ length: 50 }, () => Promise.resolve(keys.get('known', network)));
      await turn();
      expect(asked).toHaveLength(1);
      end();
      await first;
      await turn();
      expect(asked).toHaveLength(2);
      asked[1]!.answer(stored);
      expect(await Promise.all(later)).toEqual(later.map(() => stored));
    },
  );

  it('of unknown keys that wait for their turn are shared, however long they wait', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const keys = keysOf(800);
    const waiting = askMany(keys, AT_A_TIME + 1);
    vi.advanceTimersByTime(801);
    void Promise.resolve(keys.get(`stranger ${AT_A_TIME}`, network));
    for (let answered = 0; answered < waiting.length; answered += 1) {
      await turn();
      asked[answered]!.answer(undefined);
    }
    await Promise.all(waiting);
    await turn();
    expect(asked).toHaveLength(AT_A_TIME + 1);
  });

  it('are made again after one that failed', async () => {
    const keys = keysOf(HOUR_MS);
    const both = [keys.get('known', network), keys.get('known', network)];
    await turn();
    expect(asked).toHaveLength(1);
    asked[0]!.fail(new Error('lost'));
    for (const each of both) await expect(each).rejects.toThrow('lost');
    const again = keys.get('known', network);
    await turn();
    asked[1]!.answer(stored);
    expect(await again).toBe(stored);
  });

  it.each([
    ['the key', (id: string) => id === 'known'],
    ['its account', (_id: string, key: StoredKey) => key.account_id === 'account'],
    ['every key', undefined],
  ])(
    'that are under way when %s is forgotten answer those who asked before, and nobody else',
    async (_what, isConcerned) => {
      const keys = keysOf(HOUR_MS);
      const before = keys.get('known', network);
      await turn();
      keys.forget(isConcerned);
      const after = keys.get('known', network);
      await turn();
      expect(asked).toHaveLength(2);
      asked[1]!.answer({ ...stored, revoked_at: new Date() });
      expect(await after).toMatchObject({ revoked_at: expect.any(Date) });
      asked[0]!.answer(stored);
      expect(await before).toBe(stored);
      expect(keys.get('known', network)).toMatchObject({ revoked_at: expect.any(Date) });
    },
  );

  it('of unknown keys are so many at a time; so many wait, and the others are refused', async () => {
    const keys = keysOf(HOUR_MS);
    const waiting = askMany(keys, AT_A_TIME + WAITING);
    await turn();
    expect(asked).toHaveLength(AT_A_TIME);
    await expect(keys.get('one too many', network)).rejects.toThrow('overloaded: unknown-keys');
    for (let answered = 0; answered < waiting.length; answered += 1) {
      asked[answered]!.answer(undefined);
      await turn();
      expect(asked).toHaveLength(Math.min(answered + 1 + AT_A_TIME, waiting.length));
    }
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => undefined));
  });

  it.each([
    ['has expired from the cache', () => {}],
    ['was forgotten with all others', (keys: AccessCache<StoredKey>) => keys.forget()],
  ])('of a key that was found before and %s wait behind no stranger', async (_when, forget) => {
    const keys = keysOf(0);
    const first = keys.get('known', network);
    await turn();
    asked[0]!.answer(stored);
    await first;
    forget(keys);
    void askMany(keys, AT_A_TIME + WAITING);
    await turn();
    const again = keys.get('known', network);
    expect(asked.at(-1)!.id).toBe('known');
    asked.at(-1)!.answer(stored);
    expect(await again).toBe(stored);
  });

  it('of one network wait for none of another one', async () => {
    const keys = keysOf(HOUR_MS);
    void askMany(keys, AT_A_TIME + WAITING);
    await turn();
    const found = keys.get('known', () => '203.0.113.2');
    expect(asked.at(-1)!.id).toBe('known');
    asked.at(-1)!.answer(stored);
    expect(await found).toBe(stored);
  });

  it('that waited for more than two seconds are not made any more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const keys = keysOf(HOUR_MS);
    const [first, ...others] = askMany(keys, AT_A_TIME + 1);
    await turn();
    vi.advanceTimersByTime(2_001);
    await expect(others.at(-1)).rejects.toThrow('overloaded: unknown-keys');
    asked[0]!.answer(undefined);
    expect(await first).toBeUndefined();
    expect(asked).toHaveLength(AT_A_TIME);
  });
});

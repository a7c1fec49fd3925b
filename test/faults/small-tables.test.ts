import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  claimIdempotencyKey,
  type IdempotencyKey,
  storeAnswer,
} from '../../db/queries/idempotency-keys.ts';
import { insertMetrics } from '../../db/queries/metrics/metrics.ts';
import type { Database } from '../../db/schema.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

/** Every statement that looks for a key. */
const LOOK_UPS: Record<string, (db: Kysely<Database>, key: IdempotencyKey) => Promise<unknown>> = {
  claimIdempotencyKey,
  storeAnswer: (db, key) => storeAnswer(db, key, { status: 200, json: '{}' }),
  insertMetrics: (db, key) => {
    const text = JSON.stringify({ ...key, projectId: key.accountId, payload: {} });
    return insertMetrics(db, [{ text, claim: { ...key, status: 200, answer: {} } }]);
  },
};

it.each(Object.entries(LOOK_UPS))(
  '%s, planned while there were no keys, reads one of a thousand',
  async (_name, lookUp) => {
    const url = await createPostgresDatabase('nameplate_template');
    const { db, close } = connectPostgresDatabase(url, { byIndex: true, max: 1 });
    await sql`ANALYZE idempotency_keys`.execute(db);
    const { rows } = await sql<{ id: string }>`
      WITH made AS (INSERT INTO accounts DEFAULT VALUES RETURNING id)
      INSERT INTO projects (id, account_id, name) SELECT id, id, 'Shop' FROM made RETURNING id`.execute(
      db,
    );
    const key = () => ({
      accountId: rows[0]!.id,
      method: 'POST',
      path: '/x',
      key: randomUUID(),
      bodyHash: Buffer.alloc(32),
    });
    // After five times the plan is kept.
    for (let time = 0; time < 8; time += 1) await inVain(db, (trx) => lookUp(trx, key()));
    await sql`
      INSERT INTO idempotency_keys (account_id, method, path, key, body_hash)
      SELECT ${rows[0]!.id}::uuid, 'POST', '/x', gen_random_uuid(), sha256('')
      FROM generate_series(1, 3000)`.execute(db);
    const before = await countRead(db);
    await lookUp(db, key());
    expect((await countRead(db)) - before).toBeLessThan(100);
    await close();
  },
);

/** Does something that leaves the tables empty. */
async function inVain(
  db: Kysely<Database>,
  work: (trx: Kysely<Database>) => Promise<unknown>,
): Promise<void> {
  const trx = await db.startTransaction().execute();
  await work(trx);
  await trx.rollback().execute();
}

/** How many entries of indexes and rows of tables were read while keys were looked for. */
async function countRead(db: Kysely<Database>): Promise<number> {
  await sql`SELECT pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ count: number }>`
    SELECT (sum(seq_tup_read) + sum((
      SELECT sum(idx_tup_read) FROM pg_stat_user_indexes AS i WHERE i.relid = t.relid
    )))::float8 AS count
    FROM pg_stat_user_tables AS t WHERE relname LIKE 'idempotency\_keys\__'`.execute(db);
  return rows[0]!.count;
}

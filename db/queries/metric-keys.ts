import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { ReadDatabase } from '../connections/handles.ts';
import type { IdempotencyKey } from './idempotency-keys.ts';

/** Measured size of a row and its index entries. */
export const METRIC_KEY_BYTES = 170;

/** Hashes have 16 bytes, as hexadecimal digits. */
export interface MetricKey {
  accountId: string;
  keyHash: string;
  bodyHash: string;
}

export function hashMetricKey({ accountId, key, bodyHash }: IdempotencyKey): MetricKey {
  const keyHash = hash('sha256', key).slice(0, 32);
  return { accountId, keyHash, bodyHash: bodyHash.toString('hex', 0, 16) };
}

/** Returns undefined if no metric of the last 24 hours has the key. */
export async function findMetricWithKey(
  db: ReadDatabase,
  { accountId, keyHash, bodyHash }: MetricKey,
): Promise<{ isSameBody: boolean } | undefined> {
  return db
    .selectFrom('metric_keys')
    .select(sql<boolean>`body_hash = ${bodyHash}::uuid`.as('isSameBody'))
    .where('account_id', '=', accountId)
    .where('key_hash', '=', keyHash)
    .where('created_at', '>=', sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirst();
}

import type { Kysely } from 'kysely';
import { WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { storeResponse } from '#db/queries/idempotency-keys.ts';
import type { Database } from '#db/schema.ts';
import { retryAfterMidnight } from '#server/limits/allowances/retry-after.ts';
import { createRefuser } from '#server/refusal.ts';
import type { HandlerResponse } from './register-contract.ts';
import { type IdempotentWrite, withoutOneTimeField } from './in-flight-writes.ts';

const refuse = createRefuser(WRITE_REFUSALS);

/** Estimated size of a row and its index entry, without the key and the response. */
const ROW_OVERHEAD_BYTES = 200;

export function canStoreResponse({ dailyUsage, idempotencyKey }: IdempotentWrite): boolean {
  return dailyUsage.isBelowLimit(idempotencyKey.accountId, 'responses');
}

/** Not called for retries, which get the stored response even over the limit. */
export function requireResponseAllowance(write: IdempotentWrite): void {
  if (!canStoreResponse(write)) throw refuse('storedResponseLimitReached', retryAfterMidnight());
}

export async function saveResponse(
  db: Kysely<Database>,
  write: IdempotentWrite,
  response: HandlerResponse,
): Promise<void> {
  const { status, body, code } = withoutOneTimeField(response, write.oneTimeField);
  await storeResponse(db, write.idempotencyKey, { status, code, json: JSON.stringify(body) });
  countResponseBytes(write, body);
}

export function countResponseBytes(
  { dailyUsage, idempotencyKey }: IdempotentWrite,
  body: unknown,
): void {
  const bodyBytes = Buffer.byteLength(JSON.stringify(body));
  // The key is stored twice: in the table and in the index.
  dailyUsage.add(
    idempotencyKey.accountId,
    'responses',
    ROW_OVERHEAD_BYTES + 2 * idempotencyKey.key.length + bodyBytes,
  );
}

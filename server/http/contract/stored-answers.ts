import type { Kysely } from 'kysely';
import { EVERY_WRITE } from '../../../contract/request-refusals.ts';
import { storeAnswer } from '../../../db/queries/idempotency-keys.ts';
import type { Database } from '../../../db/schema.ts';
import { waitingUntilTomorrow } from '../../service/allowances/waiting.ts';
import { refuserOf } from '../../service/refusal.ts';
import type { Answer } from './adapter.ts';
import { type KeyedWrite, repeatable } from './in-flight-writes.ts';

const refuse = refuserOf(EVERY_WRITE);

/** What the row of an answer and its entry in the index take beside the key and the answer, about. */
const ROW_BYTES = 200;

/** Whether the account has room for another answer. */
export function hasRoom({ volumes, key }: KeyedWrite): boolean {
  return volumes.hasRoom(key.accountId, 'answers');
}

/** Refuses where there is no room; answers that are stored are still repeated. */
export function demandRoom(write: KeyedWrite): void {
  if (!hasRoom(write)) throw refuse('storedAnswerLimitReached', waitingUntilTomorrow());
}

/** Stores the answer to a write. */
export async function store(
  executor: Kysely<Database>,
  write: KeyedWrite,
  answer: Answer,
): Promise<void> {
  const { status, body, code } = repeatable(answer, write.once);
  await storeAnswer(executor, write.key, { status, code, json: JSON.stringify(body) });
  countAnswer(write, body);
}

/** Counts an answer that is stored for its account. */
export function countAnswer({ volumes, key }: KeyedWrite, body: unknown): void {
  const length = Buffer.byteLength(JSON.stringify(body));
  // The key stands in the row and in the index.
  volumes.add(key.accountId, 'answers', ROW_BYTES + 2 * key.key.length + length);
}

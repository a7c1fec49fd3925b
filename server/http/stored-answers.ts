import type { Kysely } from 'kysely';
import { EVERY_WRITE } from '../../contract/request-refusals.ts';
import { storeAnswer } from '../../db/queries/idempotency-keys.ts';
import type { Database } from '../../db/schema.ts';
import { waitingUntilTomorrow } from '../service/allowances/waiting.ts';
import { refuserOf } from '../service/refusal.ts';
import type { Answer } from './adapter.ts';
import type { KeyedWrite } from './repeats.ts';

const refuse = refuserOf(EVERY_WRITE);

/** What the row of an answer and its entry in the index take beside the key and the answer, about. */
const ROW_BYTES = 200;

/** Refuses where the account has no room for another answer; those that are stored are still repeated. */
export function demandRoom({ volumes, key }: KeyedWrite): void {
  if (!volumes.hasRoom(key.accountId, 'answers'))
    throw refuse('answersFull', waitingUntilTomorrow());
}

/** Stores the answer to a write, which counts for its account. */
export async function store(
  executor: Kysely<Database>,
  { volumes, key }: KeyedWrite,
  { status, body }: Answer,
): Promise<void> {
  const json = JSON.stringify(body);
  await storeAnswer(executor, key, { status, json });
  // The key stands in the row and in the index.
  volumes.add(key.accountId, 'answers', ROW_BYTES + 2 * key.key.length + Buffer.byteLength(json));
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { EVERY_WRITE } from '../../../contract/request-refusals.ts';
import type { IdempotencyKey, StoredAnswer } from '../../../db/queries/idempotency-keys.ts';
import type { Database } from '../../../db/schema.ts';
import type { StoredVolumes } from '../../service/allowances/stored-volumes.ts';
import { type RefusalError, refuserOf } from '../../service/refusal.ts';
import type { Answer } from './adapter.ts';
import { toRefusal } from '../answers/error-answer.ts';

const refuse = refuserOf(EVERY_WRITE);

/** A write that came with a key. */
export interface KeyedWrite {
  db: Kysely<Database>;
  volumes: StoredVolumes;
  key: IdempotencyKey;
  request: FastifyRequest;
  reply: FastifyReply;
  /** The field of the answer that is shown once. */
  once: string | undefined;
  /** With `key`, the handler stores its answer itself. */
  handle: (db: Kysely<Database>, key?: IdempotencyKey) => Promise<Answer>;
}

/** What becomes of a write: it was done now, or before. */
export type Outcome = { answer: Answer } | { stored: Stored };
type Stored = Pick<StoredAnswer, 'status' | 'answer' | 'error_code' | 'body_hash'>;

/** Of those that come with the same key at the same time, one goes to the database; the others wait for it. */
export class InFlightWrites {
  /** Nothing comes of one that learns only that its body is another than the first one's. */
  readonly #underWay = new Map<string, Promise<Stored | undefined>>();

  async answer(write: KeyedWrite, act: () => Promise<Outcome>): Promise<Answer> {
    const { key, reply } = write;
    const id = JSON.stringify([key.accountId, key.method, key.path, key.key]);
    for (let first = this.#underWay.get(id); first; first = this.#underWay.get(id)) {
      const stored = await first;
      if (stored) return replay(stored, key, reply);
    }
    const acting = act().finally(() => this.#underWay.delete(id));
    const forOthers = acting.then(
      (outcome) => storedOf(outcome, write),
      (error: unknown) => refusedOf(error, write),
    );
    forOthers.catch(() => {});
    this.#underWay.set(id, forOthers);
    const outcome = await acting;
    return 'answer' in outcome ? outcome.answer : replay(outcome.stored, key, reply);
  }
}

function storedOf(outcome: Outcome, { key, once }: KeyedWrite): Stored | undefined {
  if ('answer' in outcome) return storedAs(repeatable(outcome.answer, once), key);
  return outcome.stored.status === null ? undefined : outcome.stored;
}

function refusedOf(error: unknown, { key, request }: KeyedWrite): Stored {
  const refusal = toRefusal(error, request);
  if (passes(refusal)) throw error;
  return storedAs(toAnswer(refusal), key);
}

function storedAs({ status, body, code }: Answer, { bodyHash }: IdempotencyKey): Stored {
  return { status, answer: body, error_code: code ?? null, body_hash: bodyHash };
}

/** An answer as its repeats get it. */
export function repeatable({ status, body, code }: Answer, once: string | undefined): Answer {
  const hides = once !== undefined && status === 200;
  return { status, code, body: hides ? { ...(body as object), [once]: null } : body };
}

function replay(stored: Stored, key: IdempotencyKey, reply: FastifyReply): Answer {
  if (!stored.body_hash.equals(key.bodyHash)) throw refuse('idempotencyKeyReused');
  void reply.header('idempotent-replayed', 'true');
  const status = stored.status ?? 500;
  if (status >= 400) reply.request.refused = { reason: 'replayed' };
  return { status, body: stored.answer, code: stored.error_code ?? undefined };
}

/** Whether a repeat may get another answer: of what failed, and of what was too much for now. */
export function passes({ status }: RefusalError): boolean {
  return status >= 500 || status === 429;
}

export function toAnswer(refusal: RefusalError): Answer {
  return { status: refusal.status, body: { error: refusal.message }, code: refusal.code };
}

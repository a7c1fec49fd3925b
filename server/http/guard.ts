import type { FastifyInstance } from 'fastify';
import { EVERY_REQUEST, EVERY_WRITE } from '../../contract/request-refusals.ts';
import type { Caller } from '../service/caller.ts';
import type { Authentication, RefusedKey } from '../service/keys/authentication.ts';
import { type RefusalError, refuserOf } from '../service/refusal.ts';
import { boundBytes } from './bytes-under-way.ts';
import { refuseInWordsOf } from './error-answer.ts';
import { watchEventLoop } from './event-loop.ts';
import { limitRates } from './rate-limits.ts';

const refuse = refuserOf({ ...EVERY_REQUEST, ...EVERY_WRITE });

/** Limits that the operator sets. */
export interface Limits {
  /** Requests of one account, and refused ones of one address, in a minute; 0 for no limit. */
  requestsPerMinute: number;
  /** Delay of the event loop in milliseconds above which requests are refused with 503; 0 for never. */
  maxEventLoopDelayMs?: number;
}

const MAX_EVENT_LOOP_DELAY_MS = 1_000;
/** The part of that delay above which those without a key are refused: before anybody with one. */
const SHED_FIRST = 0.25;

/** What every request of the contract passes before its body is read, in this order. */
export async function guard(
  api: FastifyInstance,
  authentication: Authentication,
  limits: Limits,
): Promise<void> {
  refuseWhenHeldUp(api, maxDelayOf(limits));
  const countRefused =
    limits.requestsPerMinute > 0
      ? await limitRates(api, limits.requestsPerMinute)
      : () => Promise.resolve(undefined);
  api.addHook('onRequest', (request, _reply, done) => {
    const admit = (caller: Caller | RefusedKey) => {
      if ('reason' in caller) return refuseKey(caller);
      request.caller = caller;
      done();
    };
    const refuseKey = (refused: RefusedKey) => {
      request.refused = refused;
      const status = refused.reason === 'accountSuspended' ? 403 : 401;
      const answer = (tooMany?: RefusalError) => done(tooMany ?? refuseInWordsOf(request, status));
      countRefused(request).then(answer, done);
    };
    const checked = authentication.check(request.headers['x-api-key']);
    // Not awaited when the key is remembered: most requests go on at once.
    if (checked instanceof Promise) checked.then(admit, done);
    else admit(checked);
  });
  api.addHook('onRequest', (request, _reply, done) => {
    const { 'content-encoding': encoding, 'transfer-encoding': framing = 'chunked' } =
      request.headers;
    const isPlain = encoding === undefined && framing.toLowerCase() === 'chunked';
    done(isPlain ? undefined : refuse('bodyCompressed'));
  });
  boundBytes(api);
}

/** Refuses what nobody needs a key for while the server is held up, sooner than requests with a key. */
export function shedFirst(open: FastifyInstance, limits: Limits): void {
  refuseWhenHeldUp(open, maxDelayOf(limits) * SHED_FIRST);
}

function maxDelayOf({ maxEventLoopDelayMs = MAX_EVENT_LOOP_DELAY_MS }: Limits): number {
  return maxEventLoopDelayMs;
}

function refuseWhenHeldUp(api: FastifyInstance, maxDelayMs: number): void {
  if (maxDelayMs === 0) return;
  const eventLoop = watchEventLoop(maxDelayMs);
  api.addHook('onClose', () => eventLoop.stop());
  api.addHook('onRequest', (_request, _reply, done) => {
    if (!eventLoop.isHeldUp()) return done();
    done(refuse('overloaded', { headers: { 'retry-after': '1' } }));
  });
}

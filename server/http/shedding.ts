import type { FastifyInstance } from 'fastify';
import { EVERY_ADDRESS } from '../../contract/request-refusals.ts';
import { refuserOf } from '../service/refusal.ts';
import { watchEventLoop } from './event-loop.ts';

const refuse = refuserOf(EVERY_ADDRESS);

/** Limits that the operator sets. */
export interface Limits {
  /** Requests of one account, and refused ones of one address, in a minute; 0 for no limit. */
  requestsPerMinute: number;
  /** Refused logins from one address in ten minutes; 0 for no limit, as it is by itself. */
  refusedLogins?: number;
  /** Pages that there are not, asked for from one address in a minute; 0 for no limit, as it is by itself. */
  unknownPagesPerMinute?: number;
  /** Delay of the event loop in milliseconds above which requests are refused with 503; 0 for never. */
  maxEventLoopDelayMs?: number;
}

const MAX_EVENT_LOOP_DELAY_MS = 1_000;
/** The part of that delay above which those without a key are refused: before anybody with one. */
const SHED_FIRST = 0.25;

/** Refuses requests while the server is held up. */
export function shed(api: FastifyInstance, limits: Limits): void {
  refuseWhenHeldUp(api, maxDelayOf(limits));
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

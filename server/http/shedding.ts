import type { FastifyInstance, FastifyRequest } from 'fastify';
import { EVERY_ADDRESS } from '../../contract/request-refusals.ts';
import { refuserOf } from '../service/refusal.ts';
import { networkOf } from './access/address.ts';
import { watchEventLoop } from '../load/event-loop.ts';

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

/**
 * Refuses logins while the server is held up. Sooner than requests with a key it refuses those of
 * networks that have another login under way, so that a flood shuts nobody else out.
 */
export function shedLogins(open: FastifyInstance, limits: Limits): void {
  const underWay = new Map<string, number>();
  const hasOthers = (request: FastifyRequest) => underWay.has(networkOf(request));
  shed(open, limits);
  refuseWhenHeldUp(open, maxDelayOf(limits) * SHED_FIRST, hasOthers);
  open.addHook('onRequest', (request, reply, done) => {
    const network = networkOf(request);
    underWay.set(network, (underWay.get(network) ?? 0) + 1);
    reply.raw.once('close', () => {
      const left = underWay.get(network)! - 1;
      if (left > 0) underWay.set(network, left);
      else underWay.delete(network);
    });
    done();
  });
}

function maxDelayOf({ maxEventLoopDelayMs = MAX_EVENT_LOOP_DELAY_MS }: Limits): number {
  return maxEventLoopDelayMs;
}

function refuseWhenHeldUp(
  api: FastifyInstance,
  maxDelayMs: number,
  isShed: (request: FastifyRequest) => boolean = () => true,
): void {
  if (maxDelayMs === 0) return;
  const eventLoop = watchEventLoop(maxDelayMs);
  api.addHook('onClose', () => eventLoop.stop());
  api.addHook('onRequest', (request, _reply, done) => {
    if (!eventLoop.isHeldUp() || !isShed(request)) return done();
    done(refuse('overloaded', { headers: { 'retry-after': '1' } }));
  });
}

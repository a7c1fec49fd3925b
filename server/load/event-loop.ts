import type { FastifyInstance } from 'fastify';
import { type Gate, OverloadedError } from './overloaded-error.ts';

const TICK_MS = 100;
/** Delay of the event loop in milliseconds above which requests are refused. */
const MAX_DELAY_MS = 1_000;
/** Part of that delay above which requests without a key are refused, before anybody with one. */
const ANONYMOUS = 0.25;

/** Refuses requests while the event loop is blocked; with a delay of 0 never. */
export function shed(scope: FastifyInstance, maxDelayMs = MAX_DELAY_MS): void {
  refuseWhenBlocked(scope, 'event-loop', maxDelayMs);
}

/** Refuses requests that need no key while the event loop is blocked, sooner than those with a key. */
export function shedAnonymous(scope: FastifyInstance, maxDelayMs = MAX_DELAY_MS): void {
  refuseWhenBlocked(scope, 'event-loop-anonymous', maxDelayMs * ANONYMOUS);
}

function refuseWhenBlocked(scope: FastifyInstance, gate: Gate, maxDelayMs: number): void {
  if (maxDelayMs === 0) return;
  const eventLoop = watchEventLoop(maxDelayMs);
  scope.addHook('onClose', () => eventLoop.stop());
  scope.addHook('onRequest', (_request, _reply, done) => {
    done(eventLoop.isBlocked() ? new OverloadedError(gate) : undefined);
  });
}

/**
 * Watches for single long delays, after which the requests of the meantime all come at once. A mean
 * over a second hides them.
 */
function watchEventLoop(maxDelayMs: number): { isBlocked: () => boolean; stop: () => void } {
  let due = performance.now() + TICK_MS;
  let wasBlocked = false;
  const timer = setInterval(() => {
    const now = performance.now();
    wasBlocked = now - due > maxDelayMs;
    due = now + TICK_MS;
  }, TICK_MS);
  timer.unref();
  return {
    isBlocked: () => wasBlocked || performance.now() - due > maxDelayMs,
    stop: () => clearInterval(timer),
  };
}

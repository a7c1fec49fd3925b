const TICK_MS = 100;

/** Says whether the event loop is, or a moment ago was, held up for longer than a limit. */
export interface EventLoopWatch {
  isHeldUp: () => boolean;
  stop: () => void;
}

/**
 * Watches for single long delays, after which the requests of the meantime all come at once. A mean
 * over a second hides them.
 */
export function watchEventLoop(maxDelayMs: number): EventLoopWatch {
  let due = performance.now() + TICK_MS;
  let heldUp = false;
  const timer = setInterval(() => {
    const now = performance.now();
    heldUp = now - due > maxDelayMs;
    due = now + TICK_MS;
  }, TICK_MS);
  timer.unref();
  return {
    isHeldUp: () => heldUp || performance.now() - due > maxDelayMs,
    stop: () => clearInterval(timer),
  };
}

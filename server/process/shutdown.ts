import type { FastifyBaseLogger } from 'fastify';

const DEADLINE_MS = 10_000;
/** Under npm a terminal's Ctrl-C, or a signal to all processes, comes twice: at once, and forwarded. */
const SAME_KEYPRESS_MS = 500;

/**
 * On SIGTERM runs `drain`, then, as on SIGINT at once, `close`, and exits like `closeOnce`. A second
 * signal ends the draining, one more the process, with 1. Returns how to end it for another reason.
 */
export function closeOnSignal(
  logger: FastifyBaseLogger,
  { drain, ...ending }: Record<'drain' | 'close' | 'flush', () => Promise<void>>,
): (code: number) => void {
  let draining = false;
  let stopping = false;
  const heardAt: Partial<Record<NodeJS.Signals, number>> = {};
  const stopOnce = closeOnce(logger, ending);
  const stop = () => {
    stopping = true;
    stopOnce(0);
  };
  const hear = (signal: NodeJS.Signals) => {
    const now = performance.now();
    const isSame = now - (heardAt[signal] ?? -Infinity) < SAME_KEYPRESS_MS;
    heardAt[signal] = now;
    if (isSame) return;
    if (!draining && !stopping) logger.info({ signal }, 'stopping');
    if (signal === 'SIGINT' || draining) return stop();
    draining = true;
    void drain().then(() => {
      if (!stopping) stop();
    });
  };
  process.on('SIGINT', hear);
  process.on('SIGTERM', hear);
  return stopOnce;
}

/**
 * Returns how to end the process: it runs `close` and exits, with the given code when that is done,
 * with 1 after ten seconds, or when it is called a second time. What nobody caught is logged and ends
 * the process in the same way, with 1. `flush` writes out the log before.
 */
export function closeOnce(
  logger: FastifyBaseLogger,
  { close, flush }: Record<'close' | 'flush', () => Promise<void>>,
): (code: number) => void {
  let stopping = false;
  const exit = (code: number) => void flush().finally(() => process.exit(code));
  const stop = (code: number) => {
    if (stopping) return exit(1);
    stopping = true;
    setTimeout(() => {
      logger.error('stopping took too long');
      exit(1);
    }, DEADLINE_MS).unref();
    close().then(
      () => {
        logger.info('stopped');
        exit(code);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        exit(1);
      },
    );
  };
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => {
      logger.fatal({ err: error }, event);
      stop(1);
    });
  return stop;
}

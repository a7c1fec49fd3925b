import type { FastifyBaseLogger } from 'fastify';

const DEADLINE_MS = 10_000;
/** Under npm a terminal's Ctrl-C, or a signal to all processes, comes twice: at once, and forwarded. */
const SAME_KEYPRESS_MS = 500;

/**
 * On SIGTERM runs `drain`, then, as on SIGINT at once, `close`, and exits: with 0 when it is done, with
 * 1 after ten seconds. A second signal ends the draining, one more the process, with 1. What nobody
 * caught is logged and ends the process like SIGINT, with 1. `flush` writes out the log before.
 */
export function closeOnSignal(
  logger: FastifyBaseLogger,
  { drain, close, flush }: Record<'drain' | 'close' | 'flush', () => Promise<void>>,
): void {
  let draining = false;
  let stopping = false;
  const heardAt: Partial<Record<NodeJS.Signals, number>> = {};
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
  const hear = (signal: NodeJS.Signals) => {
    const now = performance.now();
    const isSame = now - (heardAt[signal] ?? -Infinity) < SAME_KEYPRESS_MS;
    heardAt[signal] = now;
    if (isSame) return;
    if (!draining && !stopping) logger.info({ signal }, 'stopping');
    if (signal === 'SIGINT' || draining) return stop(0);
    draining = true;
    void drain().then(() => {
      if (!stopping) stop(0);
    });
  };
  process.on('SIGINT', hear);
  process.on('SIGTERM', hear);
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => {
      logger.fatal({ err: error }, event);
      stop(1);
    });
}

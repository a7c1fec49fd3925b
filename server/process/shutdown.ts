import type { FastifyBaseLogger } from 'fastify';

const DEADLINE_MS = 10_000;
/** A terminal's Ctrl-C reaches the process twice under npm: at once, and forwarded. */
const SAME_KEYPRESS_MS = 500;

/**
 * Runs `close` on SIGINT or SIGTERM and exits: with 0 when it is done, with 1 after ten seconds or
 * on a second signal. What nobody caught is logged and ends the process in the same way, with 1.
 * `flush` writes out the log before.
 */
export function closeOnSignal(
  logger: FastifyBaseLogger,
  close: () => Promise<void>,
  flush: () => Promise<void>,
): void {
  let began: number | undefined;
  const exit = (code: number) => void flush().finally(() => process.exit(code));
  const stop = (code: number) => {
    if (began !== undefined) {
      if (performance.now() - began > SAME_KEYPRESS_MS) process.exit(1);
      return;
    }
    began = performance.now();
    setTimeout(() => {
      logger.error('stopping took too long');
      exit(1);
    }, DEADLINE_MS).unref();
    close().then(
      () => exit(code),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        exit(1);
      },
    );
  };
  process.on('SIGINT', () => stop(0));
  process.on('SIGTERM', () => stop(0));
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => {
      logger.fatal({ err: error }, event);
      stop(1);
    });
}

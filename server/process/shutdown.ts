import type { FastifyBaseLogger } from 'fastify';

const STOP_TIMEOUT_MS = 10_000;
/** Under npm, Ctrl-C delivers the signal twice: directly, and forwarded by npm. */
const DUPLICATE_SIGNAL_MS = 500;

/**
 * SIGTERM and SIGHUP run `drain`, then `close`. SIGINT, or a second signal while draining, runs `close` at
 * once. Any further signal exits with code 1. Returns a function that runs `close` and exits with
 * the given code.
 */
export function closeOnSignal(
  logger: FastifyBaseLogger,
  { drain, close, flush }: Record<'drain' | 'close' | 'flush', () => Promise<void>>,
): (code: number) => void {
  let isDraining = false;
  let isStopping = false;
  const receivedAt: Partial<Record<NodeJS.Signals, number>> = {};
  const stopProcess = createStopper(logger, { close, flush });
  const stop = () => {
    isStopping = true;
    stopProcess(0);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    const isDuplicate = now - (receivedAt[signal] ?? -Infinity) < DUPLICATE_SIGNAL_MS;
    receivedAt[signal] = now;
    if (isDuplicate) return;
    if (!isDraining && !isStopping) logger.info({ signal }, 'stopping');
    if (signal === 'SIGINT' || isDraining || isStopping) return stop();
    isDraining = true;
    void drain().then(() => {
      if (!isStopping) stop();
    });
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', onSignal);
  // Otherwise Node would open its debugger, which every user of the machine can connect to. The
  // option --disable-sigusr1 would keep older versions of Node from naming the one that is needed.
  process.on('SIGUSR1', (signal) => logger.warn({ signal }, 'the signal is ignored'));
  return stopProcess;
}

/**
 * Returns a function that runs `close` and exits with the given code. Exits with 1 after ten
 * seconds, or if called again. Uncaught errors are logged and stop the process with 1.
 */
function createStopper(
  logger: FastifyBaseLogger,
  { close, flush }: Record<'close' | 'flush', () => Promise<void>>,
): (code: number) => void {
  let isStopping = false;
  const exit = (code: number) => void flush().finally(() => process.exit(code));
  const stop = (code: number) => {
    if (isStopping) return exit(1);
    isStopping = true;
    setTimeout(() => {
      logger.error('stopping took too long');
      exit(1);
    }, STOP_TIMEOUT_MS).unref();
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

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Under npm, one Ctrl-C arrives twice: from the terminal and from npm. */
const DUPLICATE_SIGNAL_MS = 500;

export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}

/**
 * The first signal rejects `signalled`, so that resources are closed. The next signal that is not a
 * duplicate ends the process at once.
 */
export class Interruption implements Disposable {
  readonly signalled: Promise<never>;
  readonly #reject: (error: InterruptedError) => void;
  #signalledAt: number | undefined;

  constructor() {
    const { promise, reject } = Promise.withResolvers<never>();
    // Avoids an unhandled rejection while nothing awaits the promise.
    promise.catch(() => {});
    this.signalled = promise;
    this.#reject = reject;
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    if (this.#signalledAt === undefined) {
      this.#signalledAt = performance.now();
      this.#reject(new InterruptedError(signal));
    } else if (performance.now() - this.#signalledAt > DUPLICATE_SIGNAL_MS) {
      this[Symbol.dispose]();
      process.kill(process.pid, signal);
    }
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A terminal's Ctrl-C reaches the process twice under npm: at once, and forwarded. */
const SAME_KEYPRESS_MS = 500;

/** A signal told the command to end before it was done. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}

/** Turns signals into an error, so that what is open can be closed; a second one ends the process at once. */
export class Interruption implements Disposable {
  /** Rejected by the first signal. */
  readonly happened: Promise<never>;
  readonly #reject: (error: InterruptedError) => void;
  #since: number | undefined;

  constructor() {
    const { promise, reject } = Promise.withResolvers<never>();
    // It may happen while nobody waits for it yet.
    promise.catch(() => {});
    this.happened = promise;
    this.#reject = reject;
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    if (this.#since === undefined) {
      this.#since = performance.now();
      this.#reject(new InterruptedError(signal));
    } else if (performance.now() - this.#since > SAME_KEYPRESS_MS) {
      this[Symbol.dispose]();
      process.kill(process.pid, signal);
    }
  };
}

const MAX_BATCH_KEYS = 1_000;

type Entry<Value> = [key: string, value: Value];

interface WriteBehindOptions<Value> {
  intervalMs: number;
  write: (entries: Entry<Value>[]) => Promise<void>;
  merge: (earlier: Value, added: Value) => Value;
  onError: (error: unknown) => void;
  /** Above it, for example while the database is unavailable, new keys are dropped. */
  maxKeys?: number;
}

/**
 * Collects values by key in memory and writes them after an interval. Values that could not be
 * written are written after the next interval.
 */
export class WriteBehind<Value> {
  readonly #options: WriteBehindOptions<Value>;
  readonly #pending = new Map<string, Value>();
  #timer: NodeJS.Timeout | undefined;
  #lastFlush: Promise<void> = Promise.resolve();

  constructor(options: WriteBehindOptions<Value>) {
    this.#options = options;
  }

  get(key: string): Value | undefined {
    return this.#pending.get(key);
  }

  add(key: string, value: Value): void {
    this.#merge(key, value);
    this.#startTimer();
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastFlush = this.#lastFlush
      .then(() => this.#flush())
      .catch((error: unknown) => {
        this.#startTimer();
        this.#options.onError(error);
      });
    return this.#lastFlush;
  }

  #startTimer(): void {
    this.#timer ??= setTimeout(() => void this.flush(), this.#options.intervalMs).unref();
  }

  #merge(key: string, value: Value): void {
    const { merge, maxKeys = Infinity } = this.#options;
    const earlier = this.#pending.get(key);
    if (earlier !== undefined) this.#pending.set(key, merge(earlier, value));
    else if (this.#pending.size < maxKeys) this.#pending.set(key, value);
  }

  async #flush(): Promise<void> {
    const entries = [...this.#pending];
    this.#pending.clear();
    for (let offset = 0; offset < entries.length; offset += MAX_BATCH_KEYS)
      try {
        await this.#options.write(entries.slice(offset, offset + MAX_BATCH_KEYS));
      } catch (error) {
        for (const [key, value] of entries.slice(offset)) this.#merge(key, value);
        throw error;
      }
  }
}

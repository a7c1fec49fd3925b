import { MINUTE_MS } from '#contract/durations.ts';

/**
 * Records when keys and sessions were last used, at most once a minute for each. Requests do not
 * wait for the write, which stores all pending ids in one statement.
 */
export class LastUsedTracker {
  readonly #touch: (ids: string[]) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #pendingIds = new Set<string>();
  #isFlushing = false;

  constructor(touch: (ids: string[]) => Promise<void>, onError: (error: unknown) => void) {
    this.#touch = touch;
    this.#onError = onError;
  }

  record(id: string, lastUsedAt: Date | null): void {
    if (lastUsedAt && Date.now() - lastUsedAt.getTime() < MINUTE_MS) return;
    this.#pendingIds.add(id);
    if (!this.#isFlushing) void this.#flush();
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true;
    while (this.#pendingIds.size > 0) {
      const ids = [...this.#pendingIds];
      this.#pendingIds.clear();
      await this.#touch(ids).catch(this.#onError);
    }
    this.#isFlushing = false;
  }
}

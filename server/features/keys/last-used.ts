import { MINUTE_MS } from '#contract/durations.ts';

/**
 * Notes, to the minute, when keys or sessions were last used. Requests do not wait for it, and however
 * many are used at once, one statement at a time notes them all.
 */
export class LastUsed {
  readonly #touch: (ids: string[]) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #ids = new Set<string>();
  #writing = false;

  constructor(touch: (ids: string[]) => Promise<void>, onError: (error: unknown) => void) {
    this.#touch = touch;
    this.#onError = onError;
  }

  /** Notes a use, unless one of the last minute is noted already. */
  add(id: string, last: Date | null): void {
    if (last && Date.now() - last.getTime() < MINUTE_MS) return;
    this.#ids.add(id);
    if (!this.#writing) void this.#write();
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#ids.size > 0) {
      const ids = [...this.#ids];
      this.#ids.clear();
      await this.#touch(ids).catch(this.#onError);
    }
    this.#writing = false;
  }
}

import { MINUTE_MS } from '#contract/shared/durations.ts';
import { WriteBehind } from '#server/platform/limits/write-behind.ts';

const FLUSH_INTERVAL_MS = 100;

/** Records when keys and sessions were last used, at most once a minute for each. */
export class LastUsedTracker {
  readonly #used: WriteBehind<true>;

  constructor(touch: (ids: string[]) => Promise<void>, onError: (error: unknown) => void) {
    this.#used = new WriteBehind({
      intervalMs: FLUSH_INTERVAL_MS,
      write: (entries) => touch(entries.map(([id]) => id)),
      merge: () => true,
      onError,
    });
  }

  record(id: string, lastUsedAt: Date | null): void {
    if (lastUsedAt && Date.now() - lastUsedAt.getTime() < MINUTE_MS) return;
    this.#used.add(id, true);
  }

  flush(): Promise<void> {
    return this.#used.flush();
  }
}

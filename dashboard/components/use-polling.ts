import { useEffect } from 'preact/hooks';
import { isOffline } from '../api/connection.ts';

/** After this time without input, a visible tab stops polling until the next input. */
const IDLE_MS = 10 * 60_000;

const INTERVALS_MS = {
  /** Something is under way on the server, and the screen shows its progress. */
  progress: 2_000,
  /** Somebody has to do something first, such as open a mail. */
  waiting: 5_000,
  /** News may come. Charts say that they are this fresh. */
  background: 30_000,
};

let lastInputAt = Date.now();
for (const type of ['pointermove', 'pointerdown', 'keydown', 'visibilitychange'])
  document.addEventListener(type, () => (lastInputAt = Date.now()), { passive: true });

/**
 * Reloads at an interval if the tab is visible, in use and the browser is online, and when it becomes
 * visible or goes online. Does nothing without a `pace`.
 */
export function usePolling(
  pace: keyof typeof INTERVALS_MS | undefined,
  /** Must not depend on values that change. */
  reload: () => void,
): void {
  useEffect(() => {
    if (!pace) return undefined;
    const reloadIfVisible = () => {
      const isInUse = Date.now() - lastInputAt < IDLE_MS && document.visibilityState === 'visible';
      if (isInUse && !isOffline.peek()) reload();
    };
    const timer = setInterval(reloadIfVisible, INTERVALS_MS[pace]);
    document.addEventListener('visibilitychange', reloadIfVisible);
    addEventListener('online', reloadIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', reloadIfVisible);
      removeEventListener('online', reloadIfVisible);
    };
  }, [pace]);
}

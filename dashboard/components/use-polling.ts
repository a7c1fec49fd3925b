import { useEffect } from 'preact/hooks';
import { isOffline } from '../api/connection.ts';

/** After this time without input, a visible tab stops polling until the next input. */
const IDLE_MS = 10 * 60_000;
let lastInputAt = Date.now();
for (const type of ['pointermove', 'pointerdown', 'keydown', 'visibilitychange'])
  document.addEventListener(type, () => (lastInputAt = Date.now()), { passive: true });

/**
 * Reloads at an interval while `isPending`, if the tab is visible, in use and the browser is online,
 * and when it becomes visible or goes online.
 */
export function usePolling(
  isPending: boolean,
  /** Must not depend on values that change. */
  reload: () => void,
  milliseconds: number,
): void {
  useEffect(() => {
    if (!isPending) return undefined;
    const reloadIfVisible = () => {
      const isInUse = Date.now() - lastInputAt < IDLE_MS && document.visibilityState === 'visible';
      if (isInUse && !isOffline.peek()) reload();
    };
    const timer = setInterval(reloadIfVisible, milliseconds);
    document.addEventListener('visibilitychange', reloadIfVisible);
    addEventListener('online', reloadIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', reloadIfVisible);
      removeEventListener('online', reloadIfVisible);
    };
  }, [isPending, milliseconds]);
}

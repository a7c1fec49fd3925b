import { useEffect } from 'preact/hooks';

/**
 * Reloads at an interval while `isPending`, if the tab is visible and the browser is online, and
 * when it becomes visible or goes online.
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
      if (navigator.onLine && document.visibilityState === 'visible') reload();
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

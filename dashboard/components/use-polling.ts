import { useEffect } from 'preact/hooks';

/**
 * Reloads at an interval while `isPending`, if the tab is visible, and when it becomes visible.
 * `reload` must not change.
 */
export function usePolling(isPending: boolean, reload: () => void, milliseconds: number): void {
  useEffect(() => {
    if (!isPending) return undefined;
    const reloadIfVisible = () => {
      if (document.visibilityState === 'visible') reload();
    };
    const timer = setInterval(reloadIfVisible, milliseconds);
    document.addEventListener('visibilitychange', reloadIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', reloadIfVisible);
    };
  }, [isPending, reload, milliseconds]);
}

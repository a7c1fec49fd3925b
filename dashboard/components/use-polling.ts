import { useEffect } from 'preact/hooks';

/** Reloads at an interval while `isPending`, if the tab is visible. `reload` must not change. */
export function usePolling(isPending: boolean, reload: () => void, milliseconds: number): void {
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [isPending, reload, milliseconds]);
}

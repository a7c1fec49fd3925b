import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isReachable } from '#dashboard/api/connection.ts';
import { t } from '#dashboard/translate.ts';

const REFRESH_MS = 30_000;

/**
 * Calls `refresh` every 30 seconds while the window is visible and the browser is online. Returns
 * whether refreshing is on and the server can be reached.
 */
export function useAutoRefresh(refresh: () => void, isOn: boolean): boolean {
  const isOnline = useSignal(navigator.onLine);
  useEffect(() => {
    if (!isOn) return undefined;
    const refreshIfVisible = () => {
      isOnline.value = navigator.onLine;
      if (navigator.onLine && document.visibilityState === 'visible') refresh();
    };
    const timer = setInterval(refreshIfVisible, REFRESH_MS);
    // Refresh at once when the window becomes visible or the browser goes online.
    document.addEventListener('visibilitychange', refreshIfVisible);
    addEventListener('online', refreshIfVisible);
    addEventListener('offline', refreshIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refreshIfVisible);
      removeEventListener('online', refreshIfVisible);
      removeEventListener('offline', refreshIfVisible);
    };
  }, [isOn]);
  return isOn && isOnline.value && isReachable.value;
}

export function LivePill({ isLive }: { isLive: boolean }) {
  return (
    <span
      class={isLive ? 'pill good live' : 'pill'}
      title={isLive ? t('Updated every 30 seconds') : undefined}
    >
      {isLive ? t('Live') : t('Paused')}
    </span>
  );
}

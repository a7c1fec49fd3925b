import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isReachable } from '#dashboard/api/connection.ts';

const REFRESH_MS = 30_000;

/** Calls something every half minute while the window is visible and online, and tells whether it does. */
export function useAutoRefresh(refresh: () => void, isOn: boolean): boolean {
  const isOnline = useSignal(navigator.onLine);
  useEffect(() => {
    if (!isOn) return undefined;
    const look = () => {
      isOnline.value = navigator.onLine;
      if (navigator.onLine && document.visibilityState === 'visible') refresh();
    };
    const timer = setInterval(look, REFRESH_MS);
    // Whoever comes back sees what happened meanwhile.
    document.addEventListener('visibilitychange', look);
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, [isOn]);
  return isOn && isOnline.value && isReachable.value;
}

/** Sign that numbers come by themselves, or that they do not for now. */
export function LivePill({ isLive }: { isLive: boolean }) {
  return (
    <span
      class={isLive ? 'pill good live' : 'pill'}
      title={isLive ? 'Updated every 30 seconds' : undefined}
    >
      {isLive ? 'Live' : 'Paused'}
    </span>
  );
}

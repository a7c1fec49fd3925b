import { useEffect } from 'preact/hooks';

/** Reloads what may have changed in another tab, so that a form keeps what was entered. */
export function useReloadOnFocus(reload: () => void): void {
  useEffect(() => {
    addEventListener('focus', reload);
    return () => removeEventListener('focus', reload);
  }, [reload]);
}

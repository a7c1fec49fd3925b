import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Size of an element, in pixels; kept up to date. */
export function useSize(of: RefObject<HTMLElement | null>): { width: number; height: number } {
  const size = useSignal({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      size.value = { width, height };
    });
    observer.observe(of.current!);
    return () => observer.disconnect();
  }, []);
  return size.value;
}

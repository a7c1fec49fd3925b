import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const DELAY_MS = 300;

export function useDebounced<Value>(value: Value): Value {
  const debounced = useSignal(value);
  useEffect(() => {
    const timer = setTimeout(() => (debounced.value = value), DELAY_MS);
    return () => clearTimeout(timer);
  }, [value, debounced]);
  return debounced.value;
}

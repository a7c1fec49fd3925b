import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const REST_MS = 300;

/** A value once it has stayed the same for a moment. */
export function useSettled<Value>(value: Value): Value {
  const settled = useSignal(value);
  useEffect(() => {
    const timer = setTimeout(() => (settled.value = value), REST_MS);
    return () => clearTimeout(timer);
  }, [value, settled]);
  return settled.value;
}

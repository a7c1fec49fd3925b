import { useSignal, useSignalEffect } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { isReachable } from '../api/connection.ts';
import { sentenceOf } from '../api/sentence-of.ts';

/** State of loading: nothing yet, a value, or why there is none. While it is loaded anew the old value stays. */
export interface Loaded<Value> {
  value: Value | undefined;
  /** Why the last attempt failed. */
  failure: string | undefined;
  isLoading: boolean;
  reload: () => void;
}

/** Loads something when the component comes, and again whenever one of `anew` changes. */
export function useLoaded<Value>(
  load: () => Promise<Value>,
  anew: readonly unknown[] = [],
): Loaded<Value> {
  const state = useSignal<Omit<Loaded<Value>, 'reload'>>({
    value: undefined,
    failure: undefined,
    isLoading: true,
  });
  const latest = useRef(0);
  const current = useRef(load);
  current.current = load;
  const reload = useCallback(() => {
    const turn = (latest.current += 1);
    const settle = (change: Partial<Loaded<Value>>) => {
      // An answer that was overtaken by a later one says nothing any more.
      if (turn === latest.current) state.value = { ...state.peek(), isLoading: false, ...change };
    };
    state.value = { ...state.peek(), isLoading: true };
    current.current().then(
      (value) => settle({ value, failure: undefined }),
      (error: unknown) => settle({ failure: sentenceOf(error) }),
    );
  }, [state]);
  useEffect(() => {
    reload();
    return () => {
      latest.current += 1;
    };
  }, [reload, ...anew]);
  useSignalEffect(() => {
    // A call without an answer is tried again when the server is back.
    if (isReachable.value && state.peek().failure) reload();
  });
  return { ...state.value, reload };
}

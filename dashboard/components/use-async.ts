import { useSignal, useSignalEffect } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { isReachable } from '../api/connection.ts';
import { errorMessage } from '../api/error-message.ts';

/** The old value stays while a new one loads. */
export interface AsyncState<Value> {
  value: Value | undefined;
  failure: string | undefined;
  isLoading: boolean;
  reload: () => void;
}

/** Loads on mount, and again when `deps` change. */
export function useAsync<Value>(
  load: () => Promise<Value>,
  deps: readonly unknown[] = [],
): AsyncState<Value> {
  const state = useSignal<Omit<AsyncState<Value>, 'reload'>>({
    value: undefined,
    failure: undefined,
    isLoading: true,
  });
  const latestRequest = useRef(0);
  const loadRef = useRef(load);
  loadRef.current = load;
  const reload = useCallback(() => {
    const requestId = (latestRequest.current += 1);
    const updateState = (change: Partial<AsyncState<Value>>) => {
      if (requestId === latestRequest.current)
        state.value = { ...state.peek(), isLoading: false, ...change };
    };
    state.value = { ...state.peek(), isLoading: true };
    loadRef.current().then(
      (value) => updateState({ value, failure: undefined }),
      (error: unknown) => updateState({ failure: errorMessage(error) }),
    );
  }, [state]);
  useEffect(() => {
    reload();
    return () => {
      latestRequest.current += 1;
    };
  }, [reload, ...deps]);
  useSignalEffect(() => {
    // Retry after a failure once the server is reachable again.
    if (isReachable.value && state.peek().failure) reload();
  });
  return { ...state.value, reload };
}

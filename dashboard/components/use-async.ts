import { useSignal, useSignalEffect } from '@preact/signals';
import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks';
import { isReachable } from '../api/connection.ts';
import { errorMessage } from '../api/error-message.ts';

export interface AsyncState<Value> {
  value: Value | undefined;
  failure: string | undefined;
  isLoading: boolean;
  reload: () => void;
  /** Reloads unless a request is in flight, which a slow connection would otherwise never finish. */
  poll: () => void;
}

const NOT_LOADED = { value: undefined, failure: undefined, isLoading: true };

/**
 * Loads on mount, and again when `deps` change. The old value stays during a `reload`, and with
 * `keepsOldValue` also when `deps` change, which is safe if the value names the `deps` it is for.
 */
export function useAsync<Value>(
  load: () => Promise<Value>,
  deps: readonly unknown[] = [],
  { keepsOldValue = false } = {},
): AsyncState<Value> {
  const version = useMemo(() => ({}), deps);
  const state = useSignal<Omit<AsyncState<Value>, 'reload' | 'poll'> & { version: object }>({
    ...NOT_LOADED,
    version,
  });
  const latestRequest = useRef(0);
  const latest = useRef({ load, version });
  latest.current = { load, version };
  const reload = useCallback(() => {
    const requestId = (latestRequest.current += 1);
    const request = latest.current;
    const updateState = (change: Partial<AsyncState<Value>>) => {
      if (requestId === latestRequest.current)
        state.value = { ...state.peek(), isLoading: false, ...change };
    };
    const isSame = keepsOldValue || state.peek().version === request.version;
    state.value = {
      ...(isSame ? state.peek() : NOT_LOADED),
      version: request.version,
      isLoading: true,
    };
    request.load().then(
      (value) => updateState({ value, failure: undefined }),
      (error: unknown) => updateState({ failure: errorMessage(error) }),
    );
  }, [state]);
  const poll = useCallback(() => {
    if (!state.peek().isLoading) reload();
  }, [reload, state]);
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
  const isCurrent = keepsOldValue || state.value.version === version;
  return { ...(isCurrent ? state.value : NOT_LOADED), reload, poll };
}

import { APIAbortError } from './errors.ts';

interface AbortListener {
  stopCallbacks: Set<() => void>;
  listener: () => void;
}

const listeners = new WeakMap<AbortSignal, AbortListener>();

/**
 * Calls `stop` when the signal is aborted. Returns a function that unsubscribes. Each signal gets
 * only one listener, because from the eleventh on, Node warns of a leak.
 */
export function onAbort(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal === undefined) return () => {};
  const { stopCallbacks, listener } = listeners.get(signal) ?? addListener(signal);
  stopCallbacks.add(stop);
  return () => {
    stopCallbacks.delete(stop);
    if (stopCallbacks.size > 0) return;
    listeners.delete(signal);
    signal.removeEventListener('abort', listener);
  };
}

export function abortError(signal: AbortSignal | undefined): APIAbortError {
  return new APIAbortError('The call was aborted.', { cause: signal?.reason });
}

function addListener(signal: AbortSignal): AbortListener {
  const stopCallbacks = new Set<() => void>();
  const entry = { stopCallbacks, listener: () => stopCallbacks.forEach((stop) => stop()) };
  listeners.set(signal, entry);
  signal.addEventListener('abort', entry.listener);
  return entry;
}

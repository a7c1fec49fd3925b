import { APIAbortError } from './errors.ts';

interface AbortListener {
  stops: Set<() => void>;
  listener: () => void;
}

const listeners = new WeakMap<AbortSignal, AbortListener>();

/**
 * Calls `stop` when the signal is aborted. Returns a function that unsubscribes. Each signal gets
 * only one listener, because from the eleventh on, Node warns of a leak.
 */
export function onAbort(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal === undefined) return () => {};
  const { stops, listener } = listeners.get(signal) ?? addListener(signal);
  stops.add(stop);
  return () => {
    stops.delete(stop);
    if (stops.size > 0) return;
    listeners.delete(signal);
    signal.removeEventListener('abort', listener);
  };
}

export function abortError(signal: AbortSignal | undefined): APIAbortError {
  return new APIAbortError('The call was aborted.', { cause: signal?.reason });
}

function addListener(signal: AbortSignal): AbortListener {
  const stops = new Set<() => void>();
  const entry = { stops, listener: () => stops.forEach((stop) => stop()) };
  listeners.set(signal, entry);
  signal.addEventListener('abort', entry.listener);
  return entry;
}

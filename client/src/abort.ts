import { APIAbortError } from './errors.ts';

interface Listening {
  stops: Set<() => void>;
  listener: () => void;
}

const listening = new WeakMap<AbortSignal, Listening>();

/**
 * Calls `stop` when the signal is aborted, until the function returned is called. However many wait
 * for one signal, it gets one listener: from the eleventh on Node warns of a leak.
 */
export function onAbort(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal === undefined) return () => {};
  const { stops, listener } = listening.get(signal) ?? listen(signal);
  stops.add(stop);
  return () => {
    stops.delete(stop);
    if (stops.size > 0) return;
    listening.delete(signal);
    signal.removeEventListener('abort', listener);
  };
}

/** The error of a call whose signal was aborted. */
export function abortError(signal: AbortSignal | undefined): APIAbortError {
  return new APIAbortError('The call was aborted.', { cause: signal?.reason });
}

function listen(signal: AbortSignal): Listening {
  const stops = new Set<() => void>();
  const entry = { stops, listener: () => stops.forEach((stop) => stop()) };
  listening.set(signal, entry);
  signal.addEventListener('abort', entry.listener);
  return entry;
}

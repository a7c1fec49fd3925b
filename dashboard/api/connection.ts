import { effect, signal } from '@preact/signals';
import { APIConnectionError } from '../../client/src/errors.ts';

const PROBE_INTERVAL_MS = 3_000;

/** Whether the last request got a response. */
export const isReachable = signal(true);

/** Marks the server as unreachable and returns the error to throw. */
export function reportUnreachable(): APIConnectionError {
  isReachable.value = false;
  return new APIConnectionError('The server cannot be reached.');
}

/** Rejects if the server does not respond. */
export function probeServer(): Promise<unknown> {
  return fetch('/healthz', { method: 'HEAD', cache: 'no-store' });
}

// While the server is unreachable, probes it until it responds.
effect(() => {
  if (isReachable.value) return undefined;
  const timer = setInterval(() => {
    probeServer().then(
      () => (isReachable.value = true),
      () => undefined,
    );
  }, PROBE_INTERVAL_MS);
  return () => clearInterval(timer);
});

import { effect, signal } from '@preact/signals';
import { APIConnectionError } from '../../client/src/errors.ts';
import { t } from '../translate.ts';

const PROBE_INTERVAL_MS = 3_000;

export const isReachable = signal(true);

/** Marks the server as unreachable and returns the error to throw. */
export function reportUnreachable(): APIConnectionError {
  isReachable.value = false;
  return new APIConnectionError(t('The server cannot be reached.'));
}

export function probeServer(): Promise<unknown> {
  return fetch('/healthz', { method: 'HEAD', cache: 'no-store' });
}

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

import { effect, signal } from '@preact/signals';
import { APIConnectionError } from '../../client/src/errors.ts';

/** Time between two looks whether the server is back, in milliseconds. */
const LOOK_EVERY_MS = 3_000;

/** Whether the last request got an answer. */
export const isReachable = signal(true);

/** Notes that there was no answer, and gives the error that says so. */
export function unreachable(): APIConnectionError {
  isReachable.value = false;
  return new APIConnectionError('The server cannot be reached.');
}

/** Asks for something small; fails if there is no answer. */
export function lookForServer(): Promise<unknown> {
  return fetch('/healthz', { method: 'HEAD', cache: 'no-store' });
}

/** Looks for the server until it answers: whatever waits for it goes on then. */
effect(() => {
  if (isReachable.value) return undefined;
  const timer = setInterval(() => {
    lookForServer().then(
      () => (isReachable.value = true),
      () => undefined,
    );
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
});

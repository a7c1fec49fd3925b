import { effect, signal } from '@preact/signals';
import { APIConnectionError } from '#client/errors.ts';
import { VERSION } from '#client/generated/version.ts';
import { t } from '../translate.ts';

const PROBE_INTERVAL_MS = 3_000;

/** Browsers count a network without a route to the internet as offline, so that any response counts more. */
export const isOffline = signal(!navigator.onLine);
addEventListener('online', () => (isOffline.value = false));
/** How often the connection broke. */
let failureCount = 0;
addEventListener('offline', () => {
  isOffline.value = true;
  failureCount += 1;
});

export const isReachable = signal(true);
/** Whether the person does not keep the account that this document acts for. */
export const isNotKept = signal(false);
/** Whether the server was upgraded, or set back, since this tab loaded. */
export const isOtherVersion = signal(false);

/** Calls the server, and notices that it answers, and its version. */
export async function fetchFromServer(input: string, init?: RequestInit): Promise<Response> {
  const countBefore = failureCount;
  const response = await fetch(input, init);
  // An answer to a request from before a failure proves nothing.
  if (failureCount === countBefore) {
    isOffline.value = false;
    isReachable.value = true;
  }
  if (response.headers.get('x-error-code') === 'accountNotKept') isNotKept.value = true;
  // Never reset: during an upgrade, servers of both versions answer.
  if ((response.headers.get('nameplate-version') ?? VERSION) !== VERSION)
    isOtherVersion.value = true;
  return response;
}

/** Marks the server as unreachable and returns the error to throw. */
export function reportUnreachable(): APIConnectionError {
  isReachable.value = false;
  failureCount += 1;
  return new APIConnectionError(t('The server cannot be reached.'));
}

export function probeServer(): Promise<unknown> {
  return fetch('/healthz', { method: 'HEAD', cache: 'no-store' });
}

effect(() => {
  if (isReachable.value && !isOffline.value) return undefined;
  const timer = setInterval(() => {
    probeServer().then(
      () => {
        isReachable.value = true;
        isOffline.value = false;
      },
      () => undefined,
    );
  }, PROBE_INTERVAL_MS);
  return () => clearInterval(timer);
});

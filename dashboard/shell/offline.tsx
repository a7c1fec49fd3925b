import { signal } from '@preact/signals';
import { isReachable } from '../api/connection.ts';

const isOffline = signal(!navigator.onLine);
addEventListener('online', () => (isOffline.value = false));
addEventListener('offline', () => (isOffline.value = true));

/** Says that there is no connection, or no server, for as long as that is so. */
export function Offline() {
  const what = isOffline.value ? 'You are offline.' : 'The server cannot be reached.';
  return (
    <div role="status">
      {(isOffline.value || !isReachable.value) && (
        <p class="banner">{what} What you type stays here; save it when the connection is back.</p>
      )}
    </div>
  );
}

import { signal } from '@preact/signals';

const isOffline = signal(!navigator.onLine);
addEventListener('online', () => (isOffline.value = false));
addEventListener('offline', () => (isOffline.value = true));

/** Says that there is no connection, for as long as there is none. */
export function Offline() {
  return (
    <div role="status">
      {isOffline.value && (
        <p class="banner">
          You are offline. What you type stays here; save it when the connection is back.
        </p>
      )}
    </div>
  );
}

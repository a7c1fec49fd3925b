import { showing } from '../parts/messages.tsx';
import { signInByPasskey } from '../session.ts';

/** Signs in with a passkey of this browser, of whichever account. */
export function ByPasskey() {
  return (
    <div class="actions">
      <button type="button" class="primary" onClick={() => void showing(signInByPasskey())}>
        Sign in with a passkey
      </button>
    </div>
  );
}

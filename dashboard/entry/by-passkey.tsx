import { Icon } from '../parts/icon.tsx';
import { LINES } from '../parts/icon-lines.ts';
import { showing } from '../parts/messages.tsx';
import { signInByPasskey } from '../session.ts';

/** Signs in with a passkey of this browser, of whichever account. */
export function ByPasskey() {
  return (
    <div class="actions">
      <button type="button" class="primary" onClick={() => void showing(signInByPasskey())}>
        <Icon lines={LINES.passkey} />
        Sign in with a passkey
      </button>
    </div>
  );
}

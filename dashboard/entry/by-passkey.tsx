import { Icon } from '../parts/icon.tsx';
import { LINES } from '../parts/icon-lines.ts';
import { showing } from '../parts/messages.tsx';
import { signInByPasskey } from '../session.ts';

/** Signs in with a passkey of this browser, of whichever account; `isMain` if it is the first way in. */
export function ByPasskey({ isMain }: { isMain: boolean }) {
  return (
    <div class="actions">
      <button
        type="button"
        class={isMain ? 'primary' : 'way'}
        onClick={() => void showing(signInByPasskey())}
      >
        <Icon lines={LINES.passkey} />
        Sign in with a passkey
      </button>
    </div>
  );
}

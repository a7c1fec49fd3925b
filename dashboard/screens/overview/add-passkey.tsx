import { hasPasskeys } from '#dashboard/api/passkeys.ts';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { addressOf } from '#dashboard/router.ts';

/** Asks the owner of an account that has no way to log in again to add one. */
export function AddPasskey() {
  return (
    <section class="card come-back" aria-labelledby="come-back">
      <span class="tile good">
        <Icon lines={hasPasskeys ? LINES.passkey : LINES.key} />
      </span>
      <div class="grow">
        <h2 id="come-back">
          So that you can come back: {hasPasskeys ? 'add a passkey' : 'create an API key'}
        </h2>
        <p class="muted">
          {hasPasskeys
            ? 'Sign in with your fingerprint, your face or a PIN. No password, five seconds.'
            : 'Sign in with it. Without one, only the people who run this server can let you in.'}
        </p>
      </div>
      <a class="button" href={addressOf(hasPasskeys ? 'security?passkey' : 'keys')}>
        {hasPasskeys ? 'Add passkey' : 'Create a key'}
      </a>
    </section>
  );
}

import { canUsePasskeys } from '#dashboard/api/passkeys.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { dashboardHref } from '#dashboard/router.ts';

/** Asks the owner of an account that has no way to log in again to add one. */
export function AddPasskey() {
  return (
    <section class="card come-back" aria-labelledby="come-back">
      <span class="tile good">
        <Icon path={canUsePasskeys ? ICON_PATHS.passkey : ICON_PATHS.key} />
      </span>
      <div class="grow">
        <h2 id="come-back">
          So that you can come back: {canUsePasskeys ? 'add a passkey' : 'create an API key'}
        </h2>
        <p class="muted">
          {canUsePasskeys
            ? 'Sign in with your fingerprint, your face or a PIN. No password, five seconds.'
            : 'Sign in with it. Without one, only the people who run this server can let you in.'}
        </p>
      </div>
      <a class="button" href={dashboardHref(canUsePasskeys ? 'security?passkey' : 'keys')}>
        {canUsePasskeys ? 'Add passkey' : 'Create a key'}
      </a>
    </section>
  );
}

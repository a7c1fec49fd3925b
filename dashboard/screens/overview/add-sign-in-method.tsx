import { canUsePasskeys } from '#dashboard/api/passkeys.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { dashboardHref } from '#dashboard/router.ts';

/** Shown to accounts that have no way to log in again. */
export function AddSignInMethod() {
  return (
    <section class="card add-sign-in" aria-labelledby="add-sign-in">
      <span class="tile good">
        <Icon path={canUsePasskeys ? ICON_PATHS.passkey : ICON_PATHS.key} />
      </span>
      <div class="grow">
        <h2 id="add-sign-in">
          {canUsePasskeys ? 'Add a passkey' : 'Create an API key'} to sign in again
        </h2>
        <p class="muted">
          {canUsePasskeys
            ? 'Sign in with your fingerprint, your face or a PIN. No password, five seconds.'
            : 'Use it to sign in. Without it, only an administrator can give you access again.'}
        </p>
      </div>
      <a class="button" href={dashboardHref(canUsePasskeys ? 'security?passkey' : 'keys')}>
        {canUsePasskeys ? 'Add passkey' : 'Create a key'}
      </a>
    </section>
  );
}

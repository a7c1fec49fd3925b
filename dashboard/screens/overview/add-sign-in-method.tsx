import { canUsePasskeys, PASSKEY_EXPLANATION } from '#dashboard/api/passkeys.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { hasDeveloperTools } from '#dashboard/current-account.ts';
import { dashboardHref } from '#dashboard/router.ts';

/** Shown to accounts that have no way to log in again. */
export function AddSignInMethod() {
  const [title, text, path, button] = canUsePasskeys
    ? ['Add a passkey to sign in again', PASSKEY_EXPLANATION, 'settings?passkey', 'Add passkey']
    : hasDeveloperTools.value
      ? [
          'Create an API key to sign in again',
          'Use it to sign in. Without it, only an administrator can give you access again.',
          'keys',
          'Create a key',
        ]
      : [
          'Before you sign out',
          'To sign in again, you need a login link. Ask your administrator for one.',
        ];
  return (
    <section class="card add-sign-in" aria-labelledby="add-sign-in">
      <span class="tile good">
        <Icon path={canUsePasskeys ? ICON_PATHS.passkey : ICON_PATHS.key} />
      </span>
      <div class="grow">
        <h2 id="add-sign-in">{title}</h2>
        <p class="muted">{text}</p>
      </div>
      {path && (
        <a class="button" href={dashboardHref(path)}>
          {button}
        </a>
      )}
    </section>
  );
}

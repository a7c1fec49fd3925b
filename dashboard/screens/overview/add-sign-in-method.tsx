import { canUsePasskeys, PASSKEY_EXPLANATION } from '#dashboard/api/passkeys.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { hasDeveloperTools } from '#dashboard/current-account.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';

/** Shown to accounts that have no way to log in again. */
export function AddSignInMethod() {
  const [title, text, path, button] = canUsePasskeys
    ? [
        t('Add a passkey to sign in again'),
        PASSKEY_EXPLANATION,
        'settings?passkey',
        t('Add passkey'),
      ]
    : hasDeveloperTools.value
      ? [
          t('Create an API key to sign in again'),
          t('Use it to sign in. Without it, only an administrator can give you access again.'),
          'keys',
          t('Create a key'),
        ]
      : [
          t('Before you sign out'),
          t('To sign in again, you need a login link. Ask your administrator for one.'),
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

import { Face } from '../components/face.tsx';
import { ICON_PATHS } from '../components/icon-paths.ts';
import { Icon } from '../components/icon.tsx';
import { withErrorMessage } from '../components/messages.tsx';
import { Popover } from '../components/popover.tsx';
import { hasDeveloperTools } from '../current-account.ts';
import { pagesUrl, signOut } from '../session.ts';
import { t } from '../translate.ts';

export function AccountMenu({
  name,
  picture,
}: {
  /** Empty if no name is claimed, undefined until it is loaded. */
  name: string | undefined;
  picture: string | null | undefined;
}) {
  const label = name === undefined ? '' : name ? `@${name}` : t('No name yet');
  return (
    <Popover
      buttonClass="account-button"
      label={t('Account')}
      button={
        <>
          <Face url={picture} name={name} />
          <span class="account-names">
            <strong class="ellipsis">{label}</strong>
            <span class="muted ellipsis">{new URL(pagesUrl).host}</span>
          </span>
          <Icon path={ICON_PATHS.more} />
          <span class="visually-hidden">{t('Account')}</span>
        </>
      }
    >
      {() => (
        <>
          {hasDeveloperTools.value && (
            <a class="button menu-item" href="/docs/">
              <Icon path={ICON_PATHS.externalLink} />
              {t('API reference')}
            </a>
          )}
          <button type="button" class="menu-item" onClick={() => void withErrorMessage(signOut())}>
            <Icon path={ICON_PATHS.signIn} />
            {t('Sign out')}
          </button>
        </>
      )}
    </Popover>
  );
}

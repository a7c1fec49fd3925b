import { Face } from '../components/face.tsx';
import { ICON_PATHS } from '../components/icon-paths.ts';
import { Icon } from '../components/icon.tsx';
import { withErrorMessage } from '../components/messages.tsx';
import { Popover } from '../components/popover.tsx';
import { hasDeveloperTools } from '../current-account.ts';
import { isOn } from '../facts.ts';
import { accountTitle, keptAccounts } from '../kept-accounts.ts';
import { actingFor } from '../router.ts';
import { pagesUrl, signOut } from '../session.ts';
import { t } from '../translate.ts';
import { AccountSwitcher } from './account-switcher.tsx';

export function AccountMenu({
  name,
  picture,
}: {
  /** Empty if no name is claimed, undefined until it is loaded. */
  name: string | undefined;
  picture: string | null | undefined;
}) {
  const person = actingFor === undefined ? undefined : keptAccounts.value?.[0];
  const label = name === undefined ? '' : name ? `@${name}` : t('No name yet');
  return (
    <Popover
      buttonClass="account-button"
      label={t('Account')}
      button={
        <>
          <span class="faces">
            <Face url={picture} name={name} />
            {person && <Face url={person.avatar_url} name={person.display_name ?? ''} />}
          </span>
          <span class="account-names">
            <strong class="ellipsis">{label}</strong>
            <span class="muted ellipsis">
              {actingFor === undefined
                ? new URL(pagesUrl).host
                : person && t('as {name}', { name: accountTitle(person) })}
            </span>
          </span>
          <Icon path={ICON_PATHS.more} />
          <span class="visually-hidden">{t('Account')}</span>
        </>
      }
    >
      {() => (
        <>
          {isOn('keepers') && <AccountSwitcher />}
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

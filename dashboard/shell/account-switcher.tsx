import { Face } from '../components/face.tsx';
import { ICON_PATHS } from '../components/icon-paths.ts';
import { Icon } from '../components/icon.tsx';
import { useAsync } from '../components/use-async.ts';
import {
  accountTitle,
  handleOf,
  isActing,
  keptAccounts,
  type KeptAccount,
  loadKeptAccounts,
} from '../kept-accounts.ts';
import { dashboardHref, pathFor } from '../router.ts';
import { t } from '../translate.ts';

/** Links to other documents. Without other accounts there is nothing to choose. */
export function AccountSwitcher() {
  const invitations = useAsync(loadKeptAccounts).value?.invitations ?? [];
  const accounts = keptAccounts.value ?? [];
  return (
    <>
      {accounts.length > 1 &&
        accounts.map((account, index) => (
          <AccountLink
            key={account.id}
            account={account}
            href={index === 0 ? '/dashboard/' : pathFor(account.id)}
          />
        ))}
      {invitations.length > 0 && (
        <a class="button menu-item" href="/dashboard/keep">
          <Icon path={ICON_PATHS.user} />
          {t('{count, plural, one {# invitation} other {# invitations}}', {
            count: invitations.length,
          })}
        </a>
      )}
    </>
  );
}

function AccountLink({ account, href }: { account: KeptAccount; href: string }) {
  const isCurrent = isActing(account);
  return (
    <a
      class="button menu-item account-link"
      href={isCurrent ? dashboardHref('') : href}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <Face url={account.avatar_url} name={account.display_name ?? ''} />
      <span class="account-names">
        <strong class="ellipsis">{accountTitle(account)}</strong>
        {account.page_title !== null && <span class="muted ellipsis">{handleOf(account)}</span>}
      </span>
      {isCurrent && <Icon path={ICON_PATHS.check} />}
    </a>
  );
}

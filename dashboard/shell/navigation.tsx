import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../api/api.ts';
import { ICON_PATHS } from '../components/icon-paths.ts';
import { Icon } from '../components/icon.tsx';
import { Logo } from '../components/logo.tsx';
import { useAsync } from '../components/use-async.ts';
import { loadCurrentAccount, toDo } from '../current-account.ts';
import { displayName, loadDisplayName } from '../display-name.ts';
import { pageDraft } from '../draft-storage.ts';
import { instanceName } from '../instance.ts';
import { loadKeptAccounts } from '../kept-accounts.ts';
import { actingFor, dashboardHref, currentPath, navigationCount } from '../router.ts';
import { accountKey, signInCount } from '../session.ts';
import { readStored, store } from '../storage.ts';
import { t } from '../translate.ts';
import { AccountMenu } from './account-menu.tsx';
import {
  findScreen,
  listScreenGroups,
  parentPath,
  type ScreenGroup,
  toDoPath,
} from './screen-groups.ts';
import type { Screen } from './screen.ts';

/** Sidebar, or a tab bar at the bottom of narrow screens. */
export function Navigation() {
  const isOpen = useSignal(false);
  const navigations = navigationCount.value;
  useEffect(() => {
    isOpen.value = false;
  }, [navigations, isOpen]);
  useEffect(() => {
    // Reload on every navigation, because another tab may change the name. Ignore errors.
    loadDisplayName().catch(() => undefined);
    // To-do items or the operator role may have changed.
    loadCurrentAccount().catch(() => undefined);
  }, [navigations, signInCount.value]);
  useAsync(
    async () => (actingFor === undefined ? undefined : loadKeptAccounts()),
    [signInCount.value],
  );
  // Reload after a save, which may change the picture.
  const picture = useAsync(
    async () => (await api.site.getSiteConfiguration()).site.avatar_url,
    [signInCount.value, pageDraft.hasUnsavedChanges.value],
    { keepsOldValue: true },
  );
  const groups = listScreenGroups();
  return (
    <header class="side">
      <a class="logo" href={dashboardHref('')}>
        <Logo />
        <span>{instanceName.value}</span>
      </a>
      <nav
        aria-label={t('Dashboard')}
        class={isOpen.value ? 'unfolded' : undefined}
        // A tap above the unfolded rows hits the navigation's own backdrop.
        onClick={(event) => event.target === event.currentTarget && (isOpen.value = false)}
        onKeyDown={({ key }) => key === 'Escape' && (isOpen.value = false)}
      >
        {groups.map((group) => (
          <NavigationGroup key={group.title} group={group} />
        ))}
        <button
          type="button"
          class="more"
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          <Icon path={isOpen.value ? ICON_PATHS.chevronDown : ICON_PATHS.more} />
          {isOpen.value ? t('Less') : t('More')}
          {!isOpen.value && (
            <Badge
              screens={groups.flatMap(({ screens }) => screens.filter(({ isTab }) => !isTab))}
            />
          )}
        </button>
      </nav>
      <AccountMenu name={displayName.value} picture={picture.value} />
    </header>
  );
}

/** Wide windows show the titles of groups, which close and open them. */
function NavigationGroup({ group: { title, screens } }: { group: ScreenGroup }) {
  const storageKey = accountKey(`closed ${screens[0]!.path}`);
  const isClosed = useSignal(readStored(storageKey) !== null);
  const hasCurrent = screens.includes(findScreen(currentPath.value)!);
  useEffect(() => {
    if (hasCurrent) isClosed.value = false;
  }, [hasCurrent]);
  const toggle = () => {
    isClosed.value = !isClosed.peek();
    store(storageKey, isClosed.peek() ? '' : null);
  };
  return (
    <>
      {title && (
        <button type="button" class="group" aria-expanded={!isClosed.value} onClick={toggle}>
          <span>{title}</span>
          {isClosed.value && <Badge screens={screens} />}
          <Icon path={ICON_PATHS.chevronDown} />
        </button>
      )}
      <ul
        aria-label={title || undefined}
        class={title ? (isClosed.value ? 'nested closed' : 'nested') : undefined}
      >
        {screens
          .filter(({ parent }) => parent === undefined)
          .map((screen) => (
            <NavigationItem key={screen.path} screen={screen} />
          ))}
      </ul>
    </>
  );
}

/** What operators should see at a screen. Notices without a count are exclamation marks. */
function noticeOf({ path }: Screen): { count: number; text: string } | undefined {
  const findings = toDo.value.filter((finding) => toDoPath(finding) === path);
  if (findings.length === 0) return undefined;
  return {
    count: findings.reduce((sum, { count }) => sum + (count ?? 0), 0),
    text: findings.map(({ count, title }) => (count === null ? t('Needs you') : title)).join(', '),
  };
}

function NavigationItem({ screen }: { screen: Screen }) {
  const current = findScreen(currentPath.value);
  const isCurrent = screen === current || screen.path === parentPath(current);
  return (
    <li class={screen.isTab ? 'tab' : undefined}>
      <a
        href={dashboardHref(screen.path)}
        aria-current={isCurrent ? 'page' : undefined}
        aria-description={noticeOf(screen)?.text}
      >
        <Icon path={screen.icon!} />
        <span>{screen.title}</span>
        {screen.draft?.hasUnsavedChanges.value && (
          <span class="dot">
            <span class="visually-hidden"> {t('(unsaved changes)')}</span>
          </span>
        )}
        <Badge screens={[screen]} />
      </a>
    </li>
  );
}

/** Sums the notices of the screens. */
function Badge({ screens }: { screens: readonly Screen[] }) {
  const notices = screens.map(noticeOf).filter((notice) => notice !== undefined);
  if (notices.length === 0) return null;
  const total = notices.reduce((sum, { count }) => sum + count, 0);
  return (
    <span class="notice-badge" aria-hidden="true">
      {total === 0 ? '!' : total > 99 ? '99+' : total}
    </span>
  );
}

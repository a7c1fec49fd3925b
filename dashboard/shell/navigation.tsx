import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { parseStoredPicture, picturePath } from '#contract/pictures.ts';
import { api } from '../api/api.ts';
import { displayName, loadDisplayName } from '../display-name.ts';
import { isPageUnsaved } from '../kept-draft.ts';
import { Icon } from '../parts/icon.tsx';
import { LINES } from '../parts/icon-lines.ts';
import { Logo } from '../parts/logo.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { isOperator, loadOperatorRights, openReports } from '../operator-rights.ts';
import { isShown, type Screen, screenGroups, screenOf } from '../screens/screens.ts';
import { signIns } from '../session.ts';
import { addressOf, place, visits } from '../router.ts';
import { AccountMenu } from './account-menu.tsx';
import { Search } from './search.tsx';

/** Leads to every screen: at the side, or where there is little room by tabs at the lower edge. */
export function Navigation() {
  const isOpen = useSignal(false);
  const visit = visits.value;
  useEffect(() => {
    isOpen.value = false;
  }, [visit, isOpen]);
  useEffect(() => {
    // Without an answer the last one stays.
    loadDisplayName().catch(() => undefined);
  }, [visit]);
  useLoaded(loadOperatorRights, [signIns.value]);
  // Reload after a save, which may change the picture.
  const picture = useLoaded(async () => {
    const { avatar_url: address } = (await api.site.getSiteConfiguration()).site;
    const own = parseStoredPicture(address);
    // From this host, also while the page is hidden.
    return own ? picturePath(own.id, 96) : address;
  }, [signIns.value, isPageUnsaved.value]);
  const groups = screenGroups
    .map(({ title, screens }) => ({
      title,
      screens: screens.filter((screen) => isShown(screen, isOperator.value)),
    }))
    .filter(({ screens }) => screens.length > 0);
  return (
    <header class="side">
      <a class="logo" href={addressOf('')}>
        <Logo />
        Nameplate
      </a>
      <Search />
      <nav aria-label="Dashboard" class={isOpen.value ? 'unfolded' : undefined}>
        {groups.map(({ title, screens }) => (
          <Fragment key={title}>
            {title && <p aria-hidden="true">{title}</p>}
            <ul aria-label={title || undefined}>
              {screens.map((screen) => (
                <Tab key={screen.place} screen={screen} />
              ))}
            </ul>
          </Fragment>
        ))}
        <button
          type="button"
          class="more"
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          <Icon lines={isOpen.value ? LINES.down : LINES.dots} />
          {isOpen.value ? 'Less' : 'More'}
        </button>
      </nav>
      <AccountMenu name={displayName.value} picture={picture.value} />
    </header>
  );
}

function Tab({ screen }: { screen: Screen }) {
  const reports = screen.place === 'operator' ? openReports.value : 0;
  return (
    <li class={screen.isTab ? 'tab' : undefined}>
      <a
        href={addressOf(screen.place)}
        aria-current={screen === screenOf(place.value) ? 'page' : undefined}
        aria-description={
          reports > 0 ? `${reports} open ${reports === 1 ? 'report' : 'reports'}` : undefined
        }
      >
        <Icon lines={screen.icon} />
        {screen.title}
        {screen.place === 'page' && isPageUnsaved.value && (
          <span class="dot">
            <span class="unseen"> (unsaved changes)</span>
          </span>
        )}
        {reports > 0 && (
          <span class="open-reports" aria-hidden="true">
            {reports > 99 ? '99+' : reports}
          </span>
        )}
      </a>
    </li>
  );
}

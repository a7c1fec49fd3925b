import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { displayName, loadDisplayName } from '../display-name.ts';
import { isPageUnsaved } from '../kept-draft.ts';
import { Icon } from '../parts/icon.tsx';
import { showing } from '../parts/messages.tsx';
import { screenOf, screens } from '../screens/screens.ts';
import { addressOf, place, visits } from '../router.ts';
import { signOut } from '../session.ts';

/** Leads to every page; where there is little room, it is behind a button. */
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
  const name = displayName.value;
  const current = screenOf(place.value);
  return (
    <header class="side">
      <a class="sign" href={addressOf('')}>
        <Icon lines="M1 4h14v8H1zM4 7h8M4 9.5h5" />
        Nameplate
      </a>
      <button
        type="button"
        class="menu"
        aria-expanded={isOpen.value}
        aria-controls="navigation"
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        <Icon lines="M2 4h12M2 8h12M2 12h12" />
        Menu
      </button>
      <div id="navigation" class={isOpen.value ? 'open' : undefined}>
        <nav aria-label="Dashboard">
          <ul>
            {screens.map((page) => (
              <li key={page.place}>
                <a
                  href={addressOf(page.place)}
                  aria-current={page === current ? 'page' : undefined}
                >
                  <Icon lines={page.icon} />
                  {page.title}
                  {page.place === 'page' && isPageUnsaved.value && (
                    <span class="dot">
                      <span class="unseen"> (unsaved changes)</span>
                    </span>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="who">
          <span class="name">{name === undefined ? '' : name ? `@${name}` : 'No name yet'}</span>
          <a href="/docs/">API reference</a>
          <button type="button" class="link" onClick={() => void showing(signOut())}>
            Sign out
          </button>
        </div>
      </div>
    </header>
  );
}

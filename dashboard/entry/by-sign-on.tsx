import { Icon } from '../parts/icon.tsx';
import { LINES } from '../parts/icon-lines.ts';
import { addressOf, place, query } from '../router.ts';
import { account } from '../session.ts';
import { ENTRIES } from './entries.ts';

/** Signs in at the operator's provider. Whoever is signed in does it in a tab of its own: what they typed stays. */
export function BySignOn({ provider }: { provider: string }) {
  const isAgain = account.value !== undefined;
  const search = query.value.toString();
  const to = ENTRIES.has(place.value) ? '' : place.value + (search && `?${search}`);
  return (
    <div class="actions">
      <a
        class="button primary"
        href={addressOf(`sign-on?${new URLSearchParams(isAgain ? { for: 'again' } : { to })}`)}
        // Any target keeps the router from taking it for a screen.
        target={isAgain ? '_blank' : '_self'}
      >
        <Icon lines={LINES.user} />
        Sign in with {provider}
      </a>
    </div>
  );
}

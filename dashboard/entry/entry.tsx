import { useEffect } from 'preact/hooks';
import { fragment, go, place } from '../router.ts';
import { account, wasDeleted } from '../session.ts';
import { ByKey } from './by-key.tsx';
import { ByLink } from './by-link.tsx';
import { ENTRIES } from './entries.ts';
import { EntryCard } from './entry-card.tsx';
import { Invitation } from './invitation.tsx';
import { Ways } from './ways.tsx';

const TOKEN = /^[\w-]{20,200}$/;

/** How one gets in: by a link that holds a token in its fragment, or without one. */
export function Entry() {
  const isLink = ENTRIES.has(place.value);
  const token = isLink && TOKEN.test(fragment.value) ? fragment.value : undefined;
  const signedIn = account.value;
  useEffect(() => {
    if (signedIn && isLink && !token) go('', { replace: true });
  }, [signedIn, isLink, token]);
  if (token && place.value === 'invitation') return <Invitation token={token} />;
  return (
    <EntryCard
      title="Sign in to Nameplate"
      about={
        <>
          You are at <strong>{location.host}</strong>. Public pages (<code>/@…</code>) never ask you
          to sign in.
        </>
      }
    >
      {wasDeleted && (
        <p role="status" class="strong">
          Your account and everything in it has been deleted.
        </p>
      )}
      {token ? (
        <>
          <ByLink token={token} />
          <details>
            <summary>Use an API key instead</summary>
            <ByKey />
          </details>
        </>
      ) : (
        <>
          <Ways />
          <p class="hint">
            None of these at hand? Ask whoever runs this server for a login link:{' '}
            <code>npx nameplate login</code>.
          </p>
        </>
      )}
    </EntryCard>
  );
}

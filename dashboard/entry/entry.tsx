import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { fragment, go, place } from '../router.ts';
import { account, isOnServer, isRegistrationOpen, mailsLinks, wasDeleted } from '../session.ts';
import { ByKey } from './by-key.tsx';
import { ByLink } from './by-link.tsx';
import { ENTRIES } from './entries.ts';
import { EntryCard } from './entry-card.tsx';
import { Invitation } from './invitation.tsx';
import { Registration } from './registration.tsx';
import { Ways } from './ways.tsx';

const TOKEN = /^[\w-]{20,200}$/;

/** How one gets in: by a link that holds a token in its fragment, or without one. */
export function Entry() {
  const isLink = ENTRIES.has(place.value);
  // A registration's link has the name that was asked for behind its token.
  const [first = '', wanted = ''] = fragment.value.split('/');
  const token = isLink && TOKEN.test(first) ? first : undefined;
  const isOver = useSignal(false);
  const signedIn = account.value;
  useEffect(() => {
    if (signedIn && isLink && !token) go('', { replace: true });
  }, [signedIn, isLink, token]);
  if (token && place.value === 'invitation') return <Invitation token={token} />;
  if (token && place.value === 'registration')
    return <Registration token={token} wanted={wanted} />;
  return (
    <EntryCard
      title="Sign in to Nameplate"
      about={mailsLinks && !token && 'Enter your email address and we send you a link.'}
      below={(!token || isOver.value) && <Below />}
    >
      {wasDeleted && (
        <p role="status" class="strong">
          Your account and everything in it has been deleted.
        </p>
      )}
      {token && !isOver.value ? (
        <>
          <ByLink token={token} onRefused={() => (isOver.value = true)} />
          <details>
            <summary>Use an API key instead</summary>
            <ByKey />
          </details>
        </>
      ) : (
        <>
          {isOver.value && (
            <p class="panel bad" role="alert">
              <strong>This link no longer works.</strong> It was used, has expired, or is not
              complete. Get a new one, or sign in another way.
            </p>
          )}
          <Ways />
        </>
      )}
    </EntryCard>
  );
}

function Below() {
  return (
    <>
      {isRegistrationOpen && (
        <p>
          No name yet? <a href="/">Claim your name</a>
        </p>
      )}
      <p class="hint">
        {isOnServer ? (
          <>
            No way in? Create a login link on this machine: <code>npx nameplate login</code>
          </>
        ) : (
          'No way in? Ask your administrator for a login link.'
        )}
      </p>
    </>
  );
}

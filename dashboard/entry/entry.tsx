import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { fragment, go, place } from '../router.ts';
import {
  account,
  isOnServer,
  isRegistrationOpen,
  mailsLinks,
  signInByLink,
  wasDeleted,
} from '../session.ts';
import { ByKey } from './by-key.tsx';
import { ENTRIES } from './entries.ts';
import { EntryCard } from './entry-card.tsx';
import { Invitation } from './invitation.tsx';
import { Registration } from './registration.tsx';
import { Ways } from './ways.tsx';
import { APIError } from '../../client/src/errors.ts';
import { Form } from '../parts/form.tsx';

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

/** Only the button uses up the link: programs that prefetch links do not. */
function ByLink({ token, onRefused }: { token: string; onRefused: () => void }) {
  const signIn = async () => {
    try {
      await signInByLink(token);
    } catch (error) {
      if (!(error instanceof APIError && error.code === 'loginFailed')) throw error;
      onRefused();
    }
  };
  return (
    <Form fields={[]} submit="Sign in" onSubmit={signIn}>
      <p>This link signs you in once, on this browser.</p>
    </Form>
  );
}

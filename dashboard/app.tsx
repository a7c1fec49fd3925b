import { signal } from '@preact/signals';
import { ENTRIES } from './entry/entries.ts';
import { Entry } from './entry/entry.tsx';
import { Confirmation } from './parts/confirm.tsx';
import { Messages } from './parts/messages.tsx';
import { place } from './router.ts';
import { account, giveUpSigningIn, signingIn } from './session.ts';
import { Navigation } from './shell/navigation.tsx';
import { Outlet } from './shell/outlet.tsx';
import { isReachable } from './api/connection.ts';
import { Dialog } from './parts/dialog.tsx';
import { LoginCommand } from './entry/login-command.tsx';
import { Ways } from './entry/ways.tsx';

/** All of the dashboard: whoever is not signed in gets in first, wherever their link leads. */
export function App() {
  return (
    <>
      <Offline />
      {account.value === undefined || ENTRIES.has(place.value) ? <Entry /> : <Inside />}
      <SignInAgain />
      <Messages />
      <Confirmation />
    </>
  );
}

function Inside() {
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Navigation />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

const isOffline = signal(!navigator.onLine);
addEventListener('online', () => (isOffline.value = false));
addEventListener('offline', () => (isOffline.value = true));

function Offline() {
  const what = isOffline.value ? 'You are offline.' : 'The server cannot be reached.';
  return (
    <div role="status">
      {(isOffline.value || !isReachable.value) && (
        <p class="banner">{what} What you type stays here; save it when the connection is back.</p>
      )}
    </div>
  );
}

const SIGN_IN_REASONS = {
  ended: 'Your session has ended. Nothing you typed is lost: sign in to continue.',
  proof:
    'Your last login was more than an hour ago. Sign in again to continue, so that nobody else can do this in a browser you left open.',
  another:
    'Somebody else signed in with this browser. Sign in as before to keep your unsaved changes, or continue without them.',
};

/** A dialog above the page, so that nothing that was typed is lost. */
function SignInAgain() {
  const why = signingIn.value;
  if (!why) return null;
  return (
    <Dialog key={why} title="Sign in again" onCancel={giveUpSigningIn}>
      <p>{SIGN_IN_REASONS[why]}</p>
      <Ways />
      <LoginCommand />
      <div class="actions">
        <button type="button" onClick={giveUpSigningIn}>
          {why === 'another' ? 'Continue without them' : 'Cancel'}
        </button>
      </div>
    </Dialog>
  );
}

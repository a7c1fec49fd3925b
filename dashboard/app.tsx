import { ENTRIES } from './entry/entries.ts';
import { Entry } from './entry/entry.tsx';
import { SignInAgain } from './entry/sign-in-again.tsx';
import { Confirmation } from './parts/confirm.tsx';
import { Messages } from './parts/messages.tsx';
import { place } from './router.ts';
import { account } from './session.ts';
import { Navigation } from './shell/navigation.tsx';
import { Offline } from './shell/offline.tsx';
import { Outlet } from './shell/outlet.tsx';

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

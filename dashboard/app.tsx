import { Entry } from './entry/entry.tsx';
import { SignInAgain } from './entry/sign-in-again.tsx';
import { Messages } from './parts/messages.tsx';
import { Confirmation } from './parts/confirm.tsx';
import { Failure, Loading } from './parts/states.tsx';
import { useLoaded } from './parts/use-loaded.ts';
import { place } from './router.ts';
import { recognise, session } from './session.ts';
import { Navigation } from './shell/navigation.tsx';
import { Offline } from './shell/offline.tsx';
import { Outlet } from './shell/outlet.tsx';

/** All of the dashboard: whoever is not signed in gets in first, wherever their link leads. */
export function App() {
  const known = useLoaded(recognise);
  return (
    <>
      <Offline />
      {session.value === undefined ? (
        known.failure ? (
          <Failure of={known} />
        ) : (
          <Loading />
        )
      ) : session.value === null || place.value === 'login' ? (
        <Entry />
      ) : (
        <Inside />
      )}
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
      <SignInAgain />
    </div>
  );
}

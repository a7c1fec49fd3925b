import { isOffline, isOtherVersion, isReachable } from './api/connection.ts';
import { Dialog, OpenDialogs } from './components/dialog.tsx';
import { Announcements, Messages } from './components/messages.tsx';
import { reloadWithDrafts } from './draft-storage.ts';
import { currentPath } from './router.ts';
import { currentAccountId, cancelSignIn, signInReason } from './session.ts';
import { Navigation } from './shell/navigation.tsx';
import { Outlet } from './shell/outlet.tsx';
import { LoginLinkHelp } from './sign-in/login-link-help.tsx';
import { SignInMethods } from './sign-in/sign-in-methods.tsx';
import { SIGN_IN_PATHS } from './sign-in/sign-in-paths.ts';
import { SignInScreen } from './sign-in/sign-in-screen.tsx';
import { t } from './translate.ts';

export function App() {
  return (
    <>
      <OfflineBanner />
      <OtherVersionBanner />
      {currentAccountId.value === undefined || SIGN_IN_PATHS.has(currentPath.value) ? (
        <SignInScreen />
      ) : (
        <Shell />
      )}
      <Announcements />
      <Messages />
      <SignInDialog />
      <OpenDialogs />
    </>
  );
}

function Shell() {
  return (
    <div class="frame">
      <a class="skip" href="#main">
        {t('Skip to the content')}
      </a>
      <Navigation />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

function OfflineBanner() {
  return (
    <div role="status">
      {(isOffline.value || !isReachable.value) && (
        <p class="banner">
          {isOffline.value ? t('You are offline.') : t('The server cannot be reached.')}{' '}
          {t('What you type stays in this tab. Save it when you are back online.')}
        </p>
      )}
    </div>
  );
}

function OtherVersionBanner() {
  return (
    <div role="status">
      {isOtherVersion.value && (
        <p class="banner news">
          {t('The server has another version now. Your unsaved changes are kept.')}{' '}
          <button type="button" onClick={reloadWithDrafts}>
            {t('Reload')}
          </button>
        </p>
      )}
    </div>
  );
}

const SIGN_IN_MESSAGES = {
  sessionEnded: t('Your session has ended. Sign in to continue. What you typed is kept.'),
  loginTooOld: t(
    'For your security, sign in again to continue. This needs a login within the last hour.',
  ),
  otherAccount: t(
    'This browser is now signed in to another account. Sign in to the first one to keep your unsaved changes, or continue without them.',
  ),
};

/** Asks in a dialog instead of redirecting, so that unsaved input is kept. */
function SignInDialog() {
  const reason = signInReason.value;
  if (!reason) return null;
  return (
    <Dialog key={reason} title={t('Sign in again')} onCancel={cancelSignIn}>
      <p>{SIGN_IN_MESSAGES[reason]}</p>
      <SignInMethods />
      <LoginLinkHelp />
      <div class="actions">
        <button type="button" onClick={cancelSignIn}>
          {reason === 'otherAccount' ? t('Continue without them') : t('Cancel')}
        </button>
      </div>
    </Dialog>
  );
}

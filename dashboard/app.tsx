import { isNotKept, isOffline, isOtherVersion, isReachable } from './api/connection.ts';
import { CopyButton } from './components/copy-button.tsx';
import { Dialog, OpenDialogs } from './components/dialog.tsx';
import { Announcements, Messages } from './components/messages.tsx';
import { pageDraft, reloadWithDrafts } from './draft-storage.ts';
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
      {isNotKept.value && <NotKeptBanner />}
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
      <main id="main" tabIndex={-1} inert={isNotKept.value}>
        <Outlet />
      </main>
    </div>
  );
}

/** What was typed can still be copied. */
function NotKeptBanner() {
  const draft = pageDraft.hasUnsavedChanges.value ? pageDraft.read() : undefined;
  return (
    <div role="alert">
      <p class="banner">
        {t('You do not keep this account, or no longer.')}{' '}
        {draft !== undefined && (
          <>
            {t('Your change was not saved.')}{' '}
            <CopyButton text={JSON.stringify(draft, null, 2)} label={t('Copy my change')} />{' '}
          </>
        )}
        <a class="button" href="/dashboard/">
          {t('Go to your own account')}
        </a>
      </p>
    </div>
  );
}

function OfflineBanner() {
  return (
    <div role="status">
      {(isOffline.value || !isReachable.value) && (
        <p class="banner">
          {isOffline.value ? t('You are offline.') : t('The server cannot be reached.')}{' '}
          {t('Your changes stay in this tab. Save them once you are online again.')}
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

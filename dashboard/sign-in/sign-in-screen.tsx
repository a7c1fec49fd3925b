import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { APIError } from '#client/errors.ts';
import { instanceLinks } from '#contract/shared/instance.ts';
import { Failure, Loading } from '../components/async-content.tsx';
import { Form } from '../components/form.tsx';
import { useAsync } from '../components/use-async.ts';
import { instance, instanceName } from '../instance.ts';
import { fragment, navigate, currentPath } from '../router.ts';
import {
  currentAccountId,
  isSignUpOpen,
  requestedScreen,
  signInWithLink,
  takesApplications,
  wasAccountDeleted,
} from '../session.ts';
import { throwLoadError } from '../shell/outlet.tsx';
import { t } from '../translate.ts';
import { SignInCard } from './sign-in-card.tsx';
import { SignInMethods } from './sign-in-methods.tsx';
import { SIGN_IN_PATHS } from './sign-in-paths.ts';
import { type MailedLink, SignUp } from './sign-up.tsx';

const TOKEN_PATTERN = /^[\w-]{20,200}$/;

/** By path. Each is opened once at most. */
const RARE_SCREENS: Readonly<Record<string, () => Promise<ComponentType<MailedLink>>>> = {
  invitation: async () => (await import('./invitation.tsx')).Invitation,
  application: async () => (await import('./application.tsx')).Application,
  withdrawal: async () => (await import('./application.tsx')).ApplicationStatus,
};

/** Mailed links carry their token in the URL fragment. */
export function SignInScreen() {
  const isSignInPath = SIGN_IN_PATHS.has(currentPath.value);
  // The fragment is `token/name`. A login link of an account without a name has no name.
  const [possibleToken = '', initialName = ''] = fragment.value.split('/');
  const token = isSignInPath && TOKEN_PATTERN.test(possibleToken) ? possibleToken : undefined;
  const isLinkRefused = useSignal(false);
  const isLinkInvalid = isLinkRefused.value || (isSignInPath && fragment.value !== '' && !token);
  const accountId = currentAccountId.value;
  useEffect(() => {
    if (accountId && isSignInPath && !token) navigate(requestedScreen(), { replace: true });
  }, [accountId, isSignInPath, token]);
  const load = RARE_SCREENS[currentPath.value];
  if (load) return <RareScreen key={token} load={load} token={token} initialName={initialName} />;
  if (currentPath.value === 'registration')
    return <SignUp key={token} token={token} initialName={initialName} />;
  return (
    <SignInCard
      title={t('Sign in to {instance}', { instance: instanceName.value })}
      subtitle={token && !isLinkInvalid ? describeLink(initialName) : undefined}
      footer={(!token || isLinkInvalid) && <SignInHelp />}
    >
      {wasAccountDeleted && (
        <p role="status" class="strong">
          {t('Your account and everything in it has been deleted.')}
        </p>
      )}
      {token && !isLinkInvalid ? (
        <LoginLinkButton token={token} onRefused={() => (isLinkRefused.value = true)} />
      ) : (
        <>
          {isLinkInvalid && (
            <p class="panel bad" role="alert">
              {t.rich(
                '<strong>This link no longer works.</strong> It was used, has expired, or is incomplete. Get a new one, or sign in another way.',
                { strong: (children) => <strong>{children}</strong> },
              )}
            </p>
          )}
          <SignInMethods />
        </>
      )}
    </SignInCard>
  );
}

function RareScreen({
  load,
  ...link
}: MailedLink & { load: () => Promise<ComponentType<MailedLink>> }) {
  const screen = useAsync(() => load().catch(throwLoadError), [load]);
  const Screen = screen.value;
  if (Screen) return <Screen {...link} />;
  return (
    <main class="single-card">
      {screen.failure === undefined ? <Loading /> : <Failure state={screen} />}
    </main>
  );
}

function SignInHelp() {
  const contact = instanceLinks(instance.value, t).find(({ name }) => name === 'contact');
  return (
    <>
      {takesApplications && (
        <p>
          {t.rich('Not a member yet? <link>Ask to join</link>', {
            link: (children) => <a href="/">{children}</a>,
          })}
        </p>
      )}
      {isSignUpOpen && (
        <p>
          {t.rich('No name yet? <link>Claim your name</link>', {
            link: (children) => <a href="/">{children}</a>,
          })}
        </p>
      )}
      <p class="hint">
        {contact
          ? t.rich('Cannot sign in? <link>Write to the operators</link>.', {
              link: (children) => <a href={contact.url}>{children}</a>,
            })
          : t('Cannot sign in? Ask the operators for a login link.')}
      </p>
    </>
  );
}

/** Uses the link only when the button is clicked, because mail programs prefetch links. */
function LoginLinkButton({ token, onRefused }: { token: string; onRefused: () => void }) {
  const signIn = async () => {
    try {
      await signInWithLink(token);
    } catch (error) {
      if (!(error instanceof APIError && error.code === 'loginFailed')) throw error;
      onRefused();
    }
  };
  return <Form fields={[]} submitLabel={t('Sign in')} onSubmit={signIn} />;
}

function describeLink(name: string): string {
  return /^[a-z\d-]+$/.test(name)
    ? t('This link signs you in as {name} once, on this browser.', { name: `@${name}` })
    : t('This link signs you in once, on this browser.');
}

import { useSignal } from '@preact/signals';
import { NameplateError } from '#client/errors.ts';
import { unauthenticatedOwner } from '../api/api.ts';
import { canUsePasskeys } from '../api/passkeys.ts';
import { EmailField } from '../components/email-field.tsx';
import { Form } from '../components/form.tsx';
import { ICON_PATHS } from '../components/icon-paths.ts';
import { Icon } from '../components/icon.tsx';
import { withErrorMessage } from '../components/messages.tsx';
import {
  currentAccountId,
  canMailLoginLinks,
  isLocalhost,
  keepRequestedScreen,
  requestedScreen,
  signInWithPasskey,
  ssoProvider,
} from '../session.ts';
import { t } from '../translate.ts';
import { ApiKeyForm } from './api-key-form.tsx';

export function SignInMethods() {
  const isMailOrKeyFirst = !canUsePasskeys && ssoProvider === undefined;
  // The dialog that asks for another login has a command of its own.
  const hasCommand = isLocalhost && currentAccountId.value === undefined;
  return (
    <>
      {ssoProvider !== undefined && <SsoButton provider={ssoProvider} />}
      {canUsePasskeys && <PasskeyButton isPrimary={ssoProvider === undefined} />}
      {!isMailOrKeyFirst && canMailLoginLinks && <p class="or-divider">{t('or')}</p>}
      {canMailLoginLinks && <LoginLinkForm isPrimary={isMailOrKeyFirst} />}
      {canMailLoginLinks || !isMailOrKeyFirst ? (
        <details>
          <summary>{t('Other ways')}</summary>
          <ApiKeyForm />
          {hasCommand && <CommandHelp />}
        </details>
      ) : (
        <>
          <ApiKeyForm isPrimary />
          {hasCommand && (
            <details>
              <summary>{t('Other ways')}</summary>
              <CommandHelp />
            </details>
          )}
        </>
      )}
    </>
  );
}

/** For those who run the server on this machine. */
function CommandHelp() {
  return (
    <>
      <h2>{t('I run this server')}</h2>
      <p class="hint">{t('Run this in the folder of Nameplate. It prints a login link.')}</p>
      <p class="code">
        <code>npx nameplate login</code>
      </p>
    </>
  );
}

function PasskeyButton({ isPrimary }: { isPrimary: boolean }) {
  return (
    <div class="actions">
      <button
        type="button"
        class={isPrimary ? 'primary' : 'login-method'}
        onClick={() => void withErrorMessage(signInWithPasskey())}
      >
        <Icon path={ICON_PATHS.passkey} />
        {t('Sign in with a passkey')}
      </button>
      <p class="hint">{t('With your fingerprint, face or phone. No password.')}</p>
    </div>
  );
}

/** If the user is signed in, the provider opens in a new tab, so that unsaved input is kept. */
function SsoButton({ provider }: { provider: string }) {
  const isSignedIn = currentAccountId.value !== undefined;
  const screen = requestedScreen().replace(/^\/dashboard\//, '');
  return (
    <div class="actions">
      <a
        class="button primary"
        href={`/dashboard/sign-on?${new URLSearchParams(isSignedIn ? { for: 'again' } : { to: screen })}`}
        // The router ignores links with a target.
        target={isSignedIn ? '_blank' : '_self'}
      >
        <Icon path={ICON_PATHS.user} />
        {t('Sign in with {provider}', { provider })}
      </a>
    </div>
  );
}

/** The response is the same for unknown addresses. */
function LoginLinkForm({ isPrimary }: { isPrimary: boolean }) {
  const email = useSignal('');
  const sentTo = useSignal('');
  return (
    <>
      <Form
        fields={['email']}
        submitLabel={t('Email me a link')}
        isPrimary={isPrimary}
        onSubmit={async () => {
          sentTo.value = '';
          const address = email.value.trim();
          if (!/.@./.test(address))
            throw new NameplateError(t('Enter an email address, such as jane@example.com.'));
          await unauthenticatedOwner.sessions.sendLoginLink({ email: address });
          keepRequestedScreen();
          sentTo.value = address;
        }}
      >
        <EmailField signal={email} hint={t('The address that you confirmed.')} />
      </Form>
      <p role="status" class={sentTo.value ? 'panel' : undefined}>
        {sentTo.value &&
          t(
            'If {address} belongs to an account, we sent a link to its inbox. It works once, within 10 minutes. You get at most five in an hour.',
            { address: sentTo.value },
          )}
      </p>
    </>
  );
}

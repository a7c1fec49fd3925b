import { useSignal } from '@preact/signals';
import { APIError } from '#client/errors.ts';
import { unauthenticatedOwner } from '../api/api.ts';
import { Form } from '../components/form.tsx';
import { Consent } from '../components/instance-links.tsx';
import { NameField, NamePlate, claimLabel, useNameCheck } from '../components/name-field.tsx';
import { createAccount, isSignUpOpen, takesApplications } from '../session.ts';
import { t } from '../translate.ts';
import { SignInCard } from './sign-in-card.tsx';

/**
 * Creates an account from a mailed sign-up link. The user can change a name that is now taken. The
 * token is undefined if the link is malformed.
 */
export function SignUp({ token, initialName }: { token: string | undefined; initialName: string }) {
  const name = useSignal(initialName);
  const nameCheck = useNameCheck(name, (input) =>
    unauthenticatedOwner.account.checkRegistration({ ...input, registration_url: token }),
  );
  const isLinkInvalid = useSignal(token === undefined);
  const create = async () => {
    try {
      await createAccount(token!, name.value.trim());
    } catch (error) {
      if (!(error instanceof APIError && error.code === 'registrationInvalid')) throw error;
      isLinkInvalid.value = true;
    }
  };
  if (isLinkInvalid.value) return <InvalidLink />;
  return (
    <SignInCard
      title={t('Create your account')}
      plate={<NamePlate input={name.value} nameCheck={nameCheck} />}
      subtitle={t('Your email address is confirmed. You can still change the name.')}
    >
      <Form
        fields={['display_name']}
        submitLabel={claimLabel(nameCheck) ?? t('Create account')}
        onSubmit={create}
      >
        <NameField
          signal={name}
          nameCheck={nameCheck}
          hint={t('At least three letters, digits or hyphens. You can change it later.')}
        />
        <Consent />
      </Form>
      <p class="hint">{t('Next time, sign in with a link by email or with a passkey.')}</p>
    </SignInCard>
  );
}

export function InvalidLink() {
  return (
    <SignInCard
      title={t('This link is no longer valid')}
      subtitle={
        isSignUpOpen || takesApplications
          ? t('It was used, has expired, or is not complete.')
          : t(
              'It was used, has expired, or is not complete. Open your invitation again to get a new one.',
            )
      }
      footer={
        <p>
          {t.rich('Have an account? <link>Sign in</link>', {
            link: (children) => <a href="/dashboard/login">{children}</a>,
          })}
        </p>
      }
    >
      {(isSignUpOpen || takesApplications) && (
        <div class="actions">
          <a class="button primary" href="/">
            {takesApplications ? t('Ask to join') : t('Claim a name')}
          </a>
        </div>
      )}
    </SignInCard>
  );
}

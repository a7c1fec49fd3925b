import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { APIError } from '#client/errors.ts';
import { unauthenticatedOwner } from '../api/api.ts';
import { Form } from '../components/form.tsx';
import { Consent } from '../components/instance-links.tsx';
import { NameField, NamePlate, claimLabel, useNameCheck } from '../components/name-field.tsx';
import { createAccount, isSignUpOpen, takesApplications } from '../session.ts';
import { t } from '../translate.ts';
import { SignInCard } from './sign-in-card.tsx';

export interface MailedLink {
  /** Undefined if the link is malformed. */
  token: string | undefined;
  initialName: string;
}

/** Creates an account from a mailed sign-up link. */
export function SignUp(link: MailedLink) {
  return (
    <ConfirmedName
      {...link}
      title={t('Create your account')}
      submitLabel={(nameCheck) => claimLabel(nameCheck) ?? t('Create account')}
      onSubmit={createAccount}
    >
      <p class="hint">{t('Next time, sign in with a link by email or with a passkey.')}</p>
    </ConfirmedName>
  );
}

/** For a person with a mailed link, who can change a name that is now taken. */
export function ConfirmedName({
  token,
  initialName,
  title,
  submitLabel,
  onSubmit,
  children,
}: MailedLink & {
  title: string;
  submitLabel: (nameCheck: ReturnType<typeof useNameCheck>) => string;
  onSubmit: (token: string, name: string) => Promise<void>;
  children?: ComponentChildren;
}) {
  const name = useSignal(initialName);
  const isLinkInvalid = useSignal(token === undefined);
  const noticeInvalidLink = (error: unknown) => {
    if (!(error instanceof APIError && error.code === 'registrationInvalid')) throw error;
    isLinkInvalid.value = true;
    return undefined;
  };
  const nameCheck = useNameCheck(name, (input) =>
    unauthenticatedOwner.account
      .checkRegistration({ ...input, registration_url: token })
      .catch(noticeInvalidLink),
  );
  const submit = () => onSubmit(token!, name.value.trim()).catch(noticeInvalidLink);
  if (isLinkInvalid.value) return <InvalidLink />;
  return (
    <SignInCard
      title={title}
      plate={<NamePlate input={name.value} nameCheck={nameCheck} />}
      subtitle={t('Your email address is confirmed. You can still change the name.')}
    >
      <Form fields={['display_name']} submitLabel={submitLabel(nameCheck)} onSubmit={submit}>
        <NameField
          signal={name}
          nameCheck={nameCheck}
          hint={t('At least three letters, digits or hyphens. You can change it later.')}
        />
        <Consent />
      </Form>
      {children}
    </SignInCard>
  );
}

function InvalidLink() {
  return (
    <SignInCard
      title={t('This link is no longer valid')}
      subtitle={
        takesApplications
          ? t(
              'It was used, has expired, or is not complete. If you have sent your application, the answer comes by mail.',
            )
          : isSignUpOpen
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

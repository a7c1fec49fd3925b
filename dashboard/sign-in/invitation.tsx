import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { APIError } from '#client/errors.ts';
import { type ResponseOf, unauthenticatedOwner } from '../api/api.ts';
import { Failure, Loading } from '../components/async-content.tsx';
import { EmailField } from '../components/email-field.tsx';
import { Form } from '../components/form.tsx';
import { Consent } from '../components/instance-links.tsx';
import { NameField, NamePlate, claimLabel, useNameCheck } from '../components/name-field.tsx';
import { useAsync } from '../components/use-async.ts';
import { loadDisplayName } from '../display-name.ts';
import { instanceName } from '../instance.ts';
import { acceptInvitation, canMailLoginLinks, currentAccountId, forwardsMail } from '../session.ts';
import { t } from '../translate.ts';
import { SignInCard } from './sign-in-card.tsx';

type InvitationContent = ResponseOf<typeof unauthenticatedOwner.invitations.getInvitation>;

/** By error code. */
const PROBLEMS: Readonly<Record<string, { title: string; advice: string }>> = {
  invitationExpired: {
    title: t('This invitation has expired'),
    advice: t('Ask the person who invited you for a new one.'),
  },
  invitationUsed: {
    title: t('This invitation was already used'),
    advice: t('If you used it, sign in. Otherwise, ask the person who invited you for a new one.'),
  },
  invitationInvalid: {
    title: t('This invitation does not work'),
    advice: t(
      'The link is incomplete, or the invitation was revoked or replaced. Open the link in your newest invitation mail, or ask the person who invited you for a new one.',
    ),
  },
};

/** The token is undefined if the link is malformed. */
export function Invitation({ token }: { token: string | undefined }) {
  const problem = useSignal(token === undefined ? 'invitationInvalid' : undefined);
  const content = useAsync(async () => {
    if (token === undefined) return undefined;
    try {
      return await unauthenticatedOwner.invitations.getInvitation({ invitation_url: token });
    } catch (error) {
      if (!(error instanceof APIError && PROBLEMS[error.code ?? ''])) throw error;
      problem.value = error.code;
      return undefined;
    }
  });
  if (token !== undefined && content.value)
    return <AcceptInvitation token={token} content={content.value} />;
  const shownProblem = PROBLEMS[problem.value ?? ''];
  if (shownProblem)
    return (
      <SignInCard title={shownProblem.title} subtitle={shownProblem.advice}>
        <div class="actions">
          <a class="button primary" href="/dashboard/login">
            {t('Sign in')}
          </a>
        </div>
      </SignInCard>
    );
  if (content.failure !== undefined)
    return (
      <SignInCard title={t('The invitation could not be opened')}>
        <Failure state={content} />
      </SignInCard>
    );
  // No card yet, because its height depends on the response.
  return (
    <main class="single-card">
      <Loading />
    </main>
  );
}

/**
 * A mailed link proves its address, so one press creates the account. With any other link, a server
 * that sends mail first mails a sign-up link, so that the new account has an address to log in with.
 */
function AcceptInvitation({ token, content }: { token: string; content: InvitationContent }) {
  const needsEmail = canMailLoginLinks && !content.mailed;
  const name = useSignal(content.display_name ?? '');
  const email = useSignal(content.email ?? '');
  const mailedTo = useSignal<string>();
  const nameCheck = useNameCheck(name, (input) =>
    unauthenticatedOwner.account.checkRegistration({ ...input, invitation_url: token }),
  );
  const submit = async () => {
    const display_name = name.value.trim();
    if (!needsEmail) return acceptInvitation(token, display_name || null);
    const address = email.value.trim();
    await unauthenticatedOwner.account.createRegistration({
      display_name,
      email: address,
      invitation_url: token,
    });
    mailedTo.value = address;
  };
  const plate = <NamePlate input={name.value} nameCheck={nameCheck} />;
  if (mailedTo.value !== undefined)
    return (
      <SignInCard title={t('Check your mail')} plate={plate}>
        <LinkSent
          address={mailedTo.value}
          onSendAgain={submit}
          onBack={() => (mailedTo.value = undefined)}
        />
      </SignInCard>
    );
  return (
    <SignInCard
      title={t('You are invited to {instance}', { instance: instanceName.value })}
      subtitle={promiseTo(content.name)}
      plate={plate}
    >
      <Form
        fields={needsEmail ? ['display_name', 'email'] : ['display_name']}
        submitLabel={
          needsEmail ? t('Send me the link') : (claimLabel(nameCheck) ?? t('Create account'))
        }
        onSubmit={submit}
      >
        {currentAccountId.value !== undefined && <SignedInNote />}
        <NameField
          signal={name}
          nameCheck={nameCheck}
          hint={
            needsEmail || content.mailed
              ? t('At least three letters, digits or hyphens. You can change it later.')
              : t('At least three letters, digits or hyphens. You can also choose it later.')
          }
        />
        {needsEmail && (
          <EmailField
            signal={email}
            hint={t('The link creates your account. There is no password.')}
          />
        )}
        {content.mailed && <AddressNote content={content} />}
        <Consent />
      </Form>
    </SignInCard>
  );
}

function SignedInNote() {
  const name = useAsync(loadDisplayName).value;
  return (
    <p class="panel">
      {name
        ? t('You are signed in as @{name}. This invitation creates another account.', { name })
        : t('You are signed in. This invitation creates another account.')}
    </p>
  );
}

function LinkSent({
  address,
  onSendAgain,
  onBack,
}: {
  address: string;
  onSendAgain: () => Promise<void>;
  onBack: () => void;
}) {
  return (
    <>
      <p>
        {t.rich(
          'We sent a link to <strong>{address}</strong>. It creates your account, and works once within 24 hours. If nothing arrives, check your spam folder.',
          { address, strong },
        )}
      </p>
      <Form fields={[]} submitLabel={t('Send it again')} isPrimary={false} onSubmit={onSendAgain}>
        {null}
      </Form>
      <p>
        <button type="button" class="link" onClick={onBack}>
          {t('Use another address')}
        </button>
      </p>
    </>
  );
}

const strong = (children: ComponentChildren) => <strong>{children}</strong>;

function promiseTo(name: string | null): string {
  if (forwardsMail)
    return name === null
      ? t('Get a name, a page and a mail address.')
      : t('Hello {name}! Get a name, a page and a mail address.', { name });
  return name === null
    ? t('Get a name and a page.')
    : t('Hello {name}! Get a name and a page.', { name });
}

function AddressNote({ content: { email, forward_to_email } }: { content: InvitationContent }) {
  const address = email ?? '';
  if (!forwardsMail)
    return (
      <p class="hint">
        {t.rich('You sign in with <strong>{address}</strong>, without a password.', {
          address,
          strong,
        })}
      </p>
    );
  return (
    <p class="hint">
      {forward_to_email === null
        ? t.rich(
            'You sign in with <strong>{address}</strong>, without a password. Mail to your new address is forwarded there.',
            { address, strong },
          )
        : t.rich(
            'You sign in with <strong>{address}</strong>, without a password. Mail to your new address is forwarded to <strong>{target}</strong> once you confirm it.',
            { address, target: forward_to_email, strong },
          )}
    </p>
  );
}

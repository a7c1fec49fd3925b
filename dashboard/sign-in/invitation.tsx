import { useSignal } from '@preact/signals';
import { type ResponseOf, unauthenticatedOwner } from '../api/api.ts';
import { AsyncContent } from '../components/async-content.tsx';
import { BoundField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Consent } from '../components/instance-links.tsx';
import { NameField, NamePlate, useNameCheck } from '../components/name-field.tsx';
import { instanceName } from '../instance.ts';
import { useAsync } from '../components/use-async.ts';
import { acceptInvitation, canMailLoginLinks } from '../session.ts';
import { SignInCard } from './sign-in-card.tsx';

type InvitationContent = ResponseOf<typeof unauthenticatedOwner.invitations.lookUpInvitation>;

export function Invitation({ token }: { token: string }) {
  const content = useAsync(() =>
    unauthenticatedOwner.invitations.lookUpInvitation({ invitation: token }),
  );
  if (content.value) return <AcceptInvitation token={token} content={content.value} />;
  return (
    <SignInCard
      title={
        content.failure
          ? 'This invitation does not work'
          : `You are invited to ${instanceName.value}`
      }
    >
      <AsyncContent state={content}>{() => null}</AsyncContent>
    </SignInCard>
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
    unauthenticatedOwner.registration.checkName({ ...input, invitation: token }),
  ).value;
  const submit = async () => {
    const display_name = name.value.trim();
    if (!needsEmail) return acceptInvitation(token, display_name || null);
    const address = email.value.trim();
    await unauthenticatedOwner.registration.requestAccount({
      display_name,
      email: address,
      invitation: token,
    });
    mailedTo.value = address;
  };
  if (mailedTo.value !== undefined)
    return (
      <SignInCard title="Check your mail" plate={<NamePlate nameCheck={nameCheck} />}>
        <p>
          We sent a link to <strong>{mailedTo.value}</strong>. It creates your account, and works
          once within 24 hours. If nothing arrives, check your spam folder.
        </p>
        <Form fields={[]} submitLabel="Send it again" isPrimary={false} onSubmit={submit}>
          {null}
        </Form>
        <p>
          <button type="button" class="link" onClick={() => (mailedTo.value = undefined)}>
            Use another address
          </button>
        </p>
      </SignInCard>
    );
  return (
    <SignInCard
      title={`You are invited to ${instanceName.value}`}
      subtitle={
        content.name === null
          ? 'Get a name, a page and a mail address.'
          : `Hello ${content.name}! Get a name, a page and a mail address.`
      }
      plate={<NamePlate nameCheck={nameCheck} />}
    >
      <Form
        fields={needsEmail ? ['display_name', 'email'] : ['display_name']}
        submitLabel={needsEmail ? 'Send me the link' : 'Create account'}
        onSubmit={submit}
      >
        <NameField
          signal={name}
          nameCheck={nameCheck}
          hint={
            needsEmail || content.mailed
              ? 'At least three letters, digits or hyphens. You can change it later.'
              : 'At least three letters, digits or hyphens. You can also choose it later.'
          }
        />
        {needsEmail && (
          <BoundField
            signal={email}
            type="email"
            name="email"
            label="Email address"
            autocomplete="email"
            spellcheck={false}
            placeholder="jane@example.com"
            hint="The link creates your account. There is no password."
          />
        )}
        {content.mailed && <AddressNote content={content} />}
        <Consent />
      </Form>
    </SignInCard>
  );
}

function AddressNote({ content: { email, forward_to } }: { content: InvitationContent }) {
  return (
    <p class="hint">
      You sign in with <strong>{email}</strong>, without a password. Mail to your new address is
      forwarded{' '}
      {forward_to === null ? (
        'there'
      ) : (
        <>
          to <strong>{forward_to}</strong> once you confirm it
        </>
      )}
      .
    </p>
  );
}

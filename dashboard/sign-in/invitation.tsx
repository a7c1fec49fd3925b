import { useSignal } from '@preact/signals';
import { unauthenticatedOwner } from '../api/api.ts';
import { BoundField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Consent } from '../components/instance-links.tsx';
import { NameField, NamePlate, useNameCheck } from '../components/name-field.tsx';
import { instanceName } from '../instance.ts';
import { acceptInvitation, canMailLoginLinks } from '../session.ts';
import { SignInCard } from './sign-in-card.tsx';

/**
 * Accepts an invitation. If the server can send mail, it mails a sign-up link first, so that the
 * new account has a confirmed address to log in with.
 */
export function Invitation({ token }: { token: string }) {
  const name = useSignal('');
  const email = useSignal('');
  const mailedTo = useSignal<string>();
  const nameCheck = useNameCheck(name, (input) =>
    unauthenticatedOwner.registration.checkName({ ...input, invitation: token }),
  ).value;
  const submit = async () => {
    const display_name = name.value.trim();
    if (!canMailLoginLinks) return acceptInvitation(token, display_name || null);
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
      subtitle="Get a name, a page and a mail address."
      plate={<NamePlate nameCheck={nameCheck} />}
    >
      <Form
        fields={canMailLoginLinks ? ['display_name', 'email'] : ['display_name']}
        submitLabel={canMailLoginLinks ? 'Send me the link' : 'Create account'}
        onSubmit={submit}
      >
        <NameField
          signal={name}
          nameCheck={nameCheck}
          hint={
            canMailLoginLinks
              ? 'At least three letters, digits or hyphens. You can change it later.'
              : 'At least three letters, digits or hyphens. You can also choose it later.'
          }
        />
        {canMailLoginLinks && (
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
        <Consent />
      </Form>
    </SignInCard>
  );
}

import { useSignal } from '@preact/signals';
import { login } from '../api/api.ts';
import { Bound } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { NameField, NamePlate, useNameCheck } from '../parts/name-field.tsx';
import { acceptInvitation, mailsLinks } from '../session.ts';
import { EntryCard } from './entry-card.tsx';

/**
 * Creates an account with an invitation. A server that sends mail asks for an address, and the mailed
 * link creates the account, so that its owner can always log in by mail.
 */
export function Invitation({ token }: { token: string }) {
  const name = useSignal('');
  const email = useSignal('');
  const mailed = useSignal<string>();
  const checked = useNameCheck(name, (input) =>
    login.registration.checkName({ ...input, invitation: token }),
  ).value;
  const join = async () => {
    const display_name = name.value.trim();
    if (!mailsLinks) return acceptInvitation(token, display_name || null);
    const address = email.value.trim();
    await login.registration.requestAccount({ display_name, email: address, invitation: token });
    mailed.value = address;
  };
  if (mailed.value !== undefined)
    return (
      <EntryCard title="Check your mail" plate={<NamePlate checked={checked} />}>
        <p>
          We sent a link to <strong>{mailed.value}</strong>. It creates your account, and works once
          within 24 hours. If nothing arrives, look in the spam folder.
        </p>
        <Form fields={[]} submit="Send it again" isMain={false} onSubmit={join}>
          {null}
        </Form>
        <p>
          <button type="button" class="link" onClick={() => (mailed.value = undefined)}>
            Use another address
          </button>
        </p>
      </EntryCard>
    );
  return (
    <EntryCard
      title="You are invited to Nameplate"
      about="Get a name, a page and a mail address on this server."
      plate={<NamePlate checked={checked} />}
    >
      <Form
        fields={mailsLinks ? ['display_name', 'email'] : ['display_name']}
        submit={mailsLinks ? 'Send me the link' : 'Create account'}
        onSubmit={join}
      >
        <NameField
          to={name}
          checked={checked}
          hint={
            mailsLinks
              ? 'At least three letters, digits or hyphens. You can change it later.'
              : 'At least three letters, digits or hyphens. You can also choose it later.'
          }
        />
        {mailsLinks && (
          <Bound
            to={email}
            type="email"
            name="email"
            label="Email address"
            autocomplete="email"
            spellcheck={false}
            placeholder="jane@example.com"
            hint="The link creates your account. There is no password."
          />
        )}
      </Form>
    </EntryCard>
  );
}

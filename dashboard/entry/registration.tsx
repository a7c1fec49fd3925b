import { useSignal } from '@preact/signals';
import { APIError } from '../../client/src/errors.ts';
import { login } from '../api/api.ts';
import { Form } from '../parts/form.tsx';
import { NameField, NamePlate, useNameCheck } from '../parts/name-field.tsx';
import { createAccount } from '../session.ts';
import { EntryCard } from './entry-card.tsx';

/**
 * Creates the account that a mailed link is for, with the name that was asked for, or another one if
 * somebody was quicker. Only the button uses the link up.
 */
export function Registration({ token, wanted }: { token: string; wanted: string }) {
  const name = useSignal(wanted);
  const checked = useNameCheck(name, (input) => login.registration.checkName(input)).value;
  const isOver = useSignal(false);
  const create = async () => {
    try {
      await createAccount(token, name.value.trim());
    } catch (error) {
      if (!(error instanceof APIError && error.code === 'registrationInvalid')) throw error;
      isOver.value = true;
    }
  };
  if (isOver.value)
    return (
      <EntryCard
        title="This link is no longer valid"
        about="It was used, has expired, or is not complete."
        below={
          <p>
            Have an account? <a href="/dashboard/login">Sign in</a>
          </p>
        }
      >
        <div class="actions">
          <a class="button primary" href="/">
            Claim a name
          </a>
        </div>
      </EntryCard>
    );
  return (
    <EntryCard
      title="Create your account"
      plate={<NamePlate checked={checked} />}
      about="Your address is confirmed. The name is yours once you press the button."
    >
      <Form fields={['display_name']} submit="Create account" onSubmit={create}>
        <NameField
          to={name}
          checked={checked}
          hint="At least three letters, digits or hyphens. You can change it later."
        />
      </Form>
      <p class="hint">You can sign in again by a link to your address, or with a passkey.</p>
    </EntryCard>
  );
}

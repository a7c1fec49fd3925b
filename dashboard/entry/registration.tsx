import { useSignal } from '@preact/signals';
import { APIError } from '../../client/src/errors.ts';
import { Bound } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { createAccount, pagesUrl } from '../session.ts';
import { EntryCard } from './entry-card.tsx';

/**
 * Creates the account that a mailed link is for, with the name that was asked for, or another one if
 * somebody was quicker. Only the button uses the link up.
 */
export function Registration({ token, wanted }: { token: string; wanted: string }) {
  const name = useSignal(wanted);
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
      about="Your address is confirmed. The name is yours once you press the button."
    >
      <Form fields={['display_name']} submit="Create account" onSubmit={create}>
        <Bound
          to={name}
          name="display_name"
          label="Name"
          prefix={`${new URL(pagesUrl).host}/@`}
          autocomplete="off"
          spellcheck={false}
          placeholder="jane-doe"
          hint="At least three letters, digits or hyphens. You can change it later."
        />
      </Form>
      <p class="hint">You can sign in again by a link to your address, or with a passkey.</p>
    </EntryCard>
  );
}

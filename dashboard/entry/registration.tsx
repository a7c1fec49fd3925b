import { useSignal } from '@preact/signals';
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
  return (
    <EntryCard
      title="Create your account"
      about="Your address is confirmed. The name is yours once you press the button."
    >
      <Form
        fields={['display_name']}
        submit="Create account"
        onSubmit={() => createAccount(token, name.value.trim())}
      >
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

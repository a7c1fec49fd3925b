import { useSignal } from '@preact/signals';
import { Bound } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { acceptInvitation, pagesUrl } from '../session.ts';
import { EntryCard } from './entry-card.tsx';

/** Makes an account by an invitation, with a name or without one, and signs in. */
export function Invitation({ token }: { token: string }) {
  const name = useSignal('');
  return (
    <EntryCard
      title="You are invited to Nameplate"
      about="Get a name, a page and a mail address on this server."
    >
      <Form
        fields={['display_name']}
        submit="Create account"
        onSubmit={() => acceptInvitation(token, name.value.trim() || null)}
      >
        <Bound
          to={name}
          name="display_name"
          label="Name"
          prefix={`${new URL(pagesUrl).host}/@`}
          autocomplete="off"
          spellcheck={false}
          placeholder="jane-doe"
          hint="At least three letters, digits or hyphens. You can also choose it later."
        />
      </Form>
      <p class="hint">Next, add a passkey or an API key so that you can sign in again.</p>
    </EntryCard>
  );
}

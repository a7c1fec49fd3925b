import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Bound } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { acceptInvitation } from '../session.ts';

/** Makes an account by an invitation, with a name or without one, and signs in. */
export function Invitation({ token }: { token: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const name = useSignal('');
  useLayoutEffect(() => {
    document.title = 'Invitation · Nameplate';
    heading.current?.focus();
  }, []);
  return (
    <main class="entry">
      <h1 ref={heading} tabIndex={-1}>
        You are invited to Nameplate
      </h1>
      <p>Get a name, a page and a mail address on this server.</p>
      <Form
        fields={['display_name']}
        submit="Create account"
        onSubmit={() => acceptInvitation(token, name.value.trim() || null)}
      >
        <Bound
          to={name}
          name="display_name"
          label="Name"
          autocomplete="off"
          spellcheck={false}
          placeholder="jane-doe"
          hint="At least three letters, digits or hyphens. You can also choose it later."
        />
      </Form>
      <p class="hint">Next, add a passkey or an API key so that you can sign in again.</p>
    </main>
  );
}

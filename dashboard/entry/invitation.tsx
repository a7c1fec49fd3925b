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
      <p>A name, a page at that name, and a mail address with it, on this server.</p>
      <Form
        fields={['display_name']}
        submit="Make my account"
        onSubmit={() => acceptInvitation(token, name.value.trim() || null)}
      >
        <Bound
          to={name}
          name="display_name"
          label="Name"
          autocomplete="off"
          spellcheck={false}
          placeholder="jane-doe"
          hint="Letters a to z, digits and hyphens; at least three. You can leave it out and choose later."
        />
      </Form>
      <p class="hint">
        Next you make a passkey or an API key: without one you could not come back.
      </p>
    </main>
  );
}

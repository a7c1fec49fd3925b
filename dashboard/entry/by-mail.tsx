import { useSignal } from '@preact/signals';
import { login } from '../api/api.ts';
import { NameplateError } from '../../client/src/errors.ts';
import { Bound } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';

/** Has a link mailed that signs in; `isMain` if it is the first way in. Whether anybody has the address is told to nobody. */
export function ByMail({ isMain }: { isMain: boolean }) {
  const email = useSignal('');
  const asked = useSignal('');
  return (
    <>
      <Form
        fields={['email']}
        submit="Email me a link"
        isMain={isMain}
        onSubmit={async () => {
          asked.value = '';
          const address = email.value.trim();
          if (!/.@./.test(address))
            throw new NameplateError('Enter an email address, such as jane@example.com.');
          await login.session.mailLoginLink({ email: address });
          asked.value = address;
        }}
      >
        <Bound
          to={email}
          type="email"
          name="email"
          label="Email address"
          autocomplete="email"
          spellcheck={false}
          placeholder="jane@example.com"
          hint="The one that you signed up with, or your confirmed forwarding address."
        />
      </Form>
      <p role="status" class={asked.value ? 'panel' : undefined}>
        {asked.value &&
          `If ${asked.value} is the confirmed address of an account, a link is on its way. It works once, within 10 minutes. After five links in an hour, you get a new one only when the last has expired.`}
      </p>
    </>
  );
}

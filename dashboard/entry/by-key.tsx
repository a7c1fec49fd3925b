import { useSignal } from '@preact/signals';
import { Form } from '../parts/form.tsx';
import { Bound } from '../parts/field.tsx';
import { signInByKey } from '../session.ts';

/** Signs in with an API key, which is sent once and kept nowhere. */
export function ByKey() {
  const key = useSignal('');
  return (
    <Form
      fields={['apiKey']}
      submit="Sign in with this key"
      onSubmit={async () => {
        await signInByKey(key.value.trim());
        key.value = '';
      }}
    >
      <Bound
        to={key}
        type="password"
        name="apiKey"
        label="API key"
        autocomplete="off"
        spellcheck={false}
        placeholder="np_your.key"
        hint="The session ends when the key is revoked. This browser does not keep the key."
      />
    </Form>
  );
}

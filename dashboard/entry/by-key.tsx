import { useSignal } from '@preact/signals';
import { Form } from '../parts/form.tsx';
import { Bound } from '../parts/field.tsx';
import { signInByKey } from '../session.ts';

/** Signs in with an API key; `isMain` if it is the first way in. The key is sent once and kept nowhere. */
export function ByKey({ isMain = false }: { isMain?: boolean }) {
  const key = useSignal('');
  return (
    <Form
      fields={['apiKey']}
      submit="Sign in with this key"
      isMain={isMain}
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

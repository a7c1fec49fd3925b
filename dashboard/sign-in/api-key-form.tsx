import { useSignal } from '@preact/signals';
import { BoundField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { signInWithKey } from '../session.ts';
import { t } from '../translate.ts';

export function ApiKeyForm({ isPrimary = false }: { isPrimary?: boolean }) {
  const key = useSignal('');
  return (
    <Form
      fields={['api_key']}
      submitLabel={t('Sign in with this key')}
      isPrimary={isPrimary}
      onSubmit={async () => {
        await signInWithKey(key.value.trim());
        key.value = '';
      }}
    >
      <BoundField
        signal={key}
        type="password"
        name="api_key"
        label={t('API key')}
        autocomplete="off"
        spellcheck={false}
        placeholder="np_your.key"
        hint={t('Revoking the key ends the session. The key is not stored in this browser.')}
      />
    </Form>
  );
}

import type { Signal } from '@preact/signals';
import { api } from '#dashboard/api/api.ts';
import { loadDisplayName, saveAsTitle } from '#dashboard/display-name.ts';
import { ApiCall } from '#dashboard/components/api-call.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { type NameCheck, NameField } from '#dashboard/components/name-field.tsx';
import { t } from '#dashboard/translate.ts';

export function ClaimName({
  nameInput,
  nameCheck,
  onDone,
}: {
  nameInput: Signal<string>;
  nameCheck: NameCheck | undefined;
  onDone: () => void;
}) {
  const input = { display_name: nameInput.value };
  return (
    <>
      <Form
        fields={['display_name']}
        submitLabel={t('Claim name')}
        onSubmit={async () => {
          await api.account.updateDisplayName(input);
          const display_name = await loadDisplayName();
          await saveAsTitle(nameInput.peek().trim());
          showMessage(t('Your name is now {name}.', { name: display_name }));
          onDone();
        }}
      >
        <NameField
          signal={nameInput}
          nameCheck={nameCheck}
          hint={t('At least three letters, digits or hyphens.')}
        />
      </Form>
      <ApiCall
        endpoint="account.updateDisplayName"
        input={input}
        otherCalls={[['account.checkDisplayName', { display_name: nameInput.value || 'Jane Doe' }]]}
      />
    </>
  );
}

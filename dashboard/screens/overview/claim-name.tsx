import type { Signal } from '@preact/signals';
import { api, owner } from '#dashboard/api/api.ts';
import { loadDisplayName } from '#dashboard/display-name.ts';
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
          // Ignore errors, because the user can still enter a title in the editor.
          await saveAsTitle(nameInput.peek().trim(), display_name).catch(() => undefined);
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

/**
 * If the server changed the typed name, makes the typed name the page title, unless there is one.
 */
async function saveAsTitle(nameInput: string, name: string): Promise<void> {
  if (nameInput === name) return;
  const { version, site } = await owner.page.getVersion();
  if (!site.display_name) await owner.page.save({ version, display_name: nameInput });
}

import type { Signal } from '@preact/signals';
import { api, owner } from '#dashboard/api/api.ts';
import { loadDisplayName } from '#dashboard/display-name.ts';
import { ApiCall } from '#dashboard/components/api-call.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { type NameCheck, NameField } from '#dashboard/components/name-field.tsx';

export function ClaimName({
  typed,
  nameCheck,
  onDone,
}: {
  typed: Signal<string>;
  nameCheck: NameCheck | undefined;
  onDone: () => void;
}) {
  const input = { display_name: typed.value };
  return (
    <>
      <Form
        fields={['display_name']}
        submitLabel="Claim name"
        onSubmit={async () => {
          await api.account.updateDisplayName(input);
          const display_name = await loadDisplayName();
          // Not essential: the user can still enter a title in the editor.
          await saveAsTitle(typed.peek().trim(), display_name).catch(() => undefined);
          showMessage(`Your name is now ${display_name}.`);
          onDone();
        }}
      >
        <NameField
          signal={typed}
          nameCheck={nameCheck}
          hint="At least three letters, digits or hyphens."
        />
      </Form>
      <ApiCall
        endpoint="account.updateDisplayName"
        input={input}
        also={[['account.checkDisplayName', { display_name: typed.value || 'Jane Doe' }]]}
      />
    </>
  );
}

/** If the server normalized the name, uses the name as typed as title of the page, unless it has one. */
async function saveAsTitle(typed: string, name: string): Promise<void> {
  if (typed === name) return;
  const { version, site } = await owner.page.getVersion();
  if (!site.display_name) await owner.page.save({ version, display_name: typed });
}

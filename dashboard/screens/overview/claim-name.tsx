import type { Signal } from '@preact/signals';
import { api, owner } from '#dashboard/api/api.ts';
import { loadDisplayName } from '#dashboard/display-name.ts';
import { ApiCall } from '#dashboard/components/api-call.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { type NameCheck, NameField } from '#dashboard/components/name-field.tsx';

/** Claims the first display name of an account. */
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
          // The claim counts even if this fails, and the title can still be typed.
          await saveAsTitle(typed.peek().trim(), display_name).catch(() => undefined);
          showMessage(`Your name is now ${display_name}.`);
          onDone();
        }}
      >
        <NameField signal={typed} nameCheck={nameCheck} hint="At least three letters, digits or hyphens." />
      </Form>
      <ApiCall
        endpoint="account.updateDisplayName"
        input={input}
        also={[['account.checkDisplayName', { display_name: typed.value || 'Jane Doe' }]]}
      />
    </>
  );
}

/** If the page has no title and sanitizing changed the name, uses the name as it was typed as title. */
async function saveAsTitle(typed: string, name: string): Promise<void> {
  if (typed === name) return;
  const { version, site } = await owner.page.getVersion();
  if (!site.display_name) await owner.page.save({ version, display_name: typed });
}

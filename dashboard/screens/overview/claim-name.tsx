import type { Signal } from '@preact/signals';
import { api, owner } from '#dashboard/api/api.ts';
import { loadDisplayName } from '#dashboard/display-name.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { Form } from '#dashboard/parts/form.tsx';
import { say } from '#dashboard/parts/messages.tsx';
import { type NameCheck, NameField } from '#dashboard/parts/name-field.tsx';

/** Claims the first display name of an account. */
export function ClaimName({
  typed,
  checked,
  onDone,
}: {
  typed: Signal<string>;
  checked: NameCheck | undefined;
  onDone: () => void;
}) {
  const input = { display_name: typed.value };
  return (
    <>
      <Form
        fields={['display_name']}
        submit="Claim name"
        onSubmit={async () => {
          await api.account.updateDisplayName(input);
          const display_name = await loadDisplayName();
          // The claim counts even if this fails, and the title can still be typed.
          await keepAsTitle(typed.peek().trim(), display_name).catch(() => undefined);
          say(`Your name is now ${display_name}.`);
          onDone();
        }}
      >
        <NameField to={typed} checked={checked} hint="At least three letters, digits or hyphens." />
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
async function keepAsTitle(typed: string, name: string): Promise<void> {
  if (typed === name) return;
  const { version, site } = await owner.page.getVersion();
  if (!site.display_name) await owner.page.save({ version, display_name: typed });
}

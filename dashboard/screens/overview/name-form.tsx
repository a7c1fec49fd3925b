import { type Signal, useSignal } from '@preact/signals';
import { api, owner } from '../../api/api.ts';
import { loadDisplayName } from '../../display-name.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Bound } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/messages.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { pagesUrl } from '../../session.ts';

/** Takes a display name. The server decides what becomes of what was typed, and who has it. */
export function NameForm({
  current = '',
  typed,
  onDone,
}: {
  current?: string;
  /** Text of the field, for whoever shows it elsewhere, too. */
  typed?: Signal<string>;
  onDone: () => void;
}) {
  const own = useSignal(current);
  const name = typed ?? own;
  const input = { display_name: name.value };
  // Mail concerns only those who have it forwarded.
  const forwarding = useLoaded(async () => current && owner.forwarding.getForwarding(), [current]);
  const hasMail = Boolean(forwarding.value && forwarding.value.enabled);
  return (
    <>
      <Form
        fields={['display_name']}
        submit={current ? 'Change name' : 'Claim name'}
        onSubmit={async () => {
          await api.account.updateDisplayName(input);
          const display_name = await loadDisplayName();
          // The name is taken whatever becomes of this, and the title can still be typed.
          await keepAsTitle(name.peek().trim(), display_name).catch(() => undefined);
          say(
            `Your name is now ${display_name}.${hasMail ? ' Mail forwarding is off: turn it on again under Mail.' : ''}`,
          );
          onDone();
        }}
      >
        <Bound
          to={name}
          name="display_name"
          label="Name"
          prefix={`${new URL(pagesUrl).host}/@`}
          autocomplete="off"
          spellcheck={false}
          placeholder="jane-doe"
          hint={
            current
              ? `Your page moves to the new address.${hasMail ? ' Mail forwarding is turned off until you turn it on again.' : ''}`
              : 'At least three letters, digits or hyphens.'
          }
        />
      </Form>
      <ApiCall endpoint="account.updateDisplayName" input={input} />
    </>
  );
}

/** Makes a name as it was typed the title of a page that has none, where the name itself lost something. */
async function keepAsTitle(typed: string, name: string): Promise<void> {
  if (typed === name) return;
  const { version, site } = await owner.page.getVersion();
  if (!site.display_name) await owner.page.save({ version, display_name: typed });
}

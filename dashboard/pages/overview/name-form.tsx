import { useSignal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Bound } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/messages.tsx';

/** Takes a display name. The server decides what becomes of what was typed, and who has it. */
export function NameForm({ current = '', onDone }: { current?: string; onDone: () => void }) {
  const name = useSignal(current);
  const input = { display_name: name.value };
  return (
    <>
      <Form
        fields={['display_name']}
        submit={current ? 'Change name' : 'Take this name'}
        onSubmit={async () => {
          const { message } = await api.account.updateDisplayName(input);
          say(message);
          onDone();
        }}
      >
        <Bound
          to={name}
          name="display_name"
          label="Name"
          autocomplete="off"
          spellcheck={false}
          placeholder="jane-doe"
          hint={
            current
              ? 'The old address answers no more and mail forwarding is turned off until you turn it on again.'
              : 'Letters a to z, digits and hyphens; at least three.'
          }
        />
      </Form>
      <ApiCall endpoint="account.updateDisplayName" input={input} />
    </>
  );
}

import { useSignal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { Bound } from '#dashboard/parts/field.tsx';
import { Form } from '#dashboard/parts/form.tsx';
import { say } from '#dashboard/parts/messages.tsx';

/** A form for a domain; `isMain` if it is the first one. */
export function AddDomain({ isMain, onAdded }: { isMain: boolean; onAdded: () => void }) {
  const name = useSignal('');
  return (
    <Form
      fields={['domain']}
      submit="Add domain"
      isMain={isMain}
      onSubmit={async () => {
        const domain = bare(name.value);
        await owner.domains.addDomain({ domain });
        say(`Added ${domain}.`);
        name.value = '';
        onAdded();
      }}
    >
      <Bound
        to={name}
        name="domain"
        label="Domain"
        placeholder="jane.example"
        autocomplete="off"
        spellcheck={false}
        hint="You need access to its DNS settings."
      />
    </Form>
  );
}

/** The domain in an address that somebody pasted. */
function bare(typed: string): string {
  return typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/, '');
}

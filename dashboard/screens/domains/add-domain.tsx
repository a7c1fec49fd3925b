import { useSignal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';

export function AddDomain({ isPrimary, onAdded }: { isPrimary: boolean; onAdded: () => void }) {
  const name = useSignal('');
  return (
    <Form
      fields={['domain']}
      submitLabel="Add domain"
      isPrimary={isPrimary}
      onSubmit={async () => {
        const domain = withoutUrlParts(name.value);
        await owner.domains.addDomain({ domain });
        showMessage(`Added ${domain}.`);
        name.value = '';
        onAdded();
      }}
    >
      <BoundField
        signal={name}
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

/** Removes the scheme and the path, in case the user pasted a URL. */
function withoutUrlParts(input: string): string {
  return input
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/, '');
}

import { useSignal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { t } from '#dashboard/translate.ts';

export function AddDomain({ isPrimary, onAdded }: { isPrimary: boolean; onAdded: () => void }) {
  const name = useSignal('');
  return (
    <Form
      fields={['domain']}
      submitLabel={t('Add domain')}
      isPrimary={isPrimary}
      onSubmit={async () => {
        const domain = withoutUrlParts(name.value);
        await owner.domains.addDomain({ domain });
        showMessage(t('Added {domain}.', { domain }));
        name.value = '';
        onAdded();
      }}
    >
      <BoundField
        signal={name}
        name="domain"
        label={t('Domain')}
        placeholder="jane.example"
        autocomplete="off"
        spellcheck={false}
        hint={t('You need access to its DNS settings.')}
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

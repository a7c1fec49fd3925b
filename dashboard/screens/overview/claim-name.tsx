import type { Signal } from '@preact/signals';
import { api } from '#dashboard/api/api.ts';
import { loadDisplayName, saveAsTitle } from '#dashboard/display-name.ts';
import { Form } from '#dashboard/components/form.tsx';
import { announce } from '#dashboard/components/messages.tsx';
import { type NameCheck, NameField, claimLabel } from '#dashboard/components/name-field.tsx';
import { forwardsMail } from '#dashboard/session.ts';
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
    <section class="card claim">
      <h2>{t('Claim your name')}</h2>
      <p class="muted">
        {forwardsMail
          ? t('It becomes your page and mail address. You can change it later.')
          : t('It becomes the address of your page. You can change it later.')}
      </p>
      <Form
        fields={['display_name']}
        submitLabel={claimLabel(nameCheck) ?? t('Claim name')}
        isDisabled={nameCheck?.available === false}
        onSubmit={async () => {
          await api.account.updateDisplayName(input);
          const name = await loadDisplayName();
          await saveAsTitle(nameInput.peek().trim());
          announce(t('Your name is now {name}.', { name }));
          onDone();
        }}
      >
        <NameField
          signal={nameInput}
          nameCheck={nameCheck}
          hint={t('At least three letters, digits or hyphens.')}
        />
      </Form>
    </section>
  );
}

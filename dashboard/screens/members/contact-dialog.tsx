import { signal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { EmailField } from '#dashboard/components/email-field.tsx';
import { showFormDialog } from '#dashboard/components/form-dialog.tsx';
import { t } from '#dashboard/translate.ts';
import { updateDocument } from '../appearance/instance-draft.ts';

/** Asks for the contact of the server in a dialog, so that the operator's draft stays. */
export function editContact(): void {
  const email = signal('');
  void showFormDialog({
    title: t('Contact'),
    fields: ['email'],
    submitLabel: t('Save'),
    onSubmit: async () => {
      const { instance } = await owner.server.updateInstance({ contact: email.value.trim() });
      updateDocument(instance);
    },
    render: () => (
      <EmailField
        signal={email}
        hint={t('Members reply to it. It is also in the footer of the front page and of mails.')}
      />
    ),
  });
}

import { owner } from '#dashboard/api/api.ts';
import { EMAIL_FIELD } from '#dashboard/components/email-field.tsx';
import { showTextDialog } from '#dashboard/components/form-dialog.tsx';
import { t } from '#dashboard/translate.ts';
import { updateDocument } from '../appearance/instance-draft.ts';

/** Asks for the contact of the server in a dialog, so that the operator's draft stays. */
export function editContact(): void {
  void showTextDialog({
    title: t('Contact'),
    field: {
      ...EMAIL_FIELD,
      hint: t('Members reply to it. It is also in the footer of the front page and of mails.'),
    },
    submitLabel: t('Save'),
    onSubmit: async (contact) => {
      const { instance } = await owner.server.updateInstance({ contact });
      updateDocument(instance);
    },
  });
}

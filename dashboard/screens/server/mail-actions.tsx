import { useSignal } from '@preact/signals';
import { NameplateError } from '#client/errors.ts';
import { contactEmail } from '#contract/shared/web-url.ts';
import { owner } from '#dashboard/api/api.ts';
import { Code } from '#dashboard/components/code.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { showTextDialog } from '#dashboard/components/form-dialog.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { instance } from '#dashboard/instance.ts';
import { t } from '#dashboard/translate.ts';
import type { ServerState } from '../members/labels.ts';

/** Buttons that do something at once, instead of showing a solution. */
export const MAIL_ACTIONS: Partial<
  Record<ServerState['setup'][number]['code'], { label: string; run: () => Promise<unknown> }>
> = {
  mailSet: { label: t('Send test mail'), run: sendTestMail },
  mailIgnored: { label: t('Delete'), run: deleteMailSettings },
};

export function sendTestMail(): Promise<unknown> {
  const { contact } = instance.peek();
  return showTextDialog({
    title: t('Send a test mail'),
    text: t('The mail is sent at once, and you see whether your mail server accepts it.'),
    field: {
      name: 'email',
      label: t('Send to'),
      type: 'email',
      required: true,
      value: contactEmail(contact) ?? '',
    },
    submitLabel: t('Send test mail'),
    onSubmit: async (email) => {
      const sent = await owner.server.sendTestMail({ email });
      if (sent.problem !== null) throw new NameplateError(sent.problem);
      showMessage(t('Your mail server accepted the mail to {email}.', { email: sent.email }));
    },
  });
}

/** The password is only on the screen while this is open. */
export function StoredMailSettings() {
  const settings = useSignal<string | undefined>(undefined);
  const show = async () => {
    settings.value = (await withErrorMessage(owner.server.exportMailSettings()))?.settings;
  };
  return (
    <div class="server-solution">
      <p class="hint">
        {t(
          'Write two lines into the file .env on the server, then restart it. They contain the password of the mailbox.',
        )}
      </p>
      {settings.value === undefined ? (
        <button type="button" onClick={() => void show()}>
          {t('Show the lines')}
        </button>
      ) : (
        <Code text={settings.value} label={t('mail settings')} />
      )}
    </div>
  );
}

async function deleteMailSettings(): Promise<void> {
  const isConfirmed = await confirm({
    title: t('Delete the stored mail server?'),
    text: t('This server sends mail with SMTP_URL.'),
    action: t('Delete'),
  });
  if (isConfirmed) await withErrorMessage(owner.server.deleteMailSettings());
}

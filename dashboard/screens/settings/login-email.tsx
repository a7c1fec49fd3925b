import { useSignal } from '@preact/signals';
import { api, owner } from '#dashboard/api/api.ts';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { EmailField } from '#dashboard/components/email-field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { canMailLoginLinks } from '#dashboard/session.ts';
import type { Forwarding } from '../mail/forwarding-text.ts';
import { SettingRow } from './setting-row.tsx';
import { t } from '#dashboard/translate.ts';

/** The address that login links are mailed to. It is also the destination of mail forwarding. */
export function LoginEmail() {
  const forwarding = useAsync(() => owner.forwarding.getForwarding());
  const isDialogOpen = useSignal(false);
  const { value: state } = forwarding;
  if (!canMailLoginLinks) return null;
  return (
    <SettingRow
      id="email"
      title={t('Email address for signing in')}
      text={state ? describeLoginEmail(state) : '…'}
    >
      <button type="button" disabled={!state} onClick={() => (isDialogOpen.value = true)}>
        {state && state.confirmed !== false && state.login_email === null ? t('Add') : t('Change')}
      </button>
      {state && isDialogOpen.value && (
        <ChangeDialog
          state={state}
          onClose={() => (isDialogOpen.value = false)}
          onChanged={forwarding.reload}
        />
      )}
    </SettingRow>
  );
}

function describeLoginEmail({ confirmed, email, login_email: current }: Forwarding): string {
  if (confirmed === false)
    return current === null
      ? t('{email}, once you open the link in the mail we sent there.', { email: email! })
      : t('{current}, until you open the link in the mail to {email}.', {
          current,
          email: email!,
        });
  return current ?? t('None yet. With one, we can mail you login links.');
}

function ChangeDialog({
  state,
  onClose,
  onChanged,
}: {
  state: Forwarding;
  onClose: () => void;
  onChanged: () => void;
}) {
  const email = useSignal(state.email ?? state.login_email ?? '');
  const input = { enabled: state.enabled, email: email.value.trim() };
  return (
    <Dialog title={t('Email address for signing in')} onCancel={onClose}>
      <Form
        fields={['email']}
        submitLabel={t('Save')}
        onCancel={onClose}
        onSubmit={async () => {
          await api.emailForwarding.emailForwardingToggle(input);
          const { confirmed } = await owner.forwarding.getForwarding();
          showMessage(
            confirmed
              ? t('Login links go to {email}.', { email: input.email })
              : t('Open the link in the mail to {email}.', { email: input.email }),
          );
          onChanged();
          onClose();
        }}
      >
        <EmailField
          signal={email}
          hint={
            state.enabled && state.available
              ? t('We mail a link to confirm it. Mail to your name is forwarded there, too.')
              : t('We mail a link to confirm it.')
          }
        />
      </Form>
    </Dialog>
  );
}

import { signal } from '@preact/signals';
import { api, owner } from '#dashboard/api/api.ts';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { EmailField } from '#dashboard/components/email-field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { canMailLoginLinks } from '#dashboard/session.ts';
import type { Forwarding } from '../mail/forwarding-text.ts';
import { SettingRow } from './setting-row.tsx';
import { t } from '#dashboard/translate.ts';

const POLL_MS = 5_000;

/** The address that login links are mailed to. It is also the destination of mail forwarding. */
export function LoginEmail() {
  const forwarding = useAsync(() => owner.forwarding.getForwarding());
  const { value: state } = forwarding;
  const isUnconfirmed = state?.confirmed === false;
  usePolling(isUnconfirmed, forwarding.reload, POLL_MS);
  if (!canMailLoginLinks) return null;
  /** An address that is not confirmed gets another mail. */
  const save = async (email: string) => {
    await api.emailForwarding.emailForwardingToggle({ enabled: state!.enabled, email });
    const { confirmed } = await owner.forwarding.getForwarding();
    showMessage(
      confirmed
        ? t('Login links go to {email}.', { email })
        : t('Open the link in the mail to {email}.', { email }),
    );
    forwarding.reload();
  };
  return (
    <SettingRow
      id="email"
      title={t('Email address for signing in')}
      text={state ? describeLoginEmail(state) : '…'}
    >
      <span class="row">
        {isUnconfirmed && (
          <button type="button" onClick={() => void withErrorMessage(save(state.email!))}>
            {t('Send again')}
          </button>
        )}
        <button type="button" disabled={!state} onClick={() => changeEmail(state!, save)}>
          {state && !isUnconfirmed && state.login_email === null ? t('Add') : t('Change')}
        </button>
      </span>
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

function changeEmail(state: Forwarding, save: (email: string) => Promise<void>): void {
  const email = signal(state.email ?? state.login_email ?? '');
  void showDialog(t('Email address for signing in'), (close) => (
    <Form
      fields={['email']}
      submitLabel={t('Save')}
      onCancel={close}
      onSubmit={async () => {
        await save(email.value.trim());
        close();
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
  ));
}

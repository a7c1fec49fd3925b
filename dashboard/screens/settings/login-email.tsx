import { withAsciiDomain } from '#contract/shared/ascii-email.ts';
import { api, owner } from '#dashboard/api/api.ts';
import { EMAIL_FIELD } from '#dashboard/components/email-field.tsx';
import { showTextDialog } from '#dashboard/components/form-dialog.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { canMailLoginLinks } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { cancelPendingEmail } from '../mail/cancel-pending-email.ts';
import { type Forwarding, unconfirmedEmail } from '../mail/forwarding-text.ts';
import { SettingRow } from './setting-row.tsx';

/** The address that login links are mailed to. It is also the destination of mail forwarding. */
export function LoginEmail() {
  const forwarding = useAsync(() => owner.forwarding.getForwarding());
  const { value: state } = forwarding;
  const unconfirmed = state ? unconfirmedEmail(state) : null;
  usePolling(unconfirmed === null ? undefined : 'waiting', forwarding.poll);
  if (!canMailLoginLinks) return null;
  return (
    <SettingRow
      id="email"
      title={t('Email address for signing in')}
      text={state ? describeLoginEmail(state) : (forwarding.failure ?? '…')}
      open={state && (() => editLoginEmail(state, forwarding.reload))}
    >
      {unconfirmed !== null && (
        <button
          type="button"
          onClick={() =>
            void withErrorMessage(saveEmail(state!, unconfirmed)).then(forwarding.reload)
          }
        >
          {t('Send again')}
        </button>
      )}
      {state && state.pending_email !== null && (
        <button
          type="button"
          onClick={() => void cancelPendingEmail(state).then(forwarding.reload)}
        >
          {t('Cancel the change')}
        </button>
      )}
      {!state && forwarding.failure && (
        <button type="button" onClick={forwarding.reload}>
          {t('Try again')}
        </button>
      )}
    </SettingRow>
  );
}

function describeLoginEmail(state: Forwarding): string {
  const { login_email: current } = state;
  const email = unconfirmedEmail(state);
  if (email === null) return current ?? t('None yet. Add one to get login links.');
  return current === null
    ? t('{email}, once you open the link in the mail we sent there.', { email })
    : t('{current}, until you open the link in the mail to {email}.', { current, email });
}

/** An address that is not confirmed gets another mail. */
async function saveEmail({ enabled }: Forwarding, typed: string): Promise<void> {
  const email = withAsciiDomain(typed);
  await api.emailForwarding.emailForwardingToggle({ enabled, email });
  const { login_email } = await owner.forwarding.getForwarding();
  showMessage(
    login_email === email
      ? t('Login links go to {email}.', { email })
      : t('Open the link in the mail to {email}.', { email }),
  );
}

export function editLoginEmail(state: Forwarding, onSaved: () => void): void {
  void showTextDialog({
    title: t('Email address for signing in'),
    field: {
      ...EMAIL_FIELD,
      hint:
        state.enabled && state.available
          ? t('We mail a link to confirm it. Mail to your name is forwarded there, too.')
          : t('We mail a link to confirm it.'),
      value: state.pending_email ?? state.email ?? state.login_email ?? '',
    },
    submitLabel: t('Save'),
    onSubmit: async (email) => {
      await saveEmail(state, email);
      onSaved();
    },
  });
}

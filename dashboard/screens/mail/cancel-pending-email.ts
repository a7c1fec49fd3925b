import { api } from '#dashboard/api/api.ts';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { t } from '#dashboard/translate.ts';
import type { Forwarding } from './forwarding-text.ts';

/** The current address stays, and mail is forwarded as it is now. */
export async function cancelPendingEmail({
  enabled,
  stage,
  login_email,
  email,
}: Forwarding): Promise<void> {
  const change = {
    enabled: enabled && stage !== 'waits for confirmation',
    email: email ?? login_email,
  };
  if (await withErrorMessage(api.emailForwarding.emailForwardingToggle(change)))
    showMessage(t('Cancelled the change.'));
}

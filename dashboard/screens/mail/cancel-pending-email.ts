import { api } from '#dashboard/api/api.ts';
import type { Forwarding } from './forwarding-text.ts';

/** The current address stays, and mail is forwarded as it is now. */
export async function cancelPendingEmail({
  enabled,
  stage,
  login_email,
  email,
}: Forwarding): Promise<void> {
  await api.emailForwarding.emailForwardingToggle({
    enabled: enabled && stage !== 'waits for confirmation',
    email: email ?? login_email,
  });
}

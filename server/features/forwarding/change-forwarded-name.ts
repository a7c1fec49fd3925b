import { PROFILE_REFUSALS } from '#contract/account.ts';
import { emailForwarding } from '#contract/email-forwarding.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { lockForwardingSettings } from '#db/queries/forwarding-settings.ts';
import { replaceStoredResponses } from '#db/queries/idempotency-keys.ts';
import type { Core } from '#server/core.ts';
import { requireRecentLogin } from '#server/platform/http/access/recent-login.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { logEvent } from '../events/log-event.ts';
import type { NameChange } from '../facts.ts';
import { clearForwarding } from './change-forwarding.ts';
import { enqueueAccountSync, type ForwardingService } from './forwarding.ts';

const refuse = createRefuser(PROFILE_REFUSALS);

/** Replaces stored responses of forwarding requests, because a name change clears the address. */
const FORWARDING_DISABLED = {
  success: true,
  message: 'Email forwarding was disabled afterwards, by a change of the display name.',
  enabled: false,
  email: null,
};

/** A display name that is set turns email forwarding off, even if it stays the same. */
export async function changeForwardedName(
  trx: Transaction,
  app: Pick<Core, 'allowances' | 'jobs' | 'outbox'> & { forwarding: ForwardingService },
  { accountId, from, to, changed }: NameChange,
): Promise<void> {
  if (!changed) {
    for (const name of [from, to]) if (name !== null) await app.forwarding.enqueueSync(trx, name);
    return;
  }
  const { credential, by } = changed;
  const settings = await lockForwardingSettings(trx, accountId);
  if (!settings) throw refuse('profileNotFound');
  // Forwarding to a confirmed address is turned off.
  if (credential && settings.address.kind === 'confirmed')
    await requireRecentLogin(trx, { credential });
  await clearForwarding(trx, app, accountId, { ...settings, display_name: from });
  const { emailForwardingToggle } = emailForwarding;
  await replaceStoredResponses(trx, accountId, {
    ...emailForwardingToggle,
    response: FORWARDING_DISABLED,
  });
  if (from !== null && from !== to) await app.forwarding.enqueueSync(trx, from);
  await enqueueAccountSync(trx, app.forwarding, accountId);
  if (from !== to || !settings.address.enabled) return;
  const detail = { enabled: false, destination_changed: false, by };
  await logEvent(trx, app, { accountId, type: 'forwarding_updated', detail });
}

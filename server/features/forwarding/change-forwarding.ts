import { FORWARDING_REFUSALS } from '#contract/email-forwarding.ts';
import { recordDestination } from '#db/queries/forwarding-destinations.ts';
import { listForwarding } from '#db/queries/provider-aliases.ts';
import { isOperator } from '#db/queries/operators.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { lockForwardingSettings, updateForwarding } from '#db/queries/forwarding-settings.ts';
import type { Transaction } from '#db/connections/handles.ts';
import type { App } from '#server/app.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { type Caller, credentialId } from '#server/platform/caller.ts';
import { logEvent } from '../events/log-event.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { requireRecentLogin, requirePermissionToAddLogin } from '../sessions/recent-login.ts';
import {
  domainOf,
  requestConfirmation,
  isRefusedForwardingDomain,
  isSameOrSubdomain,
} from './destinations.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { NameState } from './forwarding.ts';

const refuse = createRefuser(FORWARDING_REFUSALS);

/** Per account. Each new address costs a confirmation mail and a rule at the forwarding provider. */
const NEW_DESTINATIONS_PER_DAY = 3;

export async function changeForwarding(
  trx: Transaction,
  app: Pick<App, 'allowances' | 'config' | 'forwarding' | 'jobs' | 'outbox'>,
  request: Pick<Caller, 'accountId' | 'credential' | 'scope'> & {
    enabled: boolean;
    email?: string | null | undefined;
  },
): Promise<{ name: string | null; email: string | null; stage: NameState['stage'] | undefined }> {
  const { accountId, enabled, credential, scope } = request;
  const settings = await lockForwardingSettings(trx, accountId);
  if (!settings) throw refuse('profileNotFound');
  const { display_name: name, forwarding_email: storedEmail, email_scope } = settings;
  const email = request.email ?? storedEmail;
  // A stored address is checked again, because the refused domains may have changed.
  if (enabled || request.email) assertDomainAllowed(email, app.config);
  if (enabled && name === null) throw refuse('displayNameNotSet');
  if (enabled && email === null) throw refuse('forwardingAddressMissing');
  // If an operator sends the stored address again, its login links get the operator's rights.
  const raisesScope = request.email && scope === 'operator' && email_scope === 'all';
  const changesLogin = email !== storedEmail || (raisesScope && (await isOperator(trx, accountId)));
  if (email !== null && changesLogin) {
    // If the server can send mail, it will send login links to this address.
    const requireLogin = app.outbox.isAvailable ? requirePermissionToAddLogin : requireRecentLogin;
    await requireLogin(trx, { accountId, credential, scope });
    await enforceDestinationLimit(trx, app.config, { accountId, email });
  }
  const change = {
    accountId,
    from: settings,
    email,
    enabled,
    isNewlySent: Boolean(request.email),
  };
  const confirmed = await requestConfirmation(trx, app.outbox, change);
  const destination_changed = email !== storedEmail;
  // Until a new address is confirmed, login links go to the former one.
  const callerScope = scope === 'operator' ? scope : 'all';
  const setsScope = changesLogin && (callerScope === 'all' || confirmed);
  await updateForwarding(trx, accountId, {
    forwarding_enabled: enabled,
    forwarding_email: email,
    forwarding_confirmed: confirmed,
    email_scope: setsScope ? callerScope : email_scope,
  });
  if (name !== null) await app.forwarding.enqueueSync(trx, name);
  if (destination_changed && storedEmail !== null) await deleteLoginLinks(trx, accountId);
  if (destination_changed || enabled !== settings.forwarding_enabled) {
    // The event does not contain the address, because events are kept longer than addresses.
    const detail = { enabled, destination_changed, by: credentialId(credential) };
    await logEvent(trx, app, { accountId, type: 'forwarding_updated', detail });
  }
  const [state] = name === null ? [] : await listForwarding(trx, name);
  return { name, email, stage: state && app.forwarding.withStage(state).stage };
}

function assertDomainAllowed(
  email: string | null,
  { MAIL_DOMAIN, FORWARDING_REFUSED_DOMAINS }: Config,
): void {
  const domain = domainOf(email ?? '');
  if (isSameOrSubdomain(domain, [MAIL_DOMAIN])) throw refuse('forwardingLoop', { domain });
  if (isRefusedForwardingDomain(domain, FORWARDING_REFUSED_DOMAINS))
    throw refuse('forwardingAddressNotAllowed', { domain });
}

async function enforceDestinationLimit(
  trx: Transaction,
  { TRUST_ACCOUNTS }: Config,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  const { count, retryAfterSeconds } = await recordDestination(trx, accountId, email);
  if (TRUST_ACCOUNTS === 'true' || count <= NEW_DESTINATIONS_PER_DAY) return;
  throw refuse('forwardingAddressLimitReached', retryAfter(retryAfterSeconds * 1_000));
}

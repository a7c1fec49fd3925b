import { FORWARDING_REFUSALS } from '#contract/email-forwarding.ts';
import { recordDestination } from '#db/queries/forwarding-destinations.ts';
import { listForwarding } from '#db/queries/provider-aliases.ts';
import { isOperator } from '#db/queries/operators.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import {
  type ForwardingChange,
  type LockedForwardingSettings,
  lockForwardingSettings,
  updateForwarding,
} from '#db/queries/forwarding-settings.ts';
import type { PendingEmail } from '#db/queries/pending-emails.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { type Caller, credentialId, OPERATOR_ACTOR } from '#server/platform/caller.ts';
import { logEvent } from '../events/log-event.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import {
  requireRecentLogin,
  requirePermissionToAddLogin,
} from '#server/platform/http/access/recent-login.ts';
import {
  currentEmail,
  domainOf,
  explainRefusedDomain,
  isSameOrSubdomain,
  requestConfirmation,
} from './destinations.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { enqueueAccountSync, type NameState, type ForwardingService } from './forwarding.ts';
import type { Outbox } from '../mails/outbox.ts';
import type { Core } from '#server/core.ts';

const refuse = createRefuser(FORWARDING_REFUSALS);

/** Per account. Each new address costs a confirmation mail and a rule at the forwarding provider. */
const NEW_DESTINATIONS_PER_DAY = 5;

type AddressChange = Pick<Caller, 'accountId' | 'credential' | 'scope'> & {
  /** Default: as before. */
  enabled?: boolean;
  email?: string | null | undefined;
  /** Name of the operator who changes the address of a member. */
  operator?: string | null;
};

export interface ForwardingResult {
  name: string | null;
  email: string | null;
  stage: NameState['stage'] | undefined;
  /** Whether `email` replaces the current address when its owner confirms it. */
  waits: boolean;
  /** Where mail is forwarded until then. */
  forwardedTo: string | null;
}

/** A new address waits beside a confirmed one, which stays in use until its owner confirms. */
export async function changeForwarding(
  trx: Transaction,
  app: Pick<Core, 'allowances' | 'config' | 'jobs'> & {
    forwarding: ForwardingService;
    outbox: Outbox;
  },
  request: AddressChange,
): Promise<ForwardingResult> {
  const { accountId } = request;
  const settings = await lockForwardingSettings(trx, accountId);
  if (!settings) throw refuse('profileNotFound');
  const { display_name: name, forwarding_email: storedEmail, pending } = settings;
  const wasEnabled = settings.forwarding_enabled;
  const { enabled = pending?.forwarding_enabled ?? wasEnabled } = request;
  const email = request.email ?? pending?.email ?? storedEmail;
  // A stored address is checked again, because the refused domains may have changed.
  const problem = (enabled || request.email) && explainRefusedDomain(email ?? '', app.config);
  if (problem) {
    const isLoop = isSameOrSubdomain(domainOf(email ?? ''), [app.config.MAIL_DOMAIN]);
    throw refuse(isLoop ? 'forwardingLoop' : 'forwardingAddressNotAllowed', { problem });
  }
  if (enabled && name === null) throw refuse('displayNameNotSet');
  if (enabled && email === null) throw refuse('forwardingAddressMissing');
  const login = await authorizeAddress(trx, app, request, { settings, email });
  const confirmed = await requestConfirmation(trx, app.outbox, {
    accountId,
    email,
    enabled,
    from: settings,
    operator: request.operator,
    isNewlySent: Boolean(request.email),
  });
  const waits = email !== null && confirmed === false && currentEmail(settings) !== null;
  const change: ForwardingChange = {
    forwarding_enabled: enabled,
    forwarding_email: email,
    forwarding_confirmed: confirmed,
    email_scope: login.email_scope,
  };
  const { forwarding_confirmed, email_scope } = settings;
  const kept = waits
    ? {
        forwarding_enabled: wasEnabled && enabled,
        forwarding_email: storedEmail,
        forwarding_confirmed,
        email_scope,
      }
    : change;
  const waiting = waits ? { ...login, email, forwarding_enabled: enabled } : undefined;
  await updateForwarding(trx, accountId, kept, waiting);
  const destination_changed = !waits && email !== storedEmail;
  const isSwitched = kept.forwarding_enabled !== wasEnabled;
  if (!(waits && kept.forwarding_enabled)) await enqueueAccountSync(trx, app.forwarding, accountId);
  if (destination_changed && storedEmail !== null) await deleteLoginLinks(trx, accountId);
  if (destination_changed || isSwitched) {
    // The event does not contain the address, because events are kept longer than addresses.
    const detail = { enabled: kept.forwarding_enabled, destination_changed, by: actorOf(request) };
    await logEvent(trx, app, { accountId, type: 'forwarding_updated', detail });
  }
  const [state] = name === null ? [] : await listForwarding(trx, [name]);
  const stage = state && app.forwarding.withStage(state).stage;
  const forwardedTo = kept.forwarding_enabled ? kept.forwarding_email : null;
  return { name, email, stage, waits, forwardedTo };
}

/** Resolves to the rights of logins with the address, and to who entered it. */
async function authorizeAddress(
  trx: Transaction,
  { config, outbox }: Pick<Core, 'config'> & { outbox: Outbox },
  request: AddressChange,
  { settings, email }: { settings: LockedForwardingSettings; email: string | null },
): Promise<Pick<PendingEmail, 'email_scope' | 'entered_by'>> {
  const { accountId, credential, scope } = request;
  const pending = email === settings.pending?.email ? settings.pending : undefined;
  const { email_scope } = pending ?? settings;
  const entered_by = pending?.entered_by ?? actorOf(request);
  const isNew = !pending && email !== settings.forwarding_email;
  // If an operator sends the stored address again, its login links get the operator's rights.
  const raisesScope = request.email && scope === 'operator' && email_scope === 'all';
  if (!isNew && !(raisesScope && (await isOperator(trx, accountId))))
    return { email_scope, entered_by };
  if (email !== null && request.operator === undefined) {
    // If the server can send mail, it will send login links to this address.
    const requireLogin = outbox.isAvailable ? requirePermissionToAddLogin : requireRecentLogin;
    await requireLogin(trx, { accountId, credential, scope });
    await enforceDestinationLimit(trx, config, { accountId, email });
  }
  return { email_scope: scope === 'operator' ? scope : 'all', entered_by: actorOf(request) };
}

function actorOf({ operator, credential }: AddressChange): string {
  return operator === undefined ? credentialId(credential) : OPERATOR_ACTOR;
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

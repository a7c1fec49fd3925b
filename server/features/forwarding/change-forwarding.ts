import { FORWARDING_REFUSALS } from '#contract/email-forwarding.ts';
import { isDestinationConfirmed } from '#db/queries/confirmations.ts';
import { recordDestination } from '#db/queries/forwarding-destinations.ts';
import { lockForwardingSettings } from '#db/queries/forwarding-settings.ts';
import { isOperator } from '#db/queries/operators.ts';
import { listForwarding } from '#db/queries/provider-aliases.ts';
import type { Transaction } from '#db/connections/handles.ts';
import type { Core } from '#server/core.ts';
import { type Caller, credentialId, OPERATOR_ACTOR } from '#server/platform/caller.ts';
import {
  requireRecentLogin,
  requirePermissionToAddLogin,
} from '#server/platform/http/access/recent-login.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { type AddressServices, runAddressStep } from './address-effects.ts';
import { domainOf, explainRefusedDomain, isSameOrSubdomain } from './allowed-domains.ts';
import type { NameState } from './forwarding.ts';
import {
  type AddressFacts,
  type AddressRequest,
  changeAddress,
  requestedAddress,
} from './next-address.ts';

const refuse = createRefuser(FORWARDING_REFUSALS);

/** Per account. Each new address costs a confirmation mail and a rule at the forwarding provider. */
const NEW_DESTINATIONS_PER_DAY = 5;

type ChangeServices = AddressServices & Pick<Core, 'config'>;

type AddressChange = Pick<Caller, 'accountId' | 'credential' | 'scope'> &
  AddressRequest & {
    /** Name of the operator who changes the address of a member. */
    operator?: string | null;
  };

export interface ForwardingResult {
  name: string | null;
  /** The newest address. */
  email: string | null;
  stage: NameState['stage'] | undefined;
  /** Whether `email` replaces the current address when its owner confirms it. */
  waits: boolean;
  /** Where mail is forwarded until then. */
  forwardedTo: string | null;
}

export async function changeForwarding(
  trx: Transaction,
  app: ChangeServices,
  request: AddressChange,
): Promise<ForwardingResult> {
  const { accountId, operator } = request;
  const settings = await lockForwardingSettings(trx, accountId);
  if (!settings) throw refuse('profileNotFound');
  const { display_name: name, address } = settings;
  const requested = requestedAddress(address, request);
  // A stored address is checked again, because the refused domains may have changed.
  if (requested.enabled || request.email) requireAllowedDomain(requested.email ?? '', app.config);
  const facts = await loadFacts(trx, app, request, { name, email: requested.email });
  const step = changeAddress(address, request, facts);
  if ('refusal' in step) throw refuse(step.refusal);
  const authorize = (email: string) => authorizeAddress(trx, app, request, email);
  await runAddressStep(trx, app, { accountId, name, operator, authorize }, step);
  const { state } = step;
  const [alias] = name === null ? [] : await listForwarding(trx, [name]);
  return {
    name,
    email: state.waiting?.email ?? state.email,
    stage: alias && app.forwarding.withStage(alias).stage,
    waits: state.waiting !== undefined,
    forwardedTo: state.enabled ? state.email : null,
  };
}

function requireAllowedDomain(email: string, config: Core['config']): void {
  const problem = explainRefusedDomain(email, config);
  if (!problem) return;
  const isLoop = isSameOrSubdomain(domainOf(email), [config.MAIL_DOMAIN]);
  throw refuse(isLoop ? 'forwardingLoop' : 'forwardingAddressNotAllowed', { problem });
}

async function loadFacts(
  trx: Transaction,
  { outbox }: ChangeServices,
  { accountId, scope, operator, credential }: AddressChange,
  { name, email }: { name: string | null; email: string | null },
): Promise<AddressFacts> {
  return {
    isNamed: name !== null,
    canSendMail: outbox.isAvailable,
    wasConfirmed: email !== null && (await isDestinationConfirmed(trx, accountId, email)),
    isOperator: scope === 'operator' && (await isOperator(trx, accountId)),
    scope: scope === 'operator' ? scope : 'all',
    actor: operator === undefined ? credentialId(credential) : OPERATOR_ACTOR,
  };
}

async function authorizeAddress(
  trx: Transaction,
  { config, outbox }: ChangeServices,
  { accountId, credential, scope, operator }: AddressChange,
  email: string,
): Promise<void> {
  if (operator !== undefined) return;
  // If the server can send mail, it will send login links to this address.
  const requireLogin = outbox.isAvailable ? requirePermissionToAddLogin : requireRecentLogin;
  await requireLogin(trx, { accountId, credential, scope });
  const { count, retryAfterSeconds } = await recordDestination(trx, accountId, email);
  if (config.TRUST_ACCOUNTS === 'true' || count <= NEW_DESTINATIONS_PER_DAY) return;
  throw refuse('forwardingAddressLimitReached', retryAfter(retryAfterSeconds * 1_000));
}

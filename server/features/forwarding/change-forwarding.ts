import { FORWARDING_REFUSALS } from '#contract/email-forwarding.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  cancelConfirmations,
  type Confirmation,
  findConfirmation,
  isDestinationConfirmed,
  setDestinationConfirmed,
} from '#db/queries/confirmations.ts';
import { recordDestination } from '#db/queries/forwarding-destinations.ts';
import {
  type LockedForwardingSettings,
  lockForwardingSettings,
  storeAddress,
} from '#db/queries/forwarding-settings.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { isOperator } from '#db/queries/operators.ts';
import { listForwarding } from '#db/queries/provider-aliases.ts';
import type { Core } from '#server/core.ts';
import { type Caller, credentialId, OPERATOR_ACTOR } from '#server/platform/caller.ts';
import { requireRecentLogin } from '#server/platform/http/access/recent-login.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { hashToken, isToken } from '#server/platform/secrets/token.ts';
import { logEvent } from '../events/log-event.ts';
import { domainOf, explainRefusedDomain, isSameOrSubdomain } from './allowed-domains.ts';
import { changeMail, confirmationMail, mailDestination } from './destination-mails.ts';
import { enqueueAccountSync, type ForwardingService, type StagedForwarding } from './forwarding.ts';
import {
  type AddressFacts,
  type AddressRequest,
  type AddressStep,
  changeAddress,
  clearAddress,
  confirmAddress,
  resolveRequest,
} from './next-address.ts';

const refuse = createRefuser(FORWARDING_REFUSALS);

/** Per account. Each new address costs a confirmation mail and a rule at the forwarding provider. */
const NEW_DESTINATIONS_PER_DAY = 5;

type AddressServices = Pick<Core, 'allowances' | 'jobs' | 'outbox'> & {
  forwarding: ForwardingService;
};

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
  stage: StagedForwarding['stage'] | undefined;
  /** Whether `email` replaces the current address when its owner confirms it. */
  isWaiting: boolean;
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
  const requested = resolveRequest(address, request);
  // A stored address is checked again, because the refused domains may have changed.
  if (requested.enabled || request.email) requireAllowedDomain(requested.email ?? '', app.config);
  const facts = await loadFacts(trx, app, request, { name, email: requested.email });
  const step = changeAddress(address, request, facts);
  if ('refusal' in step) throw refuse(step.refusal);
  if (step.newLogin !== undefined && operator === undefined)
    await authorizeAddress(trx, app, request, step.newLogin);
  await applyStep(trx, app, { accountId, name, operator }, step);
  const { state } = step;
  const [alias] = name === null ? [] : await listForwarding(trx, [name]);
  return {
    name,
    email: state.waiting?.email ?? state.email,
    stage: alias && app.forwarding.addStage(alias).stage,
    isWaiting: state.waiting !== undefined,
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
    isOperator: await isOperator(trx, accountId),
    scope: scope === 'operator' ? scope : 'all',
    actor: operator === undefined ? credentialId(credential) : OPERATOR_ACTOR,
  };
}

async function authorizeAddress(
  trx: Transaction,
  { config }: ChangeServices,
  { accountId, credential }: AddressChange,
  email: string,
): Promise<void> {
  await requireRecentLogin(trx, { credential });
  const { count, retryAfterSeconds } = await recordDestination(trx, accountId, email);
  if (config.TRUST_ACCOUNTS === 'true' || count <= NEW_DESTINATIONS_PER_DAY) return;
  throw refuse('forwardingAddressLimitReached', retryAfter(retryAfterSeconds * 1_000));
}

/** Runs the effects in the order of their locks. The caller holds those of `lockForwardingSettings`. */
async function applyStep(
  trx: Transaction,
  app: AddressServices,
  owner: { accountId: string; name: string | null; operator?: string | null | undefined },
  step: AddressStep,
): Promise<void> {
  const { accountId, operator } = owner;
  const { state, noticeToFormer, confirmationTo } = step;
  if (step.cancelsConfirmations) await cancelConfirmations(trx, accountId);
  if (noticeToFormer) {
    const mail = {
      accountId,
      operator,
      name: owner.name ?? noticeToFormer.address,
      ...noticeToFormer,
    };
    await mailDestination(trx, app.outbox, changeMail, mail);
  }
  if (confirmationTo) {
    const { isRequired, ...asked } = confirmationTo;
    const mail = { accountId, operator, name: owner.name ?? asked.address, ...asked };
    const isSent = await mailDestination(trx, app.outbox, confirmationMail, mail);
    if (isRequired && !isSent) throw refuse('forwardingAddressLimitReached', retryAfter(DAY_MS));
  }
  await storeAddress(trx, accountId, state);
  if (step.syncsAliases) await enqueueAccountSync(trx, app.forwarding, accountId);
  if (step.endsLoginLinks) await deleteLoginLinks(trx, accountId);
  if (!step.log) return;
  // The event does not contain the address, because events are kept longer than addresses.
  const { isReplaced: destination_changed, by } = step.log;
  const detail = { enabled: state.enabled, destination_changed, by };
  await logEvent(trx, app, { accountId, type: 'forwarding_updated', detail });
}

/** Does not sync the aliases. */
export async function clearForwarding(
  trx: Transaction,
  app: AddressServices,
  accountId: string,
  { display_name: name, address }: LockedForwardingSettings,
): Promise<void> {
  const step = clearAddress(address);
  if (step) await applyStep(trx, app, { accountId, name }, step);
}

export async function findConfirmationByToken(
  readDb: ReadDatabase,
  token: string,
): Promise<Confirmation | undefined> {
  return isToken(token) ? findConfirmation(readDb, hashToken(token)) : undefined;
}

/** Resolves to undefined if the link is invalid. Each link works once. */
export async function confirmWithToken(
  app: AddressServices & Pick<Core, 'db'>,
  token: string,
): Promise<Confirmation | undefined> {
  const tokenHash = hashToken(token);
  return inTransaction(app.db, async (trx) => {
    const unlocked = await findConfirmation(trx, tokenHash);
    if (!unlocked) return undefined;
    const { accountId } = unlocked;
    const settings = await lockForwardingSettings(trx, accountId);
    // The address may have changed before this transaction got the lock.
    const confirmation = await findConfirmation(trx, tokenHash);
    const step = settings && confirmAddress(settings.address);
    if (!step || !confirmation) return undefined;
    await setDestinationConfirmed(trx, confirmation.id);
    await applyStep(trx, app, { accountId, name: settings.display_name }, step);
    return confirmation;
  });
}

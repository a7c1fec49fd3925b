import type { LoginScope } from '#db/schema.ts';
import type { AddressState, WaitingAddress } from '#db/queries/forwarding-settings.ts';

/** Default: the waiting address, otherwise the current one; forwarded or not as before. */
export interface AddressRequest {
  email?: string | null | undefined;
  enabled?: boolean | undefined;
}

export interface AddressFacts {
  /** Whether the account has a display name. */
  isNamed: boolean;
  canSendMail: boolean;
  /** Whether the account ever confirmed the requested address. */
  wasConfirmed: boolean;
  isOperator: boolean;
  /** Rights that the sender's login can give to logins with the address. */
  scope: LoginScope;
  /** Id of the sender's credential, or `OPERATOR_ACTOR`. */
  actor: string;
}

export type AddressEffect =
  /** Refuses unless the sender may add a login with the address. */
  | { kind: 'authorize'; email: string }
  | { kind: 'cancelConfirmations' }
  | { kind: 'mailChange'; to: string; isForwarding: boolean; waits?: boolean }
  /** Refuses if the mail is required but over a limit. */
  | { kind: 'mailConfirmation'; to: string; isForwarding: boolean; isRequired: boolean }
  | { kind: 'store' }
  | { kind: 'syncAliases' }
  | { kind: 'endLoginLinks' }
  | { kind: 'log'; isReplaced: boolean; by: string };

export interface AddressStep {
  state: AddressState;
  /** In the order of their locks. */
  effects: AddressEffect[];
}

type AddressRefusal = 'displayNameNotSet' | 'forwardingAddressMissing';

/** The address that stays in use while another one waits. Null if none would. */
function currentEmail(state: AddressState): string | null {
  const isInUse = state.kind === 'confirmed' || (state.kind === 'unchecked' && state.enabled);
  return isInUse ? state.email : state.loginEmail;
}

export function requestedAddress(
  { email, enabled, waiting }: AddressState,
  request: AddressRequest,
): { email: string | null; enabled: boolean } {
  return {
    email: request.email ?? waiting?.email ?? email,
    enabled: request.enabled ?? waiting?.enabled ?? enabled,
  };
}

export function changeAddress(
  state: AddressState,
  request: AddressRequest,
  facts: AddressFacts,
): AddressStep | { refusal: AddressRefusal } {
  const { email, enabled } = requestedAddress(state, request);
  if (enabled && !facts.isNamed) return { refusal: 'displayNameNotSet' };
  if (email === null && enabled) return { refusal: 'forwardingAddressMissing' };
  if (email === null) return { state, effects: [{ kind: 'store' }, { kind: 'syncAliases' }] };
  const isSent = Boolean(request.email);
  const { rights, isEntered } = decideRights(state, email, { ...facts, isSent });
  const kind = decideKind(state, email, facts);
  const waits = kind === 'unconfirmed' && currentEmail(state) !== null;
  const next = waits
    ? wait(state, { email, enabled, ...rights })
    : replace(state, { kind, email, enabled, scope: rights.scope });
  const effects: AddressEffect[] = isEntered ? [{ kind: 'authorize', email }] : [];
  effects.push(...tellFormerOwner(state, email, kind));
  if (kind !== 'confirmed' && facts.canSendMail && (enabled || isSent))
    effects.push({
      kind: 'mailConfirmation',
      to: email,
      isForwarding: enabled,
      isRequired: isSent,
    });
  effects.push({ kind: 'store' });
  if (!(waits && next.enabled)) effects.push({ kind: 'syncAliases' });
  const isReplaced = next.email !== state.email;
  if (isReplaced && state.kind !== 'none') effects.push({ kind: 'endLoginLinks' });
  if (isReplaced || next.enabled !== state.enabled)
    effects.push({ kind: 'log', isReplaced, by: facts.actor });
  return { state: next, effects };
}

/** Rights of logins with the address, and whether this request enters it. */
function decideRights(
  state: AddressState,
  email: string,
  { isSent, scope, isOperator, actor }: AddressFacts & { isSent: boolean },
): { rights: { scope: LoginScope; enteredBy: string }; isEntered: boolean } {
  const waiting = state.waiting?.email === email ? state.waiting : undefined;
  const rights = waiting ?? { scope: state.scope, enteredBy: actor };
  const isNew = !waiting && email !== state.email;
  // If an operator sends a stored address again, its login links get the operator's rights.
  const isRaised = isSent && scope === 'operator' && rights.scope === 'all' && isOperator;
  return isNew || isRaised
    ? { rights: { scope, enteredBy: actor }, isEntered: true }
    : { rights: { scope: rights.scope, enteredBy: rights.enteredBy }, isEntered: false };
}

function decideKind(
  state: AddressState,
  email: string,
  { canSendMail, wasConfirmed }: AddressFacts,
): Exclude<AddressState['kind'], 'none'> {
  const isStored = email === state.email;
  if (wasConfirmed || (isStored && state.kind === 'confirmed')) return 'confirmed';
  if (!canSendMail) return 'unchecked';
  // Stays in use, although mail can be sent now.
  const isInUse = isStored && state.kind === 'unchecked' && state.enabled;
  return isInUse ? 'unchecked' : 'unconfirmed';
}

/** Also ends the confirmation of the newest address, if this one is another. */
function tellFormerOwner(
  state: AddressState,
  email: string,
  kind: AddressState['kind'],
): AddressEffect[] {
  if (email === (state.waiting?.email ?? state.email)) return [];
  const isConfirmed = state.kind === 'confirmed';
  const former = isConfirmed ? state.email : state.loginEmail;
  if (former === null || former === email) return [{ kind: 'cancelConfirmations' }];
  const isForwarding = isConfirmed && state.enabled;
  const waits = kind !== 'confirmed';
  return [{ kind: 'cancelConfirmations' }, { kind: 'mailChange', to: former, isForwarding, waits }];
}

function wait(state: AddressState, waiting: WaitingAddress): AddressState {
  if (state.kind === 'none') return { ...state, waiting };
  return { ...state, enabled: state.enabled && waiting.enabled, waiting };
}

/** A confirmed address becomes the login address, too, if the account has one. */
function replace(
  { loginEmail }: AddressState,
  address: Pick<AddressState & { email: string }, 'kind' | 'email' | 'enabled' | 'scope'>,
): AddressState {
  const isLogin = address.kind === 'confirmed' && loginEmail !== null;
  return { ...address, loginEmail: isLogin ? address.email : loginEmail };
}

/** The owner of the newest address used its link. */
export function confirmAddress(state: AddressState): AddressStep | undefined {
  const { waiting } = state;
  const { email, enabled, scope } = waiting ?? state;
  if (email === null) return undefined;
  const effects: AddressEffect[] = [{ kind: 'store' }, { kind: 'syncAliases' }];
  if (waiting)
    effects.push(
      { kind: 'endLoginLinks' },
      { kind: 'log', isReplaced: true, by: waiting.enteredBy },
    );
  return { state: replace(state, { kind: 'confirmed', email, enabled, scope }), effects };
}

/** The owner can still log in with a confirmed address. */
export function clearAddress(state: AddressState): AddressStep {
  const { kind, email, enabled, scope, waiting } = state;
  const loginEmail = kind === 'confirmed' ? email : state.loginEmail;
  const effects: AddressEffect[] = [];
  if (email !== null || waiting) effects.push({ kind: 'cancelConfirmations' }, { kind: 'store' });
  if (email !== null) effects.push({ kind: 'endLoginLinks' });
  if (kind === 'confirmed' && enabled)
    effects.push({ kind: 'mailChange', to: email, isForwarding: true });
  return { state: { kind: 'none', email: null, enabled: false, scope, loginEmail }, effects };
}

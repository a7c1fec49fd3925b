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
  scope: AddressState['scope'];
  /** Id of the sender's credential, or `OPERATOR_ACTOR`. */
  actor: string;
}

/** The next state, and the effects of entering it. */
export interface AddressStep {
  state: AddressState;
  /** The address, if it needs the permission to add a login. */
  newLogin?: string | undefined;
  cancelsConfirmations?: boolean;
  noticeToFormer?: { address: string; isForwarding: boolean; waits?: boolean } | undefined;
  /** The step is refused if a required mail is over a limit. */
  confirmationTo?: { address: string; isForwarding: boolean; isRequired: boolean } | undefined;
  syncsAliases?: boolean;
  endsLoginLinks?: boolean;
  log?: { isReplaced: boolean; by: string } | undefined;
}

type AddressRefusal =
  | 'confirmedAddressProtected'
  | 'displayNameNotSet'
  | 'forwardingAddressMissing';

export function resolveRequest(
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
  const { email, enabled } = resolveRequest(state, request);
  if (enabled && !facts.isNamed) return { refusal: 'displayNameNotSet' };
  if (email === null)
    return enabled ? { refusal: 'forwardingAddressMissing' } : { state, syncsAliases: true };
  const isEmailGiven = Boolean(request.email);
  const { isEntered, scope, enteredBy } = decideRights(state, email, { ...facts, isEmailGiven });
  const former = findConfirmedAddress(state);
  if (isEntered && former !== null && email !== former && facts.isOperator && facts.scope === 'all')
    return { refusal: 'confirmedAddressProtected' };
  const kind = decideKind(state, email, facts);
  const isConfirmed = kind === 'confirmed';
  const mustWait = kind === 'unconfirmed' && findAddressInUse(state) !== null;
  const next: AddressState = mustWait
    ? {
        ...state,
        enabled: state.enabled && enabled,
        waiting: { email, enabled, scope, enteredBy },
      }
    : replaceAddress(state, {
        kind,
        email,
        enabled,
        // The login address keeps its rights while another one is unchecked.
        scope: kind === 'unchecked' && former !== null && former !== email ? state.scope : scope,
      });
  const isChange = email !== (state.waiting?.email ?? state.email);
  const wasForwarding = state.kind === 'confirmed' && state.enabled;
  const needsConfirmation = !isConfirmed && facts.canSendMail && (enabled || isEmailGiven);
  const isReplaced = next.email !== state.email;
  const isLogged = isReplaced || next.enabled !== state.enabled;
  return {
    state: next,
    newLogin: isEntered ? email : undefined,
    cancelsConfirmations: isChange,
    noticeToFormer:
      isChange && former !== null && former !== email
        ? { address: former, isForwarding: wasForwarding, waits: !isConfirmed }
        : undefined,
    confirmationTo: needsConfirmation
      ? { address: email, isForwarding: enabled, isRequired: isEmailGiven }
      : undefined,
    syncsAliases: !(mustWait && next.enabled),
    endsLoginLinks: isReplaced && state.kind !== 'none',
    log: isLogged ? { isReplaced, by: facts.actor } : undefined,
  };
}

/** Rights of logins with the address, and whether this request enters it. */
function decideRights(
  state: AddressState,
  email: string,
  { isEmailGiven, scope, isOperator, actor }: AddressFacts & { isEmailGiven: boolean },
): Pick<WaitingAddress, 'scope' | 'enteredBy'> & { isEntered: boolean } {
  const waiting = state.waiting?.email === email ? state.waiting : undefined;
  const stored = waiting ?? { scope: state.scope, enteredBy: actor };
  const isNew = !waiting && email !== state.email;
  // If an operator sends a stored address again, its login links get the operator's rights.
  const isRaised = isEmailGiven && scope === 'operator' && stored.scope === 'all' && isOperator;
  // After a name change, the confirmed address keeps its rights when a key enters it again.
  const isKept = email === findConfirmedAddress(state) && state.scope === 'operator';
  return isNew || isRaised
    ? { scope: isKept ? 'operator' : scope, enteredBy: actor, isEntered: true }
    : { scope: stored.scope, enteredBy: stored.enteredBy, isEntered: false };
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

/** Stays in use while another address waits. */
function findAddressInUse(state: AddressState): string | null {
  return state.kind === 'unchecked' && state.enabled ? state.email : findConfirmedAddress(state);
}

/** Gets the login links. */
function findConfirmedAddress({ kind, email, loginEmail }: AddressState): string | null {
  return kind === 'confirmed' ? email : loginEmail;
}

/** A confirmed address becomes the login address, too, if the account has one. */
function replaceAddress(
  { loginEmail }: AddressState,
  address: Pick<AddressState & { email: string }, 'kind' | 'email' | 'enabled' | 'scope'>,
): AddressState {
  const isLogin = address.kind === 'confirmed' && loginEmail !== null;
  return { ...address, loginEmail: isLogin ? address.email : loginEmail };
}

/** After the owner of the newest address used its link. Undefined if there is no address. */
export function confirmAddress(state: AddressState): AddressStep | undefined {
  const { waiting } = state;
  const { email, enabled, scope } = waiting ?? state;
  if (email === null) return undefined;
  return {
    state: replaceAddress(state, { kind: 'confirmed', email, enabled, scope }),
    syncsAliases: true,
    endsLoginLinks: waiting !== undefined,
    log: waiting && { isReplaced: true, by: waiting.enteredBy },
  };
}

/** The owner can still log in with a confirmed address. Undefined if there is no address. */
export function clearAddress(state: AddressState): AddressStep | undefined {
  const { kind, email, enabled, scope, waiting } = state;
  if (kind === 'none' && !waiting) return undefined;
  const loginEmail = kind === 'confirmed' ? email : state.loginEmail;
  return {
    state: { kind: 'none', email: null, enabled: false, scope, loginEmail },
    cancelsConfirmations: true,
    endsLoginLinks: kind !== 'none',
    noticeToFormer:
      kind === 'confirmed' && enabled ? { address: email, isForwarding: true } : undefined,
  };
}

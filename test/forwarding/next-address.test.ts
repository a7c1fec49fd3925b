import { expect, it } from 'vitest';
import type { AddressState } from '#db/queries/forwarding-settings.ts';
import {
  type AddressFacts,
  changeAddress,
  clearAddress,
  confirmAddress,
} from '#server/features/forwarding/next-address.ts';

const FACTS: AddressFacts = {
  isNamed: true,
  canSendMail: true,
  wasConfirmed: false,
  isOperator: false,
  scope: 'all',
  actor: 'key',
};

/** Reads a state such as `confirmed a on, login l, b waits off`. */
function parseState(text: string): AddressState {
  const [own = '', ...details] = text.split(', ');
  const [kind, email, on] = own.split(' ');
  const login = details.find((detail) => detail.startsWith('login'))?.split(' ')[1];
  const [waitingEmail, , waitingOn] =
    details.find((detail) => detail.includes('waits'))?.split(' ') ?? [];
  const waiting = waitingEmail && {
    email: waitingEmail,
    enabled: waitingOn === 'on',
    scope: 'all',
    enteredBy: 'former key',
  };
  return {
    kind,
    email: email ?? null,
    enabled: on === 'on',
    scope: 'all',
    loginEmail: login ?? null,
    ...(waiting && { waiting }),
  } as AddressState;
}

function formatState({ kind, email, enabled, loginEmail, waiting }: AddressState): string {
  const on = (isOn: boolean) => (isOn ? 'on' : 'off');
  const own = email === null ? kind : `${kind} ${email} ${on(enabled)}`;
  return [
    own,
    ...(loginEmail === null ? [] : [`login ${loginEmail}`]),
    ...(waiting ? [`${waiting.email} waits ${on(waiting.enabled)}`] : []),
  ].join(', ');
}

/** Takes `confirm`, `clear`, `on`, or `off b`, for example. */
function describeNext(text: string, request: string, facts: Partial<AddressFacts> = {}): string {
  const [on, email] = request.split(' ');
  const change = { enabled: on === 'on', email };
  const state = parseState(text);
  const step =
    request === 'confirm'
      ? confirmAddress(state)
      : request === 'clear'
        ? clearAddress(state)
        : changeAddress(state, change, { ...FACTS, ...facts });
  if (!step) return 'nothing';
  if ('refusal' in step) return step.refusal;
  const { noticeToFormer: tell, confirmationTo: ask, log } = step;
  const effects = [
    step.newLogin && `authorize ${step.newLogin}`,
    step.cancelsConfirmations && 'cancel',
    tell && ['tell', tell.address, tell.isForwarding && 'forwarded', tell.waits && 'waits'],
    ask && ['ask', ask.address, ask.isForwarding && 'forwarded', ask.isRequired && 'required'],
    step.syncsAliases && 'sync',
    step.endsLoginLinks && 'end links',
    log && ['log', log.isReplaced && 'changed', `by ${log.by}`],
  ];
  const texts = effects.map((effect) => [effect].flat().filter(Boolean).join(' '));
  return [formatState(step.state), ...texts.filter(Boolean)].join(' | ');
}

function describeAll(states: string[], requests: string[], facts: Partial<AddressFacts> = {}) {
  const describeState = (state: string) => [
    state,
    ...requests.map((request) => `  ${request.padEnd(8)}${describeNext(state, request, facts)}`),
  ];
  return `\n${states.flatMap(describeState).join('\n')}\n`;
}

const STATES = [
  'none',
  'none, login l',
  'unchecked a off',
  'unchecked a on',
  'unconfirmed a off',
  'unconfirmed a on',
  'confirmed a off',
  'confirmed a on, login a',
  'none, login l, b waits on',
  'unchecked a on, b waits on',
  'confirmed a off, b waits off',
  'confirmed a on, b waits on',
];
const REQUESTS = ['on', 'off', 'on a', 'on b', 'off b', 'confirm', 'clear'];

it('each request leads each state to the next one', () => {
  expect(describeAll(STATES, REQUESTS)).toBe(`
none
  on      forwardingAddressMissing
  off     none | sync
  on a    unconfirmed a on | authorize a | cancel | ask a forwarded required | sync | log changed by key
  on b    unconfirmed b on | authorize b | cancel | ask b forwarded required | sync | log changed by key
  off b   unconfirmed b off | authorize b | cancel | ask b required | sync | log changed by key
  confirm nothing
  clear   nothing
none, login l
  on      forwardingAddressMissing
  off     none, login l | sync
  on a    none, login l, a waits on | authorize a | cancel | tell l waits | ask a forwarded required | sync
  on b    none, login l, b waits on | authorize b | cancel | tell l waits | ask b forwarded required | sync
  off b   none, login l, b waits off | authorize b | cancel | tell l waits | ask b required | sync
  confirm nothing
  clear   nothing
unchecked a off
  on      unconfirmed a on | ask a forwarded | sync | log by key
  off     unconfirmed a off | sync
  on a    unconfirmed a on | ask a forwarded required | sync | log by key
  on b    unconfirmed b on | authorize b | cancel | ask b forwarded required | sync | end links | log changed by key
  off b   unconfirmed b off | authorize b | cancel | ask b required | sync | end links | log changed by key
  confirm confirmed a off | sync
  clear   none | cancel | end links
unchecked a on
  on      unchecked a on | ask a forwarded | sync
  off     unchecked a off | sync | log by key
  on a    unchecked a on | ask a forwarded required | sync
  on b    unchecked a on, b waits on | authorize b | cancel | ask b forwarded required
  off b   unchecked a off, b waits off | authorize b | cancel | ask b required | sync | log by key
  confirm confirmed a on | sync
  clear   none | cancel | end links
unconfirmed a off
  on      unconfirmed a on | ask a forwarded | sync | log by key
  off     unconfirmed a off | sync
  on a    unconfirmed a on | ask a forwarded required | sync | log by key
  on b    unconfirmed b on | authorize b | cancel | ask b forwarded required | sync | end links | log changed by key
  off b   unconfirmed b off | authorize b | cancel | ask b required | sync | end links | log changed by key
  confirm confirmed a off | sync
  clear   none | cancel | end links
unconfirmed a on
  on      unconfirmed a on | ask a forwarded | sync
  off     unconfirmed a off | sync | log by key
  on a    unconfirmed a on | ask a forwarded required | sync
  on b    unconfirmed b on | authorize b | cancel | ask b forwarded required | sync | end links | log changed by key
  off b   unconfirmed b off | authorize b | cancel | ask b required | sync | end links | log changed by key
  confirm confirmed a on | sync
  clear   none | cancel | end links
confirmed a off
  on      confirmed a on | sync | log by key
  off     confirmed a off | sync
  on a    confirmed a on | sync | log by key
  on b    confirmed a off, b waits on | authorize b | cancel | tell a waits | ask b forwarded required | sync
  off b   confirmed a off, b waits off | authorize b | cancel | tell a waits | ask b required | sync
  confirm confirmed a off | sync
  clear   none, login a | cancel | end links
confirmed a on, login a
  on      confirmed a on, login a | sync
  off     confirmed a off, login a | sync | log by key
  on a    confirmed a on, login a | sync
  on b    confirmed a on, login a, b waits on | authorize b | cancel | tell a forwarded waits | ask b forwarded required
  off b   confirmed a off, login a, b waits off | authorize b | cancel | tell a forwarded waits | ask b required | sync | log by key
  confirm confirmed a on, login a | sync
  clear   none, login a | cancel | tell a forwarded | end links
none, login l, b waits on
  on      none, login l, b waits on | ask b forwarded | sync
  off     none, login l, b waits off | sync
  on a    none, login l, a waits on | authorize a | cancel | tell l waits | ask a forwarded required | sync
  on b    none, login l, b waits on | ask b forwarded required | sync
  off b   none, login l, b waits off | ask b required | sync
  confirm confirmed b on, login b | sync | end links | log changed by former key
  clear   none, login l | cancel
unchecked a on, b waits on
  on      unchecked a on, b waits on | ask b forwarded
  off     unchecked a off, b waits off | sync | log by key
  on a    unchecked a on | cancel | ask a forwarded required | sync
  on b    unchecked a on, b waits on | ask b forwarded required
  off b   unchecked a off, b waits off | ask b required | sync | log by key
  confirm confirmed b on | sync | end links | log changed by former key
  clear   none | cancel | end links
confirmed a off, b waits off
  on      confirmed a off, b waits on | ask b forwarded | sync
  off     confirmed a off, b waits off | sync
  on a    confirmed a on | cancel | sync | log by key
  on b    confirmed a off, b waits on | ask b forwarded required | sync
  off b   confirmed a off, b waits off | ask b required | sync
  confirm confirmed b off | sync | end links | log changed by former key
  clear   none, login a | cancel | end links
confirmed a on, b waits on
  on      confirmed a on, b waits on | ask b forwarded
  off     confirmed a off, b waits off | sync | log by key
  on a    confirmed a on | cancel | sync
  on b    confirmed a on, b waits on | ask b forwarded required
  off b   confirmed a off, b waits off | ask b required | sync | log by key
  confirm confirmed b on | sync | end links | log changed by former key
  clear   none, login a | cancel | tell a forwarded | end links
`);
});

it('without a mail server, a new address is used without a confirmation', () => {
  const states = STATES.filter((state) => !state.includes(' off'));
  expect(describeAll(states, ['on', 'on b'], { canSendMail: false })).toBe(`
none
  on      forwardingAddressMissing
  on b    unchecked b on | authorize b | cancel | sync | log changed by key
none, login l
  on      forwardingAddressMissing
  on b    unchecked b on, login l | authorize b | cancel | tell l waits | sync | log changed by key
unchecked a on
  on      unchecked a on | sync
  on b    unchecked b on | authorize b | cancel | sync | end links | log changed by key
unconfirmed a on
  on      unchecked a on | sync
  on b    unchecked b on | authorize b | cancel | sync | end links | log changed by key
confirmed a on, login a
  on      confirmed a on, login a | sync
  on b    unchecked b on, login a | authorize b | cancel | tell a forwarded waits | sync | end links | log changed by key
none, login l, b waits on
  on      unchecked b on, login l | sync | log changed by key
  on b    unchecked b on, login l | sync | log changed by key
unchecked a on, b waits on
  on      unchecked b on | sync | end links | log changed by key
  on b    unchecked b on | sync | end links | log changed by key
confirmed a on, b waits on
  on      unchecked b on | sync | end links | log changed by key
  on b    unchecked b on | sync | end links | log changed by key
`);
});

it('an address that the account confirmed before replaces the current one at once', () => {
  expect(describeAll(STATES, ['on b'], { wasConfirmed: true })).toBe(`
none
  on b    confirmed b on | authorize b | cancel | sync | log changed by key
none, login l
  on b    confirmed b on, login b | authorize b | cancel | tell l | sync | log changed by key
unchecked a off
  on b    confirmed b on | authorize b | cancel | sync | end links | log changed by key
unchecked a on
  on b    confirmed b on | authorize b | cancel | sync | end links | log changed by key
unconfirmed a off
  on b    confirmed b on | authorize b | cancel | sync | end links | log changed by key
unconfirmed a on
  on b    confirmed b on | authorize b | cancel | sync | end links | log changed by key
confirmed a off
  on b    confirmed b on | authorize b | cancel | tell a | sync | end links | log changed by key
confirmed a on, login a
  on b    confirmed b on, login b | authorize b | cancel | tell a forwarded | sync | end links | log changed by key
none, login l, b waits on
  on b    confirmed b on, login b | sync | log changed by key
unchecked a on, b waits on
  on b    confirmed b on | sync | end links | log changed by key
confirmed a off, b waits off
  on b    confirmed b on | sync | end links | log changed by key
confirmed a on, b waits on
  on b    confirmed b on | sync | end links | log changed by key
`);
});

it('forwarding needs a display name', () => {
  const facts = { isNamed: false };
  expect(describeNext('confirmed a off', 'on', facts)).toBe('displayNameNotSet');
  expect(describeNext('confirmed a on', 'off', facts)).toContain('confirmed a off');
});

it('logins with an address have the rights of the login that entered it', () => {
  const state = parseState('confirmed a on, b waits on');
  const operator = { ...FACTS, scope: 'operator', isOperator: true, actor: 'session' } as const;
  const readRights = (email: string | null, facts: AddressFacts) => {
    const step = changeAddress(state, { email, enabled: true }, facts);
    if ('refusal' in step) return step;
    const { scope, waiting } = step.state;
    return [scope, waiting?.scope, waiting?.enteredBy, step.newLogin !== undefined];
  };
  expect(readRights('c', operator)).toEqual(['all', 'operator', 'session', true]);
  expect(readRights('c', FACTS)).toEqual(['all', 'all', 'key', true]);
  // A stored address keeps its rights, unless an operator of the server sends it again.
  expect(readRights('b', operator)).toEqual(['all', 'operator', 'session', true]);
  expect(readRights('a', operator)).toEqual(['operator', undefined, undefined, true]);
  expect(readRights(null, operator)).toEqual(['all', 'all', 'former key', false]);
  expect(readRights('b', { ...operator, isOperator: false })).toEqual([
    ...['all', 'all', 'former key', false],
  ]);
  expect(readRights('b', FACTS)).toEqual(['all', 'all', 'former key', false]);
  const waiting = { ...state.waiting!, scope: 'operator' as const };
  expect(confirmAddress({ ...state, waiting })?.state.scope).toBe('operator');
  expect(clearAddress({ ...state, scope: 'operator' })?.state.scope).toBe('operator');
});

it('an address that only a key of the scope all entered never gets login links of an operator', () => {
  type Reached = { state: AddressState; confirmed: string[] };
  const thief = { email: 'thief', scope: 'all' } as const;
  const operator = { email: 'operator', scope: 'operator' } as const;
  const requests = [thief, operator, { ...thief, email: null }, { ...operator, email: null }];
  const changes = requests.flatMap((request) =>
    [true, false].flatMap((enabled) =>
      [true, false].map((canSendMail) => ({ ...request, enabled, canSendMail })),
    ),
  );
  const reached = new Map<string, Reached>();
  const visit = (next: Reached) => void reached.set(JSON.stringify(next), next);
  visit({ state: parseState('none'), confirmed: [] });
  // The loop also visits entries that are added during it.
  for (const { state, confirmed } of reached.values()) {
    const loginAddress = state.kind === 'confirmed' ? state.email : state.loginEmail;
    expect([loginAddress, state.scope]).not.toEqual(['thief', 'operator']);
    for (const { email, enabled, canSendMail, scope } of changes) {
      const requested = email ?? state.waiting?.email ?? state.email;
      const wasConfirmed = requested !== null && confirmed.includes(requested);
      const facts = { ...FACTS, isOperator: true, scope, actor: scope, canSendMail, wasConfirmed };
      const step = changeAddress(state, { email, enabled }, facts);
      if (!('refusal' in step)) visit({ state: step.state, confirmed });
    }
    const { state: afterConfirmation } = confirmAddress(state) ?? {};
    if (afterConfirmation)
      visit({
        state: afterConfirmation,
        confirmed: [...new Set([...confirmed, afterConfirmation.email!])].toSorted(),
      });
    const { state: afterRename } = clearAddress(state) ?? {};
    if (afterRename) visit({ state: afterRename, confirmed });
  }
  expect(reached.size).toBeGreaterThan(50);
});

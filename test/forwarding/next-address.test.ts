import { expect, it } from 'vitest';
import type { AddressState } from '#db/queries/forwarding-settings.ts';
import {
  type AddressEffect,
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

function formatEffect(effect: AddressEffect): string {
  switch (effect.kind) {
    case 'authorize':
      return `authorize ${effect.email}`;
    case 'mailChange':
      return `tell ${effect.to}${effect.isForwarding ? ' forwarded' : ''}${effect.waits ? ' waits' : ''}`;
    case 'mailConfirmation':
      return `ask ${effect.to}${effect.isForwarding ? ' forwarded' : ''}${effect.isRequired ? ' required' : ''}`;
    case 'log':
      return `log${effect.isReplaced ? ' replaced' : ''} by ${effect.by}`;
    case 'cancelConfirmations':
      return 'cancel';
    case 'syncAliases':
      return 'sync';
    case 'endLoginLinks':
      return 'end links';
    case 'store':
      return 'store';
  }
}

/** Takes `confirm`, `clear`, `on`, or `off b`, for example. */
function describeNext(text: string, request: string, facts: Partial<AddressFacts>): string {
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
  return [formatState(step.state), ...step.effects.map(formatEffect)].join(' | ');
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
  off     none | store | sync
  on a    unconfirmed a on | authorize a | cancel | ask a forwarded required | store | sync | log replaced by key
  on b    unconfirmed b on | authorize b | cancel | ask b forwarded required | store | sync | log replaced by key
  off b   unconfirmed b off | authorize b | cancel | ask b required | store | sync | log replaced by key
  confirm nothing
  clear   none
none, login l
  on      forwardingAddressMissing
  off     none, login l | store | sync
  on a    none, login l, a waits on | authorize a | cancel | tell l waits | ask a forwarded required | store | sync
  on b    none, login l, b waits on | authorize b | cancel | tell l waits | ask b forwarded required | store | sync
  off b   none, login l, b waits off | authorize b | cancel | tell l waits | ask b required | store | sync
  confirm nothing
  clear   none, login l
unchecked a off
  on      unconfirmed a on | ask a forwarded | store | sync | log by key
  off     unconfirmed a off | store | sync
  on a    unconfirmed a on | ask a forwarded required | store | sync | log by key
  on b    unconfirmed b on | authorize b | cancel | ask b forwarded required | store | sync | end links | log replaced by key
  off b   unconfirmed b off | authorize b | cancel | ask b required | store | sync | end links | log replaced by key
  confirm confirmed a off | store | sync
  clear   none | cancel | store | end links
unchecked a on
  on      unchecked a on | ask a forwarded | store | sync
  off     unchecked a off | store | sync | log by key
  on a    unchecked a on | ask a forwarded required | store | sync
  on b    unchecked a on, b waits on | authorize b | cancel | ask b forwarded required | store
  off b   unchecked a off, b waits off | authorize b | cancel | ask b required | store | sync | log by key
  confirm confirmed a on | store | sync
  clear   none | cancel | store | end links
unconfirmed a off
  on      unconfirmed a on | ask a forwarded | store | sync | log by key
  off     unconfirmed a off | store | sync
  on a    unconfirmed a on | ask a forwarded required | store | sync | log by key
  on b    unconfirmed b on | authorize b | cancel | ask b forwarded required | store | sync | end links | log replaced by key
  off b   unconfirmed b off | authorize b | cancel | ask b required | store | sync | end links | log replaced by key
  confirm confirmed a off | store | sync
  clear   none | cancel | store | end links
unconfirmed a on
  on      unconfirmed a on | ask a forwarded | store | sync
  off     unconfirmed a off | store | sync | log by key
  on a    unconfirmed a on | ask a forwarded required | store | sync
  on b    unconfirmed b on | authorize b | cancel | ask b forwarded required | store | sync | end links | log replaced by key
  off b   unconfirmed b off | authorize b | cancel | ask b required | store | sync | end links | log replaced by key
  confirm confirmed a on | store | sync
  clear   none | cancel | store | end links
confirmed a off
  on      confirmed a on | store | sync | log by key
  off     confirmed a off | store | sync
  on a    confirmed a on | store | sync | log by key
  on b    confirmed a off, b waits on | authorize b | cancel | tell a waits | ask b forwarded required | store | sync
  off b   confirmed a off, b waits off | authorize b | cancel | tell a waits | ask b required | store | sync
  confirm confirmed a off | store | sync
  clear   none, login a | cancel | store | end links
confirmed a on, login a
  on      confirmed a on, login a | store | sync
  off     confirmed a off, login a | store | sync | log by key
  on a    confirmed a on, login a | store | sync
  on b    confirmed a on, login a, b waits on | authorize b | cancel | tell a forwarded waits | ask b forwarded required | store
  off b   confirmed a off, login a, b waits off | authorize b | cancel | tell a forwarded waits | ask b required | store | sync | log by key
  confirm confirmed a on, login a | store | sync
  clear   none, login a | cancel | store | end links | tell a forwarded
none, login l, b waits on
  on      none, login l, b waits on | ask b forwarded | store | sync
  off     none, login l, b waits off | store | sync
  on a    none, login l, a waits on | authorize a | cancel | tell l waits | ask a forwarded required | store | sync
  on b    none, login l, b waits on | ask b forwarded required | store | sync
  off b   none, login l, b waits off | ask b required | store | sync
  confirm confirmed b on, login b | store | sync | end links | log replaced by former key
  clear   none, login l | cancel | store
unchecked a on, b waits on
  on      unchecked a on, b waits on | ask b forwarded | store
  off     unchecked a off, b waits off | store | sync | log by key
  on a    unchecked a on | cancel | ask a forwarded required | store | sync
  on b    unchecked a on, b waits on | ask b forwarded required | store
  off b   unchecked a off, b waits off | ask b required | store | sync | log by key
  confirm confirmed b on | store | sync | end links | log replaced by former key
  clear   none | cancel | store | end links
confirmed a off, b waits off
  on      confirmed a off, b waits on | ask b forwarded | store | sync
  off     confirmed a off, b waits off | store | sync
  on a    confirmed a on | cancel | store | sync | log by key
  on b    confirmed a off, b waits on | ask b forwarded required | store | sync
  off b   confirmed a off, b waits off | ask b required | store | sync
  confirm confirmed b off | store | sync | end links | log replaced by former key
  clear   none, login a | cancel | store | end links
confirmed a on, b waits on
  on      confirmed a on, b waits on | ask b forwarded | store
  off     confirmed a off, b waits off | store | sync | log by key
  on a    confirmed a on | cancel | store | sync
  on b    confirmed a on, b waits on | ask b forwarded required | store
  off b   confirmed a off, b waits off | ask b required | store | sync | log by key
  confirm confirmed b on | store | sync | end links | log replaced by former key
  clear   none, login a | cancel | store | end links | tell a forwarded
`);
});

it('without a mail server, a new address is used without a confirmation', () => {
  const states = STATES.filter((state) => !state.includes(' off'));
  expect(describeAll(states, ['on', 'on b'], { canSendMail: false })).toBe(`
none
  on      forwardingAddressMissing
  on b    unchecked b on | authorize b | cancel | store | sync | log replaced by key
none, login l
  on      forwardingAddressMissing
  on b    unchecked b on, login l | authorize b | cancel | tell l waits | store | sync | log replaced by key
unchecked a on
  on      unchecked a on | store | sync
  on b    unchecked b on | authorize b | cancel | store | sync | end links | log replaced by key
unconfirmed a on
  on      unchecked a on | store | sync
  on b    unchecked b on | authorize b | cancel | store | sync | end links | log replaced by key
confirmed a on, login a
  on      confirmed a on, login a | store | sync
  on b    unchecked b on, login a | authorize b | cancel | tell a forwarded waits | store | sync | end links | log replaced by key
none, login l, b waits on
  on      unchecked b on, login l | store | sync | log replaced by key
  on b    unchecked b on, login l | store | sync | log replaced by key
unchecked a on, b waits on
  on      unchecked b on | store | sync | end links | log replaced by key
  on b    unchecked b on | store | sync | end links | log replaced by key
confirmed a on, b waits on
  on      unchecked b on | store | sync | end links | log replaced by key
  on b    unchecked b on | store | sync | end links | log replaced by key
`);
});

it('an address that the account confirmed before replaces the current one at once', () => {
  expect(describeAll(STATES, ['on b'], { wasConfirmed: true })).toBe(`
none
  on b    confirmed b on | authorize b | cancel | store | sync | log replaced by key
none, login l
  on b    confirmed b on, login b | authorize b | cancel | tell l | store | sync | log replaced by key
unchecked a off
  on b    confirmed b on | authorize b | cancel | store | sync | end links | log replaced by key
unchecked a on
  on b    confirmed b on | authorize b | cancel | store | sync | end links | log replaced by key
unconfirmed a off
  on b    confirmed b on | authorize b | cancel | store | sync | end links | log replaced by key
unconfirmed a on
  on b    confirmed b on | authorize b | cancel | store | sync | end links | log replaced by key
confirmed a off
  on b    confirmed b on | authorize b | cancel | tell a | store | sync | end links | log replaced by key
confirmed a on, login a
  on b    confirmed b on, login b | authorize b | cancel | tell a forwarded | store | sync | end links | log replaced by key
none, login l, b waits on
  on b    confirmed b on, login b | store | sync | log replaced by key
unchecked a on, b waits on
  on b    confirmed b on | store | sync | end links | log replaced by key
confirmed a off, b waits off
  on b    confirmed b on | store | sync | end links | log replaced by key
confirmed a on, b waits on
  on b    confirmed b on | store | sync | end links | log replaced by key
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
    const isAuthorized = step.effects.some(({ kind }) => kind === 'authorize');
    return [scope, waiting?.scope, waiting?.enteredBy, isAuthorized];
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
  expect(clearAddress({ ...state, scope: 'operator' }).state.scope).toBe('operator');
});

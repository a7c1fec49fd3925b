import { expect, it } from 'vitest';
import {
  type Connection,
  type Delivery,
  describeState,
  withProblemsFirst,
} from '#dashboard/screens/connections/connection-state.ts';
import { describeTypes, switchTypes } from '#dashboard/screens/connections/event-groups.ts';

const NOW = new Date('2026-01-31T14:40:00');
const at = (time: string) => new Date(`2026-01-31T${time}`).toISOString();

const delivery: Delivery = {
  id: 'd',
  type: 'alert_firing',
  summary: 'Alert',
  data: { project: 'Shop', text: 'It is now 12.' },
  status: 'delivered',
  attempts: 1,
  error: null,
  response_status: 200,
  response: null,
  duration_ms: 80,
  created_at: at('14:38:00'),
  attempted_at: at('14:38:00'),
};

const connection: Connection = {
  id: 'c',
  kind: 'webhook',
  name: 'Shop',
  target: 'https://shop.example/…',
  event_types: [],
  created_at: at('09:00:00'),
  disabled_at: null,
  disabled_reason: null,
  failing_since: null,
  next_attempt_at: null,
  pending: 0,
  former_secret_until: null,
  last_delivery: delivery,
};

const failing: Connection = {
  ...connection,
  failing_since: at('14:02:00'),
  next_attempt_at: at('14:45:00'),
  pending: 3,
  last_delivery: {
    ...delivery,
    status: 'pending',
    error: 'It answered 404.',
    response_status: 404,
  },
};

it.each<[string, Partial<Connection>, string, string]>([
  ['delivered', {}, 'good', 'Delivered 2 minutes ago'],
  [
    'delivered, then sent again in vain',
    { last_delivery: { ...delivery, error: 'It answered 500.', response_status: 500 } },
    'bad',
    'Failed 2 minutes ago · responds with 500',
  ],
  ['new', { last_delivery: null }, 'off', 'Nothing sent yet'],
  ['failing', failing, 'bad', 'Failing since 2:02 PM · responds with 404'],
  [
    'gone',
    { disabled_at: at('10:00:00'), disabled_reason: 'gone' },
    'bad',
    'Switched off: its address or token is no longer valid',
  ],
  [
    'off',
    { ...failing, disabled_at: at('10:00:00'), disabled_reason: 'owner' },
    'off',
    'Switched off',
  ],
  ['unreadable', { target: null }, 'bad', 'Address not readable'],
  ['without an address', { kind: 'email', target: null }, 'bad', 'No confirmed address'],
  [
    'refused',
    {
      last_delivery: { ...delivery, status: 'failed', response_status: null, error: 'No answer.' },
    },
    'bad',
    'Failed 2 minutes ago · No answer.',
  ],
])('the state of a connection in a line %s', (_name, change, tone, text) => {
  const state = describeState({ ...connection, ...change }, NOW);
  expect([state.tone, state.text]).toEqual([tone, text]);
});

it('failing connections come first, and say what waits and when they are tried again', () => {
  const off = { ...connection, id: 'off', target: null };
  const ids = withProblemsFirst([connection, off, { ...failing, id: 'f' }]).map(({ id }) => id);
  expect(ids).toEqual(['f', 'off', 'c']);
  const { advice } = describeState(failing, NOW);
  expect(advice).toBe('3 deliveries are waiting. The next attempt is in 5 minutes.');
  const soon = { ...failing, next_attempt_at: at('14:40:20') };
  expect(describeState(soon, NOW).advice).toMatch(/The next attempt is in a few seconds\.$/);
});

it('a test that failed is not repeated', () => {
  const test: Delivery = { ...delivery, type: 'test', status: 'failed', error: 'No answer.' };
  const { advice } = describeState({ ...connection, last_delivery: test }, NOW);
  expect(advice).toBe('Tests are not repeated. Fix the cause, then send another test.');
});

it('types are switched in the order of the contract and described by group or, if some are missing, by name', () => {
  const types = switchTypes(['key_created'], ['alert_recovered', 'alert_firing'], true);
  expect(types).toEqual(['key_created', 'alert_firing', 'alert_recovered']);
  expect(describeTypes(types)).toBe('API key created, My metrics');
});

import type { EventRow } from '#db/queries/events.ts';
import { OPERATOR } from '#server/caller.ts';

/** Detail of an event beside its type. */
interface Detail {
  from?: string | null;
  to?: string;
  enabled?: boolean;
  destination_changed?: boolean;
  via?: 'link' | 'key' | 'passkey' | 'oidc';
  reason?: string;
  sessions?: number;
  key_id?: string;
  label?: string | null;
  scope?: string;
  by?: string;
  alert?: string;
  domain?: string;
  text?: string;
}

/** Why a login with a key was refused, as its owner is told. */
const REASONS: Readonly<Record<string, string>> = {
  secretWrong: 'its secret was wrong',
  keyRevoked: 'it is revoked',
  keyExpired: 'it has expired',
  accountSuspended: 'the account is suspended',
  insufficientScope: 'it does not have full access',
};

const SCOPES: Readonly<Record<string, string>> = {
  all: 'with full access',
  read: 'for reading only',
  metrics: 'for sending metrics',
  operator: 'with full access and the rights of an operator',
};

const WORDS: Record<EventRow['type'], (detail: Detail, isFailed: boolean) => string> = {
  display_name_updated: ({ from, to }) =>
    `Display name changed${from ? ` from ${from}` : ''} to ${to}`,
  forwarding_updated: ({ enabled, destination_changed: isElsewhere }) =>
    `Email forwarding turned ${enabled ? 'on' : 'off'}${isElsewhere ? ' with a new destination' : ''}`,
  chat_message_sent: ({ text }, isFailed) =>
    `Chat message ${isFailed ? 'could not be ' : ''}sent${text ? `: ${text}` : ''}`,
  chat_message_edited: (_, isFailed) => `Chat message ${isFailed ? 'could not be ' : ''}edited`,
  logged_in: (detail) => `Signed in with ${wayOf(detail)}`,
  login_failed: (detail) =>
    `Sign-in with the key ${keyOf(detail)} refused: ${detail.reason && REASONS[detail.reason]}`,
  logged_out: () => 'Signed out',
  session_ended: () => 'Session ended',
  sessions_ended: ({ sessions }) =>
    sessions === 1 ? 'All sessions ended (1 session)' : `All sessions ended (${sessions} sessions)`,
  key_created: (detail) => `Key ${keyOf(detail)} created ${detail.scope && SCOPES[detail.scope]}`,
  key_revoked: (detail) => `Key ${keyOf(detail)} revoked`,
  passkey_added: ({ label }) => `Passkey${label ? ` ${label}` : ''} added`,
  passkey_removed: ({ label }) => `Passkey${label ? ` ${label}` : ''} removed`,
  identity_linked: ({ label }) => `Single sign-on${label ? ` as ${label}` : ''} linked`,
  identity_unlinked: ({ label }) => `Single sign-on${label ? ` as ${label}` : ''} unlinked`,
  account_suspended: () => 'Account suspended',
  account_resumed: () => 'Account resumed',
  page_changed: () => 'Page changed',
  alert_firing: ({ alert }) => `Alert: ${alert}`,
  alert_recovered: ({ alert }) => `Alert over: ${alert}`,
  page_visibility_changed: ({ enabled }) => (enabled ? 'Page made visible' : 'Page hidden'),
  domain_added: ({ domain }) => `Domain ${domain} added`,
  domain_verified: ({ domain }) => `Domain ${domain} verified`,
  domain_lost: ({ domain }) => `Domain ${domain} lost: its proof is gone`,
  domain_removed: ({ domain }) => `Domain ${domain} removed`,
};

/** Key labels by key id. */
type Labels = ReadonlyMap<string, string | null>;

/** Short description of an event, with the labels of its keys. */
export function summaryOf(
  { type, outcome, detail }: Pick<EventRow, 'type' | 'outcome' | 'detail'>,
  labels: Labels = new Map(),
): string {
  const label = (detail as Detail).label ?? labels.get((detail as Detail).key_id ?? '');
  const labelled = label ? { ...detail, label } : detail;
  return WORDS[type](labelled, outcome === 'failed') + doerOf(detail, labels);
}

function wayOf(detail: Detail): string {
  if (detail.via === 'oidc') return 'single sign-on';
  return detail.via === 'key' ? `the key ${keyOf(detail)}` : `a ${detail.via}`;
}

function keyOf({ key_id: id, label }: Detail): string {
  return label || `${id}`;
}

/** A session is its owner's: who used a key, or runs the service, is told. */
function doerOf({ by }: Detail, labels: Labels): string {
  if (by === OPERATOR) return ' by the operator of this server';
  return by?.startsWith('np_') ? ` by the key ${labels.get(by) || by}` : '';
}

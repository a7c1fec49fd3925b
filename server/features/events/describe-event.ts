import type { EventRow } from '#db/queries/events.ts';
import { OPERATOR_ACTOR } from '#server/caller.ts';

interface EventDetail {
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

const LOGIN_FAILURE_REASONS: Readonly<Record<string, string>> = {
  secretWrong: 'its secret was wrong',
  keyRevoked: 'it is revoked',
  keyExpired: 'it has expired',
  accountSuspended: 'the account is suspended',
  insufficientScope: 'it does not have full access',
};

const SCOPE_LABELS: Readonly<Record<string, string>> = {
  all: 'with full access',
  read: 'for reading only',
  metrics: 'for sending metrics only',
  operator: 'with full access and operator rights',
};

const SUMMARY_BY_TYPE: Record<
  EventRow['type'],
  (detail: EventDetail, isFailed: boolean) => string
> = {
  display_name_updated: ({ from, to }) =>
    `Display name changed${from ? ` from ${from}` : ''} to ${to}`,
  forwarding_updated: ({ enabled, destination_changed: isNewDestination }) =>
    `Email forwarding turned ${enabled ? 'on' : 'off'}${isNewDestination ? ' with a new destination' : ''}`,
  chat_message_sent: ({ text }, isFailed) =>
    `Chat message ${isFailed ? 'could not be ' : ''}sent${text ? `: ${text}` : ''}`,
  chat_message_edited: (_, isFailed) => `Chat message ${isFailed ? 'could not be ' : ''}edited`,
  logged_in: (detail) => `Signed in with ${describeLoginMethod(detail)}`,
  login_failed: (detail) =>
    `Sign-in with the key ${keyLabel(detail)} refused: ${detail.reason && LOGIN_FAILURE_REASONS[detail.reason]}`,
  logged_out: () => 'Signed out',
  session_ended: () => 'Session ended',
  sessions_ended: ({ sessions }) =>
    sessions === 1 ? 'All sessions ended (1 session)' : `All sessions ended (${sessions} sessions)`,
  key_created: (detail) =>
    `Key ${keyLabel(detail)} created ${detail.scope && SCOPE_LABELS[detail.scope]}`,
  key_revoked: (detail) => `Key ${keyLabel(detail)} revoked`,
  passkey_added: ({ label }) => `Passkey${label ? ` ${label}` : ''} added`,
  passkey_removed: ({ label }) => `Passkey${label ? ` ${label}` : ''} removed`,
  identity_linked: ({ label }) => `Single sign-on${label ? ` as ${label}` : ''} linked`,
  identity_unlinked: ({ label }) => `Single sign-on${label ? ` as ${label}` : ''} unlinked`,
  account_suspended: () => 'Account suspended',
  account_resumed: () => 'Account resumed',
  page_changed: () => 'Page changed',
  alert_firing: ({ alert }) => `Alert: ${alert}`,
  alert_recovered: ({ alert }) => `Alert resolved: ${alert}`,
  page_visibility_changed: ({ enabled }) => (enabled ? 'Page made visible' : 'Page hidden'),
  domain_added: ({ domain }) => `Domain ${domain} added`,
  domain_verified: ({ domain }) => `Domain ${domain} verified`,
  domain_lost: ({ domain }) => `Domain ${domain} lost: its TXT record is missing`,
  domain_removed: ({ domain }) => `Domain ${domain} removed`,
};

type LabelsByKeyId = ReadonlyMap<string, string | null>;

export function describeEvent(
  { type, outcome, detail }: Pick<EventRow, 'type' | 'outcome' | 'detail'>,
  labels: LabelsByKeyId = new Map(),
): string {
  const label = (detail as EventDetail).label ?? labels.get((detail as EventDetail).key_id ?? '');
  const labeledDetail = label ? { ...detail, label } : detail;
  return SUMMARY_BY_TYPE[type](labeledDetail, outcome === 'failed') + describeActor(detail, labels);
}

function describeLoginMethod(detail: EventDetail): string {
  if (detail.via === 'oidc') return 'single sign-on';
  return detail.via === 'key' ? `the key ${keyLabel(detail)}` : `a ${detail.via}`;
}

function keyLabel({ key_id: id, label }: EventDetail): string {
  return label || `${id}`;
}

/** Changes from a session need no actor, because only the owner has sessions. */
function describeActor({ by }: EventDetail, labels: LabelsByKeyId): string {
  if (by === OPERATOR_ACTOR) return ' by the operator of this server';
  return by?.startsWith('np_') ? ` by the key ${labels.get(by) || by}` : '';
}

import type { EventRow } from '../../../db/queries/events.ts';
import { OPERATOR } from '../caller.ts';

/** Detail of an event beside its type. */
interface Detail {
  from?: string | null;
  to?: string;
  enabled?: boolean;
  destination_changed?: boolean;
  via?: 'link' | 'key' | 'passkey';
  reason?: string;
  sessions?: number;
  key_id?: string;
  label?: string | null;
  scope?: string;
  by?: string;
}

/** Why a login with a key was refused, as its owner is told. */
const REASONS: Readonly<Record<string, string>> = {
  secretWrong: 'its secret was wrong',
  keyRevoked: 'it is revoked',
  keyExpired: 'it has expired',
  accountSuspended: 'the account is suspended',
  insufficientScope: 'it may not do everything',
};

const WORDS: Record<EventRow['type'], (detail: Detail) => string> = {
  display_name_updated: ({ from, to }) =>
    `Display name changed${from ? ` from ${from}` : ''} to ${to}`,
  forwarding_updated: ({ enabled, destination_changed: isElsewhere }) =>
    `Email forwarding turned ${enabled ? 'on' : 'off'}${isElsewhere ? ', with another destination' : ''}`,
  chat_message_sent: () => 'Chat message sent',
  chat_message_edited: () => 'Chat message edited',
  logged_in: (detail) =>
    `Logged in with ${detail.via === 'key' ? keyOf(detail) : `a ${detail.via}`}`,
  login_failed: (detail) =>
    `Login with ${keyOf(detail)} refused: ${detail.reason && REASONS[detail.reason]}`,
  logged_out: () => 'Logged out',
  session_ended: () => 'A session was ended',
  sessions_ended: ({ sessions }) => `All sessions were ended: ${sessions}`,
  key_created: (detail) => `Made ${keyOf(detail)}, scope ${detail.scope}`,
  key_revoked: (detail) => `Revoked ${keyOf(detail)}`,
  passkey_added: ({ label }) => `Made a passkey${label ? `, ${label}` : ''}`,
  passkey_removed: ({ label }) => `Removed a passkey${label ? `, ${label}` : ''}`,
  account_suspended: () => 'Account suspended',
  account_resumed: () => 'Account resumed',
  page_changed: () => 'Page changed',
  page_visibility_changed: ({ enabled }) => `Page made ${enabled ? 'visible' : 'invisible'}`,
};

/** An event in a few words. */
export function summaryOf({ type, detail }: Pick<EventRow, 'type' | 'detail'>): string {
  return WORDS[type](detail) + doerOf(detail);
}

function keyOf({ key_id: id, label }: Detail): string {
  return label ? `the key ${label} (${id})` : `the key ${id}`;
}

/** A session is its owner's: who used a key, or runs the service, is told. */
function doerOf({ by }: Detail): string {
  if (by === OPERATOR) return ', by those who run the service';
  return by?.startsWith('np_') ? `, with the key ${by}` : '';
}

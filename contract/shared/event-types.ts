/** Event types, grouped by the kind that `list-events` can filter by. */
export const EVENT_TYPES_BY_KIND = {
  page: [
    'page_changed',
    'page_visibility_changed',
    'display_name_updated',
    'domain_added',
    'domain_verified',
    'domain_lost',
    'domain_removed',
  ],
  login: [
    'logged_in',
    'login_failed',
    'logged_out',
    'session_ended',
    'sessions_ended',
    'passkey_added',
    'passkey_removed',
    'identity_linked',
    'identity_unlinked',
  ],
  key: ['key_created', 'key_revoked'],
  mail: ['forwarding_updated'],
  chat: ['chat_message_sent', 'chat_message_edited'],
  alert: ['alert_firing', 'alert_recovered'],
  account: ['account_suspended', 'account_resumed'],
} as const;

export type EventKind = keyof typeof EVENT_TYPES_BY_KIND;
export type EventType = (typeof EVENT_TYPES_BY_KIND)[EventKind][number];

export const EVENT_KINDS = Object.keys(EVENT_TYPES_BY_KIND) as EventKind[];
export const EVENT_TYPES: readonly EventType[] = Object.values(EVENT_TYPES_BY_KIND).flat();

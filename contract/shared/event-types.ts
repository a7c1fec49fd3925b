const SERVER_CHANGES = [
  'application_received',
  'member_joined',
  'member_left',
  'member_suspended',
  'page_reported',
  'backup_failed',
  'forwarding_failing',
] as const;
/** Events of the server. Each operator has them. */
const SERVER = [...SERVER_CHANGES, 'server_week_summary'] as const;

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
    'week_summary',
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
  key: ['key_created', 'key_revoked', 'app_connected', 'app_disconnected'],
  mail: [
    'forwarding_updated',
    'contact_message_received',
    'group_address_joined',
    'group_address_left',
  ],
  chat: ['chat_message_sent', 'chat_message_edited'],
  alert: ['alert_firing', 'alert_recovered', 'alert_no_data'],
  connection: [
    'connection_created',
    'connection_updated',
    'connection_deleted',
    'connection_disabled',
  ],
  account: [
    'account_suspended',
    'account_resumed',
    'operator_added',
    'operator_removed',
    'keeper_invited',
    'keeper_joined',
    'keeper_left',
    'account_transferred',
  ],
  server: SERVER,
} as const;

/** Problems, whatever their outcome. */
export const PROBLEM_EVENT_TYPES = [
  'alert_firing',
  'alert_no_data',
  'backup_failed',
  'connection_disabled',
  'domain_lost',
  'forwarding_failing',
] as const;

export type EventKind = keyof typeof EVENT_TYPES_BY_KIND;
export type EventType = (typeof EVENT_TYPES_BY_KIND)[EventKind][number];

export const EVENT_KINDS = Object.keys(EVENT_TYPES_BY_KIND) as EventKind[];
export const EVENT_TYPES: readonly EventType[] = Object.values(EVENT_TYPES_BY_KIND).flat();

/** The events that connections carry, in groups as the dashboard shows them. */
export const CARRIED_EVENT_TYPES = {
  page: [
    'page_visibility_changed',
    'display_name_updated',
    'contact_message_received',
    'domain_verified',
    'domain_lost',
  ],
  account: ['key_created', 'key_revoked', 'forwarding_updated'],
  metrics: ['alert_firing', 'alert_recovered'],
  week: ['week_summary', 'server_week_summary'],
  server: SERVER_CHANGES,
} as const;

export type CarriedEventGroup = keyof typeof CARRIED_EVENT_TYPES;
export type CarriedEventType = (typeof CARRIED_EVENT_TYPES)[CarriedEventGroup][number];
export type ServerEventType = (typeof SERVER)[number];
/** Connections that carry `alert_firing` get `alert_no_data`, too. */
export type LoggedEventType = CarriedEventType | 'alert_no_data';
/** `test` is sent by hand, whatever a connection carries. */
export type DeliveredEventType = LoggedEventType | 'test';

export const SERVER_EVENT_TYPES: readonly ServerEventType[] = SERVER;
export function isServerEvent(type: string): boolean {
  return (SERVER as readonly string[]).includes(type);
}

export const ALL_CARRIED_EVENT_TYPES: readonly CarriedEventType[] =
  Object.values(CARRIED_EVENT_TYPES).flat();
export const DELIVERED_EVENT_TYPES: readonly DeliveredEventType[] = [
  ...ALL_CARRIED_EVENT_TYPES,
  'alert_no_data',
  'test',
];

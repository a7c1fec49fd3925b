// Generated from the contract: change it there and run `npm run generate`.

import type { OtherValue } from '../other-value.ts';

/** The body of a webhook, by `type`. A newer server may send more types. */
export type WebhookEvent =
  | PageVisibilityChangedEvent
  | DisplayNameUpdatedEvent
  | ContactMessageReceivedEvent
  | DomainVerifiedEvent
  | DomainLostEvent
  | KeyCreatedEvent
  | KeyRevokedEvent
  | ForwardingUpdatedEvent
  | AlertFiringEvent
  | AlertRecoveredEvent
  | WeekSummaryEvent
  | ServerWeekSummaryEvent
  | ApplicationReceivedEvent
  | MemberJoinedEvent
  | MemberLeftEvent
  | MemberSuspendedEvent
  | PageReportedEvent
  | BackupFailedEvent
  | ForwardingFailingEvent
  | AlertNoDataEvent
  | TestEvent;

/** Sent when the page is published, shown to members or hidden. */
export interface PageVisibilityChangedEvent {
  /** The type of the event. */
  type: 'page_visibility_changed';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** Whether the page is public. Example: `true` */
    enabled: boolean;
    /** Whether only people who are signed in see the page. Example: `false` */
    members?: boolean | undefined;
    /** The id of the key or session that caused the event, `operator`, or `single sign-on`. Missing if a link in a mail or a job caused it. At most 67 characters. Example: `'np_KeE5H4OlWsWE2ciL'` */
    by?: string | undefined;
  };
}

/** Sent when the display name changes. */
export interface DisplayNameUpdatedEvent {
  /** The type of the event. */
  type: 'display_name_updated';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** The former name, or null. At most 63 characters. Example: `'jane'` */
    from: string | null;
    /** The new name. At most 63 characters. Example: `'jane-doe'` */
    to: string;
    /** The id of the key or session that caused the event, `operator`, or `single sign-on`. Missing if a link in a mail or a job caused it. At most 67 characters. Example: `'np_KeE5H4OlWsWE2ciL'` */
    by?: string | undefined;
  };
}

/** Sent when a message arrives through the contact form. Its text and sender are only in the mail. */
export interface ContactMessageReceivedEvent {
  /** The type of the event. */
  type: 'contact_message_received';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** The address of the page. At most 2,048 characters. Example: `'https://club.example/@jane-doe'` */
    page: string;
  };
}

/** Sent when a custom domain is verified. */
export interface DomainVerifiedEvent {
  /** The type of the event. */
  type: 'domain_verified';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** The domain. At most 253 characters. Example: `'jane.example'` */
    domain: string;
  };
}

/** Sent when the TXT record of a verified domain is missing. */
export interface DomainLostEvent {
  /** The type of the event. */
  type: 'domain_lost';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** The domain. At most 253 characters. Example: `'jane.example'` */
    domain: string;
  };
}

/** Sent when an API key is created. */
export interface KeyCreatedEvent {
  /** The type of the event. */
  type: 'key_created';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** The id of the key. At most 67 characters. Example: `'np_KeE5H4OlWsWE2ciL'` */
    key_id: string;
    /** The label of the key, or null. At most 200 characters. Example: `'status page'` */
    label: string | null;
    /** The scope of the key. Example: `'metrics'` */
    scope: 'all' | 'read' | 'page' | 'metrics' | 'operator' | OtherValue;
    /** The only project that the key is for, or null. At most 36 characters. Format: uuid. */
    project_id?: string | null | undefined;
    /** The id of the key or session that caused the event, `operator`, or `single sign-on`. Missing if a link in a mail or a job caused it. At most 67 characters. Example: `'np_KeE5H4OlWsWE2ciL'` */
    by?: string | undefined;
  };
}

/** Sent when an API key is revoked, also if its project is deleted. */
export interface KeyRevokedEvent {
  /** The type of the event. */
  type: 'key_revoked';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** The id of the key. At most 67 characters. Example: `'np_KeE5H4OlWsWE2ciL'` */
    key_id: string;
    /** The label of the key, or null. At most 200 characters. Example: `'status page'` */
    label: string | null;
    /** The id of the key or session that caused the event, `operator`, or `single sign-on`. Missing if a link in a mail or a job caused it. At most 67 characters. Example: `'np_KeE5H4OlWsWE2ciL'` */
    by?: string | undefined;
  };
}

/** Sent when email forwarding is turned on or off, or gets a new destination. */
export interface ForwardingUpdatedEvent {
  /** The type of the event. */
  type: 'forwarding_updated';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** Whether forwarding is on. Example: `true` */
    enabled: boolean;
    /** Whether the destination changed. Example: `false` */
    destination_changed: boolean;
    /** The id of the key or session that caused the event, `operator`, or `single sign-on`. Missing if a link in a mail or a job caused it. At most 67 characters. Example: `'np_KeE5H4OlWsWE2ciL'` */
    by?: string | undefined;
  };
}

/** Sent when an alert starts to fire, or fires again after its pause. */
export interface AlertFiringEvent {
  /** The type of the event. */
  type: 'alert_firing';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** The alert and its new state. Optional fields are missing only in events that version 0.2.0 stored. */
  data: AlertEventData;
}

/** The alert and its new state. Optional fields are missing only in events that version 0.2.0 stored. */
export interface AlertEventData {
  /** The id of the alert. At most 36 characters. Format: uuid. Example: `'5f0e2d7c-6b1a-4c39-9d84-1e2f3a4b5c60'` */
  alert_id: string;
  /** The id of its project. At most 36 characters. Format: uuid. Example: `'3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11'` */
  project_id: string;
  /** The name of its project. At most 200 characters. Example: `'Shop'` */
  project: string;
  /** The path of the value in the payloads. Empty for the metrics themselves. At most 64 entries. Example: `[ 'duration_ms' ]` */
  path?: string[] | undefined;
  /** The aggregate that is compared with the threshold. Example: `'avg'` */
  aggregate?: 'count' | 'sum' | 'avg' | 'min' | 'max' | OtherValue | undefined;
  /** The length of the evaluated time window, in minutes. 1 to 1,440. Example: `15` */
  minutes?: number | undefined;
  /** When the alert fires: if the value is `above` or `below` the threshold, or if it is `absent`: no metric in the time window has a value at the path. Example: `'above'` */
  comparison?: 'above' | 'below' | 'absent' | OtherValue | undefined;
  /** The number to compare with. Null with `absent`. Example: `10` */
  threshold?: number | null | undefined;
  /** The project and the condition, in the language of the account. At most 4,096 characters. Example: `'Shop · Average of duration_ms in the last 15 minutes is above 10'` */
  alert: string;
  /** The message, in the language of the account. At most 4,096 characters. Example: `'Average of duration_ms in the last 15 minutes is above 10. It is now 12.'` */
  text: string;
  /** The new state of the alert. Example: `'firing'` */
  state: 'new' | 'fine' | 'firing' | 'no_data' | OtherValue;
  /** The value at the evaluation, or null. Example: `12` */
  value: number | null;
}

/** Sent when the condition of an alert that fired is no longer true. */
export interface AlertRecoveredEvent {
  /** The type of the event. */
  type: 'alert_recovered';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** The alert and its new state. Optional fields are missing only in events that version 0.2.0 stored. */
  data: AlertEventData;
}

/** Sent on Mondays at 8:00 in the time zone of the account, or later in the week if the server was down. The first one comes within 15 minutes, with the week before the latest Monday; if the account is newer than that week, on the next Monday. */
export interface WeekSummaryEvent {
  /** The type of the event. */
  type: 'week_summary';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** The views and messages of a week. */
  data: WeekSummary;
}

/** The views and messages of a week. */
export interface WeekSummary {
  /** The first of seven days (UTC), or of those so far in a test. At most 10 characters. Format: date. Example: `'2026-01-26'` */
  since: string;
  /** The last day (UTC). At most 10 characters. Format: date. Example: `'2026-02-01'` */
  until: string;
  /** The number of views of the page. At least 0. Example: `93` */
  views: number;
  /** The number of clicks on links. At least 0. Example: `17` */
  clicks: number;
  /** The link with the most clicks. Null if there is none. */
  top_link: {
    /** The value. At most 1,000 characters. Example: `'https://shop.example/'` */
    value: string;
    /** How often it was counted. At least 0. Example: `12` */
    count: number;
  } | null;
  /** The host that the most views came from. Null if there is none. */
  top_referrer: {
    /** The value. At most 1,000 characters. Example: `'news.example'` */
    value: string;
    /** How often it was counted. At least 0. Example: `12` */
    count: number;
  } | null;
  /** The number of messages through the contact form. At least 0. Example: `2` */
  messages: number;
}

/** Sent to operators, when `week_summary` is sent. Counts the events of the operator. */
export interface ServerWeekSummaryEvent {
  /** The type of the event. */
  type: 'server_week_summary';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What changed on the server in a week. */
  data: ServerWeekSummary;
}

/** What changed on the server in a week. */
export interface ServerWeekSummary {
  /** The first of seven days (UTC), or of those so far in a test. At most 10 characters. Format: date. Example: `'2026-01-26'` */
  since: string;
  /** The last day (UTC). At most 10 characters. Format: date. Example: `'2026-02-01'` */
  until: string;
  /** The number of accounts that were created. At least 0. Example: `5` */
  joined: number;
  /** The number of accounts that were deleted. At least 0. Example: `1` */
  left: number;
  /** The number of reports of pages. At least 0. Example: `0` */
  reports: number;
  /** The number of days on which backups failed. At least 0. Example: `0` */
  failed_backups: number;
  /** When the last backup ended; null if there is none (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T03:00:09.000Z'` */
  last_backup_at: string | null;
}

/** Sent to operators when a person with a confirmed address has applied for an account. */
export interface ApplicationReceivedEvent {
  /** The type of the event. */
  type: 'application_received';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** The id of the account that waits. At most 36 characters. Format: uuid. Example: `'c27d9e04-5a18-4f6b-b3e1-0f8a4d2c6917'` */
    application_id: string;
    /** The name that the person has chosen. At most 63 characters. Example: `'jose-mueller'` */
    display_name: string;
  };
}

/** Sent to operators when an account is created. */
export interface MemberJoinedEvent {
  /** The type of the event. */
  type: 'member_joined';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** The account of the member. At most 36 characters. Format: uuid. Example: `'9a4f2c61-3b7d-4e58-8c20-6d1e5f0a7b43'` */
    account_id: string;
    /** The display name of the member, or null. At most 63 characters. Example: `'joe-bloggs'` */
    display_name: string | null;
  };
}

/** Sent to operators when an account is deleted. */
export interface MemberLeftEvent {
  /** The type of the event. */
  type: 'member_left';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** The account of the member. At most 36 characters. Format: uuid. Example: `'9a4f2c61-3b7d-4e58-8c20-6d1e5f0a7b43'` */
    account_id: string;
    /** The display name of the member, or null. At most 63 characters. Example: `'joe-bloggs'` */
    display_name: string | null;
  };
}

/** Sent to operators when an account is suspended. */
export interface MemberSuspendedEvent {
  /** The type of the event. */
  type: 'member_suspended';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** The account of the member. At most 36 characters. Format: uuid. Example: `'9a4f2c61-3b7d-4e58-8c20-6d1e5f0a7b43'` */
    account_id: string;
    /** The display name of the member, or null. At most 63 characters. Example: `'joe-bloggs'` */
    display_name: string | null;
  };
}

/** Sent to operators when a visitor reports a page. */
export interface PageReportedEvent {
  /** The type of the event. */
  type: 'page_reported';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** The account of the member. At most 36 characters. Format: uuid. Example: `'9a4f2c61-3b7d-4e58-8c20-6d1e5f0a7b43'` */
    account_id: string;
    /** The display name of the member, or null. At most 63 characters. Example: `'joe-bloggs'` */
    display_name: string | null;
    /** The reason for the report. Example: `'scam'` */
    reason: 'scam' | 'impersonation' | 'harassment' | 'malware' | 'illegal' | 'other' | OtherValue;
  };
}

/** Sent to operators when a backup fails, at most once a day. */
export interface BackupFailedEvent {
  /** The type of the event. */
  type: 'backup_failed';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** Why the backup failed. Example: `'space'` */
    error: 'space' | 'file' | 'missing' | 'denied' | 'readonly' | 'other' | OtherValue;
  };
}

/** Sent to operators when the forwarding provider refuses a change or cannot be reached, for the first address that fails. */
export interface ForwardingFailingEvent {
  /** The type of the event. */
  type: 'forwarding_failing';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** The name whose address could not be changed. At most 63 characters. Example: `'jane-doe'` */
    display_name: string;
    /** Why, as one sentence. At most 4,096 characters. Example: `'It could not be reached.'` */
    error: string;
  };
}

/** Sent when the time window of an alert has no value any more, once until it has one again. Connections that carry `alert_firing` get it. */
export interface AlertNoDataEvent {
  /** The type of the event. */
  type: 'alert_no_data';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** The alert and its new state. Optional fields are missing only in events that version 0.2.0 stored. */
  data: AlertEventData;
}

/** Sent by hand, to test a connection. */
export interface TestEvent {
  /** The type of the event. */
  type: 'test';
  /** When the event happened (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  timestamp: string;
  /** What happened; never a secret. */
  data: {
    /** The days since the last Monday, if the connection carries `week_summary`. */
    week_summary?: WeekSummary | undefined;
    /** The same for `server_week_summary`, if an operator sent the test. */
    server_week_summary?: ServerWeekSummary | undefined;
  };
}

import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import type { AlertAggregate, AlertComparison, AlertState } from '#contract/alert-condition.ts';
import type { CustomTheme } from '#contract/custom-theme.ts';
import type { EventType } from '#contract/owner/event-types.ts';
import type { ReportReason } from '#contract/report-reasons.ts';
import type { Scope } from '#contract/scope.ts';
import type { PageSettings } from '#contract/page-settings-block.ts';
import type { VisitKind } from '#contract/visits.ts';

/** JSON as it was sent: written as text, read as the parsed value. */
type Json<T> = ColumnType<T, string, string>;

/** A saved query of the dashboard. */
export interface MetricView {
  name: string;
  query: string;
}

/** Every table, under the column names of the API's JSON. Times are `timestamptz`. */
export interface Database {
  accounts: {
    id: Generated<string>;
    created_at: Generated<Date>;
    /** Since when its keys are refused, its mail stops and its site is shown to nobody. */
    suspended_at: Date | null;
    /** Since when it is being deleted, and suspended for good. */
    closed_at: Date | null;
    /** Reason that an operator gave for its suspension; no owner sees it. */
    suspension_reason: string | null;
  };
  /** Accounts whose owners look after all others. */
  operators: {
    account_id: string;
    created_at: Generated<Date>;
  };
  api_keys: {
    id: string;
    account_id: string;
    /** SHA-256 of the secret. */
    secret_hash: ColumnType<Uint8Array, Buffer, never>;
    label: string | null;
    scope: Generated<Scope>;
    /** When it stops working by itself. */
    expires_at: Date | null;
    created_at: Generated<Date>;
    last_used_at: Date | null;
    revoked_at: Date | null;
  };
  /** Passkeys, which log in to an account from a device: its secret is on the device alone. */
  passkeys: {
    /** As authenticators know it. */
    id: string;
    account_id: string;
    public_key: ColumnType<Uint8Array, Buffer, never>;
    /** How often it was used, if its authenticator counts. */
    counter: string;
    /** How browsers reach it. */
    transports: Json<string[]>;
    label: string | null;
    created_at: Generated<Date>;
    last_used_at: Date | null;
  };
  /** Users of single sign-on providers: each logs in to one account. */
  identities: {
    id: Generated<string>;
    account_id: string;
    /** URL of the provider. */
    issuer: string;
    /** Id of the user there, which never changes. */
    subject: string;
    /** User name or email address there. */
    label: string | null;
    created_at: Generated<Date>;
    last_used_at: Date | null;
  };
  /** Mails requested for unconfirmed addresses, in the latest hour with such a request. */
  unconfirmed_mails: {
    purpose: 'sign_up' | 'forwarding';
    hour: Date;
    count: number;
  };
  /** Mails to the owners of accounts in the last hour or two, for their limits. The accounts may be deleted. */
  owner_mails: {
    id: Generated<string>;
    kind: 'login' | 'key' | 'passkey' | 'identity' | 'deletion' | 'alert' | 'report';
    account_id: string;
    /** SHA-256 of the address. */
    address_hash: ColumnType<Uint8Array, Buffer, never>;
    created_at: Generated<Date>;
  };
  /** Webhooks that owners stored to send messages through. */
  chat_webhooks: {
    id: Generated<string>;
    account_id: string;
    name: string;
    /** The platform's own id of the webhook, which is no secret. */
    platform_id: string;
    /** The URL, encrypted for this row. */
    encrypted_url: ColumnType<Uint8Array, Buffer, never>;
    created_at: Generated<Date>;
  };
  /** Alerts on metrics. */
  alerts: {
    id: Generated<string>;
    account_id: string;
    project_id: string;
    /** Where to; null for a mail to the confirmed address. */
    webhook_id: string | null;
    path: Json<string[]>;
    aggregate: AlertAggregate;
    /** Length of the window that ends now. */
    minutes: number;
    comparison: AlertComparison;
    threshold: number | null;
    /** Minimum time between two messages that it fires. */
    pause_minutes: number;
    created_at: Generated<Date>;
    state: Generated<AlertState>;
    /** Value at the latest evaluation. */
    value: number | null;
    changed_at: Date | null;
    evaluated_at: Date | null;
    /** How long the latest evaluation took. */
    evaluation_seconds: Generated<number>;
    /** Number of changes by the owner and of messages. */
    revision: Generated<number>;
    /** State that the recipient knows. */
    notified_state: Generated<'fine' | 'firing'>;
    /** When the recipient was last told that it fires. */
    firing_notified_at: Date | null;
    sent_at: Date | null;
    /** Why the latest message did not arrive. */
    last_error: string | null;
  };
  /** Links by which somebody makes an account of their own, once. */
  invitations: {
    /** SHA-256 of the token in the link. */
    token_hash: ColumnType<Uint8Array, Buffer, never>;
    expires_at: Date;
    id: Generated<string>;
    created_at: Generated<Date>;
    /** Purpose or person, in the words of who made it. */
    note: string | null;
  };
  /** Reports of pages by visitors, until they are old. */
  reports: {
    id: Generated<string>;
    /** Account of the page. */
    account_id: string;
    /** Name that the page had. */
    name: string;
    reason: ReportReason;
    text: string | null;
    /** Address for an answer; no owner sees it. */
    email: string | null;
    /** How many reports the row stands for. */
    count: Generated<number>;
    created_at: Generated<Date>;
    closed_at: Date | null;
  };
  /** Accounts that were asked for and are not confirmed. Nobody holds their names back. */
  sign_ups: {
    id: Generated<string>;
    email: string;
    display_name: string;
    /** SHA-256 of the token of the invitation that was used for the request. */
    invitation_hash: ColumnType<Uint8Array | null, Buffer | null, never>;
    /** SHA-256 of the token in the link; null until it is mailed. */
    token_hash: ColumnType<Uint8Array | null, Buffer | null, Buffer | null>;
    created_at: Generated<Date>;
  };
  /** The secret that signs challenges for passkeys and single sign-ons, in one row. */
  challenge_secret: {
    only_row: Generated<boolean>;
    secret: ColumnType<Uint8Array, Buffer, Buffer>;
  };
  /** Challenges that passkeys and providers answered: each is good for one answer. */
  used_challenges: {
    signature: ColumnType<Uint8Array, Buffer, never>;
    expires_at: Date;
  };
  /** How the last maintenance went, in one row. */
  last_maintenance: {
    only_row: Generated<boolean>;
    finished_at: Date;
    seconds: number;
    failed_tasks: number;
  };
  /** When `nameplate backup` last finished, in one row. */
  last_backup: {
    only_row: Generated<boolean>;
    finished_at: Date;
  };
  /** Sessions, which a browser has once its owner logged in. */
  sessions: {
    id: Generated<string>;
    account_id: string;
    /** SHA-256 of the token that the browser has. */
    token_hash: ColumnType<Uint8Array, Buffer, never>;
    via: 'link' | 'key' | 'passkey' | 'oidc';
    /** The key by which it was begun, with which it ends. */
    key_id: string | null;
    /** Or the passkey. */
    passkey_id: string | null;
    /** Or the identity at a single sign-on provider. */
    identity_id: string | null;
    /** When that provider last asked its user for a proof; null for all other sessions. */
    authenticated_at: Date | null;
    /** Name that the browser gives itself. */
    agent: string | null;
    created_at: Generated<Date>;
    last_seen_at: Generated<Date>;
  };
  /** Links that log in once. */
  login_links: {
    /** SHA-256 of the token in the link. */
    token_hash: ColumnType<Uint8Array, Buffer, never>;
    account_id: string;
    expires_at: Date;
  };
  forwarding_settings: {
    account_id: string;
    forwarding_enabled: Generated<boolean>;
    forwarding_email: string | null;
    /**
     * True if the owner of the address confirmed it; false while mail waits for that; null if mail may
     * go there although nobody was ever asked, since the service sent no mail.
     */
    forwarding_confirmed: boolean | null;
    /** The address that the owner signed up with, or confirmed since: login links go there while no confirmed one is stored. */
    login_email: string | null;
  };
  /** A row is a name that somebody has (`account_id`) or that is held back from others (`released_at`). */
  display_names: {
    name: string;
    account_id: string | null;
    /** Whether this owner, or the last one, ever had mail forwarded. */
    was_forwarded: Generated<boolean>;
    /** Whether this owner's page, or the last one's, was ever visible under it. */
    was_visible: Generated<boolean>;
    last_account_id: string | null;
    released_at: Date | null;
    /** When the provider confirmed that no alias is left of a released name. */
    alias_removed_at: Date | null;
  };
  sites: {
    account_id: string;
    enabled: Generated<boolean>;
    bio: string | null;
    avatar_url: string | null;
    theme_id: string | null;
    custom_theme: JSONColumnType<CustomTheme | null, string | null, string | null>;
    display_name: string | null;
    location: string | null;
    mood: string | null;
    settings: JSONColumnType<PageSettings | null, string | null, string | null>;
    /** Raised by every change of the site. */
    version: Generated<string>;
    /** Since when an operator has taken its page down. */
    suspended_at: Date | null;
    /** Whether views of its page and clicks on its links are counted. */
    counts_visits: Generated<boolean>;
  };
  /** Versions of a site after each of its latest changes, the newest being the present one. */
  site_versions: {
    account_id: string;
    /** The `version` that the site had then. */
    version: string;
    created_at: Generated<Date>;
    configuration: Json<Record<string, unknown>>;
    /** Size of the configuration. */
    bytes: number;
  };
  /** Custom domains that accounts claim. */
  domains: {
    account_id: string;
    /** In lower case and Punycode. */
    domain: string;
    /** The proof that its DNS must hold. */
    token: string;
    /** Whether the page below the server's host leads there. */
    redirect: Generated<boolean>;
    created_at: Generated<Date>;
    /** Since when the domain belongs to the account; at most one account has it at a time. */
    verified_at: Date | null;
    /** Since when the proof of a verified domain is gone. */
    missing_since: Date | null;
    /** Whether its addresses are those of the server; null if that is unknown. */
    points_here: boolean | null;
    /** Sentence about what the owner has to put right. */
    problem: string | null;
    checked_at: Date | null;
  };
  /** Pictures that owners uploaded, as WebP in three sizes. */
  pictures: {
    /** Random characters, and the width and height of the largest size. */
    id: string;
    account_id: string;
    /** SHA-256 of the file that was uploaded. */
    file_hash: ColumnType<Uint8Array, Buffer, never>;
    created_at: Generated<Date>;
    /** When it was uploaded, or found in a version of the site, last. */
    used_at: Generated<Date>;
    /** Size of all three together. */
    bytes: number;
    webp_96: ColumnType<Buffer, Buffer, never>;
    webp_512: ColumnType<Buffer, Buffer, never>;
    webp_1200: ColumnType<Buffer, Buffer, never>;
  };
  blocks: {
    account_id: string;
    id: string;
    position: number;
    type: string;
    enabled: boolean;
    content: string | null;
    url: string | null;
    /** All further fields of the block, as they were sent. */
    fields: Json<Record<string, unknown>>;
  };
  projects: {
    id: Generated<string>;
    account_id: string;
    name: string;
    created_at: Generated<Date>;
    /** Since when it is being deleted: nobody sees it any more, and it takes no metrics. */
    closed_at: Date | null;
    /** How many days it keeps its metrics; 0 is for ever. */
    metric_retention_days: Generated<number>;
    /** Raised when metrics of it were deleted. */
    metric_revision: Generated<string>;
    /** Saved queries of the dashboard. */
    metric_views: ColumnType<MetricView[], string | undefined, string>;
  };
  /** Metrics that are to be deleted. */
  metric_deletions: {
    id: GeneratedAlways<string>;
    project_id: string;
    since: Date;
    until: Date;
  };
  /** Partitioned by month of `received_at`. */
  metrics: {
    id: Generated<string>;
    project_id: string;
    received_at: Generated<Date>;
    payload: Json<Record<string, unknown>>;
  };
  events: {
    id: Generated<string>;
    account_id: string;
    type: EventType;
    outcome: 'pending' | 'succeeded' | 'failed';
    detail: JSONColumnType<Record<string, unknown>>;
    created_at: Generated<Date>;
    completed_at: Date | null;
  };
  idempotency_keys: {
    account_id: string;
    method: string;
    path: string;
    key: string;
    /** SHA-256 of the request's body. */
    body_hash: ColumnType<Uint8Array, Buffer, Buffer>;
    /** Null until the first request is answered. */
    status: number | null;
    response: Json<unknown> | null;
    created_at: Generated<Date>;
    /** The name of the refusal that the answer is; null for a success. */
    error_code: string | null;
  };
  /** Amounts that accounts stored and did on a day in UTC, as all servers counted them. */
  daily_usage: {
    account_id: string;
    day: ColumnType<Date, string>;
    metric_bytes: Generated<string>;
    response_bytes: Generated<string>;
    name_changes: Generated<number>;
  };
  /** Daily sums (UTC) of what visitors of the page of an account did. */
  page_visits: {
    account_id: string;
    kind: VisitKind;
    day: ColumnType<Date, string>;
    /** Empty for views and clicks; else a host, a device class, a country or an address. */
    value: string;
    count: string;
  };
  /** Names that have, had or may have an alias at the forwarding provider. */
  provider_aliases: {
    name: string;
    /** Counts the changes of what is wanted for the name. */
    revision: Generated<number>;
    /** The last revision that the provider agreed about. */
    synced_revision: Generated<number>;
    /** Where the provider is known to send the name's mail; null if it has no alias. */
    destination: string | null;
    /** Only one server calls the provider about the name until then, also if its job expired or was added twice. */
    leased_until: Date | null;
    /** Until when a call without an answer may still take effect at the provider. */
    uncertain_until: Date | null;
    last_error: string | null;
  };
  /** Each address that an account chose, by a hash, so that none outlives its removal from the profile. */
  forwarding_destinations: {
    account_id: string;
    /** SHA-256 of the account's id and the address. */
    address_hash: ColumnType<Uint8Array, Buffer, Buffer>;
    added_at: Generated<Date>;
    id: Generated<string>;
    /** When the owner of the address agreed. */
    confirmed_at: Date | null;
    /** SHA-256 of the secret in the link that was mailed last. */
    token_hash: ColumnType<Uint8Array | null, Buffer | null, Buffer | null>;
    token_expires_at: Date | null;
    /** Mails since `mail_count_since`, within a day. */
    mail_count: Generated<number>;
    mail_count_since: Generated<Date>;
  };
  /** Addresses that Nameplate, and not its operator, made known to the forwarding provider. */
  provider_destinations: {
    email: string;
    /** Since when no account has it stored; null while one has. */
    unused_since: Date | null;
  };
  /** Trail of administration. Its accounts may be gone. */
  audit_log: {
    id: Generated<string>;
    created_at: Generated<Date>;
    who: string;
    via: 'command' | 'first start' | 'operator';
    action: string;
    account_id: string | null;
    name: string | null;
    project_id: string | null;
    key_id: string | null;
    detail: JSONColumnType<Record<string, unknown>>;
  };
  /** A view: names whose mail is forwarded, so of no account that is suspended or whose address waits. */
  postfix_aliases: {
    name: ColumnType<string, never, never>;
    destination: ColumnType<string, never, never>;
  };
  /** Until when the chat platform is not called about a webhook (by the hash of its URL's secret), for an account or at all. */
  chat_stops: {
    subject: string;
    reason: 'budget' | 'limited' | 'dead' | 'blocked' | 'refusals';
    until: Date;
  };
  /** Each answer that brings this address nearer to being banned by the chat platform. */
  chat_rejections: {
    platform: string;
    account_id: string;
    created_at: Generated<Date>;
  };
  /** How many messages an account has sent in the second and the minute of its last one. */
  chat_send_counts: {
    account_id: string;
    second: Date;
    in_second: number;
    minute: Date;
    in_minute: number;
  };
}

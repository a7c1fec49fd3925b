import type { ColumnType, Generated, GeneratedAlways, JSONColumnType, Selectable } from 'kysely';
import type { AlertAggregate, AlertComparison, AlertState } from '#contract/alert-condition.ts';
import type { CustomTheme } from '#contract/custom-theme.ts';
import type { Language } from '#contract/shared/languages.ts';
import type { AlertTarget } from '#contract/owner/alerts.ts';
import type { EventType } from '#contract/shared/event-types.ts';
import type { StoredMessage } from '#contract/refusal.ts';
import type { ReportOutcome, ReportReason } from '#contract/shared/report-reasons.ts';
import type { BackupError } from '#contract/shared/backup-errors.ts';
import type { Scope } from '#contract/scope.ts';
import type { PageSettings } from '#contract/shared/page-settings-block.ts';
import type { VisitKind } from '#contract/shared/visits.ts';

type Json<T> = ColumnType<T, string, string>;

export type LoginScope = Extract<Scope, 'all' | 'operator'>;

/** Columns that the API returns have the names of its fields. Times are `timestamptz`. */
export interface Schema {
  accounts: {
    id: Generated<string>;
    created_at: Generated<Date>;
    /** While set, API keys are rejected, mail is not forwarded, and the page is hidden. */
    suspended_at: Date | null;
    /** Set when the deletion starts. Closed accounts stay suspended. */
    closed_at: Date | null;
    /** Never shown to the owner. */
    suspension_reason: string | null;
    /** Whether the dashboard shows developer tools. The API works either way. */
    developer_tools: Generated<boolean>;
    /** Null until the first login from a browser that prefers a supported language. */
    language: Language | null;
    /** Storage for pictures, set by an operator. Null means the limit of the server. */
    picture_limit_mb: number | null;
    /** The last start of a session. */
    last_login_at: Date | null;
  };
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
    expires_at: Date | null;
    created_at: Generated<Date>;
    last_used_at: Date | null;
    revoked_at: Date | null;
  };
  passkeys: {
    id: string;
    account_id: string;
    public_key: ColumnType<Uint8Array, Buffer, never>;
    /** WebAuthn signature counter; 0 if the authenticator does not count. */
    counter: string;
    /** WebAuthn transports, such as `usb` or `internal`. */
    transports: Json<string[]>;
    /** Scope of the key or session that added it. Its logins have no other rights. */
    scope: LoginScope;
    label: string | null;
    created_at: Generated<Date>;
    last_used_at: Date | null;
  };
  /** Single sign-on users. Each logs in to one account. */
  identities: {
    id: Generated<string>;
    account_id: string;
    issuer: string;
    /** The provider's permanent id for the user. */
    subject: string;
    /** Scope of the session that linked it; `operator` if it created the account. */
    scope: LoginScope;
    label: string | null;
    created_at: Generated<Date>;
    last_used_at: Date | null;
  };
  /**
   * Number of emails to unconfirmed addresses, and of test emails, in the latest hour, for rate
   * limits.
   */
  unconfirmed_mails: {
    purpose: 'sign_up' | 'invitation' | 'group_invitation' | 'forwarding' | 'test';
    hour: Date;
    count: number;
  };
  /** Recent emails to account owners, for rate limits. Rows outlive the account. */
  owner_mails: {
    id: Generated<string>;
    kind:
      | 'login'
      | 'key'
      | 'passkey'
      | 'identity'
      | 'deletion'
      | 'alert'
      | 'report'
      | 'message'
      | 'backup'
      | 'operator'
      | 'suspension'
      | 'resumption'
      | 'link';
    account_id: string;
    /** SHA-256 of the address. */
    address_hash: ColumnType<Uint8Array, Buffer, never>;
    created_at: Generated<Date>;
  };
  chat_webhooks: {
    id: Generated<string>;
    account_id: string;
    name: string;
    /** The chat platform's webhook id. Not a secret. */
    platform_id: string;
    /** Encrypted with a key that is not in the database. */
    encrypted_url: ColumnType<Uint8Array, Buffer, never>;
    created_at: Generated<Date>;
  };
  alerts: {
    id: Generated<string>;
    account_id: string;
    project_id: string;
    target: AlertTarget;
    webhook_id: GeneratedAlways<string | null>;
    path: Json<string[]>;
    aggregate: AlertAggregate;
    /** Length of the evaluated window. */
    minutes: number;
    comparison: AlertComparison;
    threshold: number | null;
    pause_minutes: number;
    created_at: Generated<Date>;
    state: Generated<AlertState>;
    value: number | null;
    changed_at: Date | null;
    evaluated_at: Date | null;
    evaluation_seconds: Generated<number>;
    /** Increased by every edit and every message. */
    revision: Generated<number>;
    notified_state: Generated<'fine' | 'firing'>;
    firing_notified_at: Date | null;
    sent_at: Date | null;
    last_error: StoredMessage | null;
  };
  /**
   * Personal invitations from a member list, and invitation links for one or more people. Each use
   * creates one account.
   */
  invitations: {
    id: Generated<string>;
    /** SHA-256 of the token in the link; null until it is mailed. */
    token_hash: ColumnType<Uint8Array | null, Buffer | null, Buffer | null>;
    created_at: Generated<Date>;
    expires_at: Date;
    note: string | null;
    max_uses: Generated<number>;
    uses: Generated<number>;
    /** Shared by all invitations of one imported member list; null for an invitation link. */
    batch_id: string | null;
    /** The invitee's details. Acceptance clears `email` and `forward_to`. */
    name: string | null;
    email: string | null;
    display_name: string | null;
    forward_to: string | null;
    /** Null if the invitation is not mailed. */
    mail_state: 'waiting' | 'sent' | 'failed' | null;
    mail_tries: Generated<number>;
    mail_error: string | null;
    sent_at: Date | null;
    accepted_at: Date | null;
    account_id: string | null;
    /** For the mail. Acceptance clears `inviter` and `sentence`. */
    language: Language | null;
    inviter: string | null;
    sentence: string | null;
  };
  reports: {
    id: Generated<string>;
    account_id: string;
    /** Display name at the time of the report. */
    name: string;
    reason: ReportReason;
    text: string | null;
    /** The reporter's address, never shown to the page's owner. */
    email: string | null;
    count: Generated<number>;
    created_at: Generated<Date>;
    closed_at: Date | null;
    outcome: ReportOutcome | null;
    closed_by: string | null;
    closed_reason: string | null;
  };
  /** Sign-ups with an unconfirmed email address. Their display names are not reserved. */
  sign_ups: {
    id: Generated<string>;
    email: string;
    display_name: string;
    /** SHA-256 of the invitation's token. */
    invitation_hash: ColumnType<Uint8Array | null, Buffer | null, never>;
    /** SHA-256 of the token in the link; null until it is mailed. */
    token_hash: ColumnType<Uint8Array | null, Buffer | null, Buffer | null>;
    created_at: Generated<Date>;
  };
  /** One row. Signs challenges for passkeys and single sign-on. */
  challenge_secret: {
    only_row: Generated<boolean>;
    secret: ColumnType<Uint8Array, Buffer, Buffer>;
  };
  /** Used challenges: each works only once. */
  used_challenges: {
    signature: ColumnType<Uint8Array, Buffer, never>;
    expires_at: Date;
  };
  /** One row. */
  last_maintenance: {
    only_row: Generated<boolean>;
    finished_at: Date;
    seconds: number;
    failed_tasks: number;
  };
  /** One row, or none: the last backup and, if a later one failed, its failure. */
  last_backup: {
    only_row: Generated<boolean>;
    finished_at: Date | null;
    failed_at: Date | null;
    error: BackupError | null;
  };
  /** One row, or none: how the operators present this installation. Null means the default look. */
  instance: {
    only_row: Generated<boolean>;
    name: string | null;
    line: string | null;
    /** As chosen, `#rrggbb`. The plate uses a darker color if white text would be unreadable. */
    color: string | null;
    /** 22 characters of the file's hash, then its width and height. */
    logo_id: string | null;
    /** WebP, at most 512 pixels on its longest side. */
    logo: Buffer | null;
    dark_logo_id: string | null;
    dark_logo: Buffer | null;
    /** An email address or a URL. */
    contact: string | null;
    imprint_url: string | null;
    privacy_url: string | null;
    terms_url: string | null;
    /** Markdown, shown at `/imprint`, `/privacy` and `/terms`. Replaces the link. */
    imprint: string | null;
    privacy: string | null;
    terms: string | null;
    /** Markdown. */
    welcome: string | null;
  };
  sessions: {
    id: Generated<string>;
    account_id: string;
    /** SHA-256 of the session token. */
    token_hash: ColumnType<Uint8Array, Buffer, never>;
    via: 'link' | 'key' | 'passkey' | 'oidc';
    /** The credential used to log in. Deleting it ends the session. */
    key_id: string | null;
    passkey_id: string | null;
    identity_id: string | null;
    /** Only for `oidc`: when the identity provider last authenticated the user. */
    authenticated_at: Date | null;
    /** Scope of the login link; null for other logins. */
    scope: LoginScope | null;
    agent: string | null;
    created_at: Generated<Date>;
    last_seen_at: Generated<Date>;
  };
  /** Each link works once. */
  login_links: {
    /** SHA-256 of the token in the link. */
    token_hash: ColumnType<Uint8Array, Buffer, never>;
    account_id: string;
    expires_at: Date;
    /** At most this scope: that of the address to which the link was mailed. */
    scope: Generated<LoginScope>;
  };
  forwarding_settings: {
    account_id: string;
    forwarding_enabled: Generated<boolean>;
    forwarding_email: string | null;
    /**
     * True: the address is confirmed. False: not confirmed yet, so nothing is forwarded. Null: forwarded without
     * confirmation, because the server could not send mail.
     */
    forwarding_confirmed: boolean | null;
    /**
     * Address from the sign-up, or a later confirmed one. Receives login links if `forwarding_email` is not
     * confirmed.
     */
    login_email: string | null;
    /** Scope of the key or session that set the address. */
    email_scope: Generated<LoginScope>;
  };
  /** `account_id` is set while an account has the name, `released_at` after its release. */
  display_names: {
    name: string;
    account_id: string | null;
    /** Whether the current or last owner ever had mail forwarded. */
    was_forwarded: Generated<boolean>;
    /** Whether the current or last owner's page was ever visible under the name. */
    was_visible: Generated<boolean>;
    last_account_id: string | null;
    released_at: Date | null;
    /** When the forwarding provider confirmed that the alias of the released name is gone. */
    alias_removed_at: Date | null;
    /** Whether the released name redirects to its last owner's page. */
    redirects: Generated<boolean>;
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
    /** Increased by every change. */
    version: Generated<string>;
    suspended_at: Date | null;
    suspension_reason: string | null;
    counts_visits: Generated<boolean>;
    /** Whether the owner lets the front page show the page. */
    on_front_page: Generated<boolean>;
  };
  /** Includes the current version. */
  site_versions: {
    account_id: string;
    version: string;
    created_at: Generated<Date>;
    configuration: Json<Record<string, unknown>>;
    bytes: number;
  };
  /** Custom domains. Several accounts can add a domain; at most one has it verified. */
  domains: {
    account_id: string;
    /** Lower case, Punycode. */
    domain: string;
    /** Expected in the domain's TXT record (the proof record). */
    token: string;
    /** Whether the page on the server's host redirects to this domain. */
    redirect: Generated<boolean>;
    created_at: Generated<Date>;
    verified_at: Date | null;
    /** When the proof record of a verified domain was first missing. */
    missing_since: Date | null;
    /** Whether the domain resolves to the server's addresses; null if unknown. */
    points_here: boolean | null;
    /** A problem that the owner has to fix. */
    problem: StoredMessage | null;
    checked_at: Date | null;
  };
  /** Uploaded pictures, as WebP in three sizes. */
  pictures: {
    /** Random characters, then the width and height of the largest size. */
    id: string;
    account_id: string;
    /** SHA-256 of the uploaded file. */
    file_hash: ColumnType<Uint8Array, Buffer, never>;
    created_at: Generated<Date>;
    /** When it was last uploaded or found in a stored site version. */
    used_at: Generated<Date>;
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
    fields: Json<Record<string, unknown>>;
  };
  projects: {
    id: Generated<string>;
    account_id: string;
    name: string;
    created_at: Generated<Date>;
    /** Set when the deletion starts. A closed project is invisible and accepts no metrics. */
    closed_at: Date | null;
    metric_retention_days: Generated<number>;
    /** Increased when metrics are deleted. */
    metric_revision: Generated<string>;
  };
  /** Ranges of metrics that are still to be deleted. */
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
    /** SHA-256 of the request body. */
    body_hash: ColumnType<Uint8Array, Buffer, Buffer>;
    /** `interrupted`: the write may have taken effect. Only external writes have it or `running`. */
    state: Generated<'running' | 'done' | 'interrupted'>;
    /** HTTP status; null unless done. */
    status: number | null;
    response: Json<unknown> | null;
    created_at: Generated<Date>;
    error_code: string | null;
  };
  /** Usage per account and UTC day, summed over all servers. */
  daily_usage: {
    account_id: string;
    day: ColumnType<Date, string>;
    metric_bytes: Generated<string>;
    response_bytes: Generated<string>;
    name_changes: Generated<number>;
  };
  page_visits: {
    account_id: string;
    kind: VisitKind;
    day: ColumnType<Date, string>;
    /** Empty for total views and clicks. For breakdowns: the referrer, device class, country or clicked URL. */
    value: string;
    count: string;
  };
  /** Names that have, had or may have an alias at the forwarding provider. */
  provider_aliases: {
    name: string;
    /** Increased when the desired destination may have changed. */
    revision: Generated<number>;
    /** The latest revision that the provider has confirmed. */
    synced_revision: Generated<number>;
    destination: string | null;
    /**
     * Until this time, only the server with the lease may call the provider about this name, even
     * if its job expired or is queued twice.
     */
    leased_until: Date | null;
    /** An earlier call without a response may still take effect at the provider until this time. */
    uncertain_until: Date | null;
    last_error: StoredMessage | null;
  };
  /** Forwarding addresses, hashed so that no address outlives its removal from `forwarding_settings`. */
  forwarding_destinations: {
    account_id: string;
    /** SHA-256 of the account's id and the address. */
    address_hash: ColumnType<Uint8Array, Buffer, Buffer>;
    added_at: Generated<Date>;
    id: Generated<string>;
    confirmed_at: Date | null;
    /** SHA-256 of the secret in the latest confirmation link. */
    token_hash: ColumnType<Uint8Array | null, Buffer | null, Buffer | null>;
    token_expires_at: Date | null;
    /** Confirmation emails in the 24 hours from `mail_count_since`. */
    mail_count: Generated<number>;
    mail_count_since: Generated<Date>;
  };
  /** Addresses that Nameplate added at the forwarding provider. */
  provider_destinations: {
    email: string;
    unused_since: Date | null;
  };
  /** Rows outlive the accounts they are about. */
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
  /** A view of the active aliases. Excludes suspended accounts and unconfirmed addresses. */
  postfix_aliases: {
    name: ColumnType<string, never, never>;
    destination: ColumnType<string, never, never>;
  };
  /**
   * Number of messages that the account sent in the same second, and in the same minute, as its
   * latest one.
   */
  chat_send_counts: {
    account_id: string;
    second: Date;
    in_second: number;
    minute: Date;
    in_minute: number;
  };
}

/** The selected `Columns` of a row. */
export type Row<Table extends keyof Schema, Columns extends keyof Selectable<Schema[Table]>> = Pick<
  Selectable<Schema[Table]>,
  Columns
>;

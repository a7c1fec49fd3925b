import type { ColumnType, Generated } from 'kysely';

/** Columns of the database, generated from the migrations by `npm run generate`. */
export interface Columns {
  accounts: {
    id: Generated<string>;
    created_at: Generated<Date>;
    suspended_at: Date | null;
    closed_at: Date | null;
    suspension_reason: string | null;
    developer_tools: Generated<boolean>;
    language: string | null;
    picture_limit_mb: number | null;
    last_seen_at: Date | null;
  };
  operators: {
    account_id: string;
    created_at: Generated<Date>;
    by_sign_on: Generated<boolean>;
  };
  api_keys: {
    id: string;
    account_id: string;
    secret_hash: Buffer;
    label: string | null;
    created_at: Generated<Date>;
    last_used_at: Date | null;
    revoked_at: Date | null;
    scope: Generated<'all' | 'read' | 'page' | 'metrics' | 'operator'>;
    expires_at: Date | null;
    project_id: string | null;
    actor_id: string | null;
  };
  forwarding_settings: {
    account_id: string;
    forwarding_enabled: Generated<boolean>;
    forwarding_email: string | null;
    forwarding_confirmed: boolean | null;
    login_email: string | null;
    email_scope: Generated<'all' | 'operator'>;
  };
  display_names: {
    name: string;
    account_id: string | null;
    was_forwarded: Generated<boolean>;
    last_account_id: string | null;
    released_at: Date | null;
    alias_removed_at: Date | null;
    was_visible: Generated<boolean>;
    redirects: Generated<boolean>;
    is_address: Generated<boolean>;
    held: Generated<boolean>;
  };
  sites: {
    account_id: string;
    enabled: Generated<boolean>;
    bio: string | null;
    avatar_url: string | null;
    theme_id: string | null;
    custom_theme: ColumnType<Record<string, unknown> | null, string | null, string | null>;
    display_name: string | null;
    location: string | null;
    mood: string | null;
    settings: ColumnType<Record<string, unknown> | null, string | null, string | null>;
    version: Generated<string>;
    suspended_at: Date | null;
    suspension_reason: string | null;
    counts_visits: Generated<boolean>;
    on_front_page: Generated<boolean>;
    for_members: Generated<boolean>;
    listed_text: string | null;
  };
  blocks: {
    account_id: string;
    id: string;
    position: number;
    type: string;
    enabled: boolean;
    content: string | null;
    url: string | null;
    fields: ColumnType<Record<string, unknown>, string, string>;
    changed_at: Generated<Date>;
  };
  projects: {
    id: Generated<string>;
    account_id: string;
    name: string;
    created_at: Generated<Date>;
    closed_at: Date | null;
    metric_retention_days: Generated<number>;
    metric_revision: Generated<string>;
  };
  metrics: {
    id: Generated<string>;
    project_id: string;
    received_at: Generated<Date>;
    payload: ColumnType<Record<string, unknown>, string, string>;
  };
  events: {
    id: Generated<string>;
    account_id: string;
    type:
      | 'display_name_updated'
      | 'forwarding_updated'
      | 'chat_message_sent'
      | 'chat_message_edited'
      | 'logged_in'
      | 'login_failed'
      | 'logged_out'
      | 'session_ended'
      | 'sessions_ended'
      | 'key_created'
      | 'key_revoked'
      | 'passkey_added'
      | 'passkey_removed'
      | 'identity_linked'
      | 'identity_unlinked'
      | 'account_suspended'
      | 'account_resumed'
      | 'page_changed'
      | 'page_visibility_changed'
      | 'alert_firing'
      | 'alert_recovered'
      | 'alert_no_data'
      | 'domain_added'
      | 'domain_verified'
      | 'domain_lost'
      | 'domain_removed'
      | 'contact_message_received'
      | 'connection_created'
      | 'connection_updated'
      | 'connection_deleted'
      | 'connection_disabled'
      | 'member_joined'
      | 'member_left'
      | 'member_suspended'
      | 'page_reported'
      | 'backup_failed'
      | 'forwarding_failing'
      | 'group_address_joined'
      | 'group_address_left'
      | 'operator_added'
      | 'operator_removed'
      | 'week_summary'
      | 'server_week_summary'
      | 'application_received'
      | 'app_connected'
      | 'app_disconnected'
      | 'keeper_invited'
      | 'keeper_joined'
      | 'keeper_left'
      | 'account_transferred';
    outcome: 'pending' | 'succeeded' | 'failed';
    detail: ColumnType<Record<string, unknown>, string | undefined, string>;
    created_at: Generated<Date>;
    completed_at: Date | null;
  };
  provider_aliases: {
    name: string;
    revision: Generated<number>;
    synced_revision: Generated<number>;
    destination: string | null;
    leased_until: Date | null;
    uncertain_until: Date | null;
    last_error: ColumnType<Record<string, unknown> | null, string | null, string | null>;
  };
  postfix_aliases: {
    name: string | null;
    destination: string | null;
  };
  connections: {
    id: Generated<string>;
    account_id: string;
    name: string;
    platform_id: string | null;
    encrypted_url: Buffer | null;
    created_at: Generated<Date>;
    kind: Generated<string>;
    event_types: Generated<string[]>;
    encrypted_secret: Buffer | null;
    encrypted_former_secret: Buffer | null;
    former_secret_until: Date | null;
    disabled_at: Date | null;
    disabled_reason: 'owner' | 'gone' | null;
    failures: Generated<number>;
    failing_since: Date | null;
    next_attempt_at: Date | null;
    leased_until: Date | null;
    actor_id: string | null;
  };
  chat_send_counts: {
    account_id: string;
    second: Date;
    in_second: number;
    minute: Date;
    in_minute: number;
  };
  forwarding_destinations: {
    account_id: string;
    address_hash: Buffer;
    added_at: Generated<Date>;
    id: Generated<string>;
    confirmed_at: Date | null;
    token_hash: Buffer | null;
    token_expires_at: Date | null;
    mail_count: Generated<number>;
    mail_count_since: Generated<Date>;
  };
  provider_destinations: {
    email: string;
    unused_since: Date | null;
  };
  audit_log: {
    id: Generated<string>;
    created_at: Generated<Date>;
    who: string;
    via: 'command' | 'first start' | 'operator' | 'single sign-on';
    action: string;
    account_id: string | null;
    name: string | null;
    project_id: string | null;
    key_id: string | null;
    detail: ColumnType<Record<string, unknown>, string | undefined, string>;
  };
  daily_usage: {
    account_id: string;
    day: ColumnType<Date, string, string>;
    metric_bytes: Generated<string>;
    response_bytes: Generated<string>;
    name_changes: Generated<number>;
  };
  page_visits: {
    account_id: string;
    kind: 'view' | 'click' | 'referrer' | 'source' | 'campaign' | 'device' | 'country' | 'link';
    day: ColumnType<Date, string, string>;
    value: string;
    count: string;
  };
  site_versions: {
    account_id: string;
    version: string;
    created_at: Generated<Date>;
    configuration: ColumnType<Record<string, unknown>, string, string>;
    bytes: number;
  };
  pictures: {
    id: string;
    account_id: string;
    file_hash: Buffer;
    created_at: Generated<Date>;
    used_at: Generated<Date>;
    bytes: number;
    webp_96: Buffer;
    webp_512: Buffer;
    webp_1200: Buffer;
  };
  domains: {
    account_id: string;
    domain: string;
    token: string;
    redirect: Generated<boolean>;
    created_at: Generated<Date>;
    verified_at: Date | null;
    missing_since: Date | null;
    points_here: boolean | null;
    problem: ColumnType<Record<string, unknown> | null, string | null, string | null>;
    checked_at: Date | null;
  };
  passkeys: {
    id: string;
    account_id: string;
    public_key: Buffer;
    counter: string;
    transports: ColumnType<Record<string, unknown>, string, string>;
    scope: 'all' | 'operator';
    label: string | null;
    created_at: Generated<Date>;
    last_used_at: Date | null;
    host: string | null;
  };
  identities: {
    id: Generated<string>;
    account_id: string;
    issuer: string;
    subject: string;
    scope: 'all' | 'operator';
    label: string | null;
    created_at: Generated<Date>;
    last_used_at: Date | null;
    left_at: Date | null;
  };
  sessions: {
    id: Generated<string>;
    account_id: string;
    token_hash: Buffer;
    via: 'link' | 'key' | 'passkey' | 'oidc';
    key_id: string | null;
    agent: string | null;
    created_at: Generated<Date>;
    last_seen_at: Generated<Date>;
    passkey_id: string | null;
    identity_id: string | null;
    authenticated_at: Date | null;
    scope: 'all' | 'operator' | null;
    sid: string | null;
  };
  login_links: {
    token_hash: Buffer;
    account_id: string;
    expires_at: Date;
    scope: Generated<'all' | 'operator'>;
  };
  invitations: {
    id: Generated<string>;
    token_hash: Buffer | null;
    created_at: Generated<Date>;
    expires_at: Date;
    note: string | null;
    max_uses: Generated<number>;
    uses: Generated<number>;
    batch_id: string | null;
    name: string | null;
    email: string | null;
    display_name: string | null;
    forward_to: string | null;
    mail_state: 'waiting' | 'sent' | 'failed' | null;
    mail_tries: Generated<number>;
    mail_error: string | null;
    sent_at: Date | null;
    accepted_at: Date | null;
    account_id: string | null;
    language: string | null;
    inviter: string | null;
    sentence: string | null;
  };
  sign_ups: {
    id: Generated<string>;
    email: string;
    display_name: string;
    invitation_hash: Buffer | null;
    token_hash: Buffer | null;
    created_at: Generated<Date>;
    application_text: string | null;
    application_name: string | null;
  };
  unconfirmed_mails: {
    purpose: 'sign_up' | 'invitation' | 'group_invitation' | 'forwarding' | 'test';
    hour: Date;
    count: number;
  };
  metric_deletions: {
    id: string;
    project_id: string;
    since: Date;
    until: Date;
  };
  alerts: {
    id: Generated<string>;
    account_id: string;
    project_id: string;
    target: ColumnType<Record<string, unknown>, string | undefined, string>;
    webhook_id: Generated<string | null>;
    path: ColumnType<Record<string, unknown>, string, string>;
    aggregate: 'count' | 'sum' | 'avg' | 'min' | 'max';
    minutes: number;
    comparison: 'above' | 'below' | 'absent';
    threshold: number | null;
    pause_minutes: number;
    created_at: Generated<Date>;
    state: Generated<'new' | 'fine' | 'firing' | 'no_data'>;
    value: number | null;
    changed_at: Date | null;
    evaluated_at: Date | null;
    evaluation_seconds: Generated<number>;
    revision: Generated<number>;
    notified_state: Generated<'fine' | 'firing'>;
    firing_notified_at: Date | null;
    sent_at: Date | null;
    last_error: ColumnType<Record<string, unknown> | null, string | null, string | null>;
    connection_id: string | null;
    notify_no_data: Generated<boolean>;
    had_value: Generated<boolean>;
    no_data_notified_at: Date | null;
  };
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
      | 'link'
      | 'confirmation'
      | 'event'
      | 'group'
      | 'application'
      | 'leaver'
      | 'keeper';
    account_id: string;
    address_hash: Buffer;
    created_at: Generated<Date>;
    kept_id: string | null;
  };
  idempotency_keys: {
    account_id: string;
    method: string;
    path: string;
    key: string;
    body_hash: Buffer;
    state: Generated<'running' | 'done' | 'interrupted'>;
    status: number | null;
    response: ColumnType<Record<string, unknown> | null, string | null, string | null>;
    created_at: Generated<Date>;
    error_code: string | null;
  };
  reports: {
    id: Generated<string>;
    account_id: string;
    name: string;
    reason: 'scam' | 'impersonation' | 'harassment' | 'malware' | 'illegal' | 'other';
    text: string | null;
    email: string | null;
    count: Generated<number>;
    created_at: Generated<Date>;
    closed_at: Date | null;
    outcome: 'dismissed' | 'hidden' | 'suspended' | null;
    closed_by: string | null;
    closed_reason: string | null;
  };
  challenge_secret: {
    only_row: Generated<boolean>;
    secret: Buffer;
  };
  used_challenges: {
    signature: Buffer;
    expires_at: Date;
  };
  last_maintenance: {
    only_row: Generated<boolean>;
    finished_at: Date;
    seconds: number;
    failed_tasks: number;
    clock_jumped_at: Date | null;
  };
  last_backup: {
    only_row: Generated<boolean>;
    finished_at: Date | null;
    failed_at: Date | null;
    error: 'space' | 'file' | 'missing' | 'denied' | 'readonly' | 'other' | null;
  };
  instance: {
    only_row: Generated<boolean>;
    name: string | null;
    line: string | null;
    color: string | null;
    logo_id: string | null;
    logo: Buffer | null;
    dark_logo_id: string | null;
    dark_logo: Buffer | null;
    contact: string | null;
    imprint_url: string | null;
    privacy_url: string | null;
    terms_url: string | null;
    imprint: string | null;
    privacy: string | null;
    terms: string | null;
    welcome: string | null;
    encrypted_mail_server: Buffer | null;
    encrypted_pending_mail_server: Buffer | null;
    directory: Generated<'off' | 'members' | 'everybody'>;
    listing: Generated<'agreed' | 'unless_objected'>;
    cover_id: string | null;
    cover: Buffer | null;
    cover_description: string | null;
    cover_focus: string | null;
    encrypted_key_check: Buffer | null;
    our_page_id: string | null;
    theme_fonts: string | null;
  };
  chat_webhooks: {
    id: string | null;
    account_id: string | null;
    name: string | null;
    platform_id: string | null;
    encrypted_url: Buffer | null;
    created_at: Date | null;
  };
  deliveries: {
    id: Generated<string>;
    connection_id: string;
    position: string;
    type: string;
    data: ColumnType<Record<string, unknown>, string, string>;
    status: Generated<'pending' | 'delivered' | 'failed'>;
    attempts: Generated<number>;
    error: ColumnType<Record<string, unknown> | null, string | null, string | null>;
    response_status: number | null;
    response: string | null;
    duration_ms: number | null;
    created_at: Generated<Date>;
    attempted_at: Date | null;
  };
  pending_emails: {
    account_id: string;
    email: string;
    forwarding_enabled: boolean;
    email_scope: 'all' | 'operator';
    entered_by: string;
    expires_at: Date;
  };
  addresses: {
    id: Generated<string>;
    name: string;
    created_at: Generated<Date>;
    group_id: string | null;
  };
  address_recipients: {
    id: Generated<string>;
    address_id: string;
    account_id: string | null;
    email: string | null;
    created_at: Generated<Date>;
    token_hash: Buffer | null;
    asked_at: Date | null;
    confirmed_at: Date | null;
    stopped_at: Date | null;
    by_hand: Generated<boolean>;
  };
  address_readers: {
    id: string | null;
    address_id: string | null;
    email: string | null;
  };
  member_aliases: {
    name: string | null;
    destination: string | null;
  };
  messages: {
    id: Generated<string>;
    audience: 'all' | 'no_page' | 'unseen' | 'self' | 'address' | 'groups';
    address: string | null;
    subject: string;
    text: string;
    created_at: Generated<Date>;
    official: Generated<boolean>;
    groups: ColumnType<Record<string, unknown> | null, string | null, string | null>;
  };
  message_recipients: {
    id: Generated<string>;
    message_id: string;
    account_id: string | null;
    reader_id: string | null;
    state:
      | 'waiting'
      | 'sent'
      | 'failed'
      | 'skipped'
      | 'unsubscribed'
      | 'unreachable'
      | 'shared'
      | 'outside';
    error: string | null;
  };
  message_subscriptions: {
    account_id: string;
    token: Generated<string>;
    unsubscribed_at: Date | null;
  };
  key_requests: {
    id: Generated<string>;
    account_id: string;
    key_id: string;
    operation: string;
    status: number;
    error_code: string | null;
    error: string | null;
    field: string | null;
    duration_ms: number;
    x_request_id: string;
    left_out: Generated<number>;
    user_agent: string | null;
    created_at: Date;
  };
  metric_keys: {
    account_id: string;
    key_hash: string;
    body_hash: string;
    created_at: Generated<Date>;
  };
  week_summaries: {
    account_id: string;
    time_zone: string | null;
    sent_on: ColumnType<Date | null, string | null, string | null>;
  };
  applications: {
    id: Generated<string>;
    display_name: string;
    name: string | null;
    email: string | null;
    text: string;
    language: string;
    state: Generated<'waiting' | 'approved' | 'declined'>;
    token_hash: Buffer | null;
    created_at: Generated<Date>;
    decided_at: Date | null;
    sentence: string | null;
    decided_by: string | null;
  };
  listings: {
    account_id: string;
    token: Generated<string>;
    told_at: Date | null;
    listed_from: Date | null;
    objected_at: Date | null;
  };
  covers: {
    account_id: string;
    url: string;
    state: Generated<
      | 'pending'
      | 'found'
      | 'removed'
      | 'not_found'
      | 'unreachable'
      | 'no_cover'
      | 'picture_limit'
      | 'rate_limited'
    >;
    title: string | null;
    picture_id: string | null;
  };
  oauth_clients: {
    id: string;
    kind: 'website' | 'program' | 'registered' | 'document';
    name: string;
    software: Generated<
      | 'nextcloud'
      | 'gitea'
      | 'discourse'
      | 'wordpress'
      | 'wikijs'
      | 'grafana'
      | 'apache'
      | 'oauth2-proxy'
      | 'other'
    >;
    address: string | null;
    logo_id: string | null;
    logo: Buffer | null;
    redirect_uris: string[];
    post_logout_redirect_uris: Generated<string[]>;
    backchannel_logout_uri: string | null;
    secret_hash: Buffer | null;
    requires_pkce: Generated<boolean>;
    asks_consent: Generated<boolean>;
    allowed: Generated<'everybody' | 'groups' | 'operators'>;
    created_at: Generated<Date>;
    last_used_at: Date | null;
    fetched_at: Date | null;
    logout_failed_at: Date | null;
    logout_error: string | null;
    shared_groups: Generated<string[]>;
    allowed_groups: Generated<string[]>;
  };
  oauth_subjects: {
    account_id: string;
    subject: Generated<string>;
  };
  oauth_grants: {
    id: Generated<string>;
    account_id: string;
    actor_id: string;
    client_id: string;
    scopes: string[];
    receiver_host: string | null;
    session_id: string | null;
    created_at: Generated<Date>;
    last_used_at: Date | null;
  };
  oauth_tokens: {
    id_hash: Buffer;
    kind: string;
    grant_id: string | null;
    payload: ColumnType<Record<string, unknown>, string, string>;
    expires_at: Date;
    consumed_at: Date | null;
  };
  oauth_keys: {
    id: string;
    public_key: ColumnType<Record<string, unknown>, string, string>;
    encrypted_key: Buffer;
    signs_from: Date;
    created_at: Generated<Date>;
  };
  keepers: {
    account_id: string;
    keeper_id: string;
    is_owner: Generated<boolean>;
    invited_by: string | null;
    since: Generated<Date>;
  };
  keeper_invitations: {
    id: Generated<string>;
    account_id: string;
    keeper_id: string;
    invited_by: string;
    token_hash: Buffer | null;
    expires_at: Generated<Date>;
  };
  groups: {
    id: Generated<string>;
    slug: string;
    name: string;
    color: 'blue' | 'orange' | 'green' | 'yellow' | 'purple' | 'gray';
    created_at: Generated<Date>;
    deleted_at: Date | null;
    sign_on: string | null;
    in_directory: Generated<boolean>;
  };
  group_members: {
    group_id: string;
    account_id: string;
    source: 'hand' | 'import' | 'sign_on';
    created_at: Generated<Date>;
    import_ids: Generated<string[]>;
  };
  group_imports: {
    id: Generated<string>;
    created_at: Generated<Date>;
    created_groups: string[];
    removed: ColumnType<Record<string, unknown>, string, string>;
  };
  invitation_groups: {
    invitation_id: string;
    group_id: string;
    import_ids: string[];
  };
}

/** Columns of the database, generated from the migrations by `npm run generate`. */
export interface Columns {
  accounts: {
    id: 'uuid NOT NULL DEFAULT';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    suspended_at: 'timestamp with time zone NULL';
    closed_at: 'timestamp with time zone NULL';
    suspension_reason: 'text NULL';
    developer_tools: 'boolean NOT NULL DEFAULT';
    language: 'text NULL';
    picture_limit_mb: 'integer NULL';
    last_login_at: 'timestamp with time zone NULL';
  };
  operators: {
    account_id: 'uuid NOT NULL';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
  };
  api_keys: {
    id: 'text NOT NULL';
    account_id: 'uuid NOT NULL';
    secret_hash: 'bytea NOT NULL';
    label: 'text NULL';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    last_used_at: 'timestamp with time zone NULL';
    revoked_at: 'timestamp with time zone NULL';
    scope: 'text NOT NULL DEFAULT';
    expires_at: 'timestamp with time zone NULL';
  };
  forwarding_settings: {
    account_id: 'uuid NOT NULL';
    forwarding_enabled: 'boolean NOT NULL DEFAULT';
    forwarding_email: 'text NULL';
    forwarding_confirmed: 'boolean NULL';
    login_email: 'text NULL';
    email_scope: 'text NOT NULL DEFAULT';
  };
  display_names: {
    name: 'text NOT NULL';
    account_id: 'uuid NULL';
    was_forwarded: 'boolean NOT NULL DEFAULT';
    last_account_id: 'uuid NULL';
    released_at: 'timestamp with time zone NULL';
    alias_removed_at: 'timestamp with time zone NULL';
    was_visible: 'boolean NOT NULL DEFAULT';
    redirects: 'boolean NOT NULL DEFAULT';
  };
  sites: {
    account_id: 'uuid NOT NULL';
    enabled: 'boolean NOT NULL DEFAULT';
    bio: 'text NULL';
    avatar_url: 'text NULL';
    theme_id: 'uuid NULL';
    custom_theme: 'jsonb NULL';
    display_name: 'text NULL';
    location: 'text NULL';
    mood: 'text NULL';
    settings: 'json NULL';
    version: 'bigint NOT NULL DEFAULT';
    suspended_at: 'timestamp with time zone NULL';
    suspension_reason: 'text NULL';
    counts_visits: 'boolean NOT NULL DEFAULT';
    on_front_page: 'boolean NOT NULL DEFAULT';
  };
  blocks: {
    account_id: 'uuid NOT NULL';
    id: 'uuid NOT NULL';
    position: 'integer NOT NULL';
    type: 'text NOT NULL';
    enabled: 'boolean NOT NULL';
    content: 'text NULL';
    url: 'text NULL';
    fields: 'json NOT NULL';
  };
  projects: {
    id: 'uuid NOT NULL DEFAULT';
    account_id: 'uuid NOT NULL';
    name: 'text NOT NULL';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    closed_at: 'timestamp with time zone NULL';
    metric_retention_days: 'integer NOT NULL DEFAULT';
    metric_revision: 'bigint NOT NULL DEFAULT';
  };
  metrics: {
    id: 'bigint NOT NULL DEFAULT';
    project_id: 'uuid NOT NULL';
    received_at: 'timestamp with time zone NOT NULL DEFAULT';
    payload: 'json NOT NULL';
  };
  events: {
    id: 'uuid NOT NULL DEFAULT';
    account_id: 'uuid NOT NULL';
    type: 'text NOT NULL';
    outcome: 'text NOT NULL';
    detail: 'jsonb NOT NULL DEFAULT';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    completed_at: 'timestamp with time zone NULL';
  };
  provider_aliases: {
    name: 'text NOT NULL';
    revision: 'integer NOT NULL DEFAULT';
    synced_revision: 'integer NOT NULL DEFAULT';
    destination: 'text NULL';
    leased_until: 'timestamp with time zone NULL';
    uncertain_until: 'timestamp with time zone NULL';
    last_error: 'jsonb NULL';
  };
  postfix_aliases: {
    name: 'text';
    destination: 'text';
  };
  chat_webhooks: {
    id: 'uuid NOT NULL DEFAULT';
    account_id: 'uuid NOT NULL';
    name: 'text NOT NULL';
    platform_id: 'text NOT NULL';
    encrypted_url: 'bytea NOT NULL';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
  };
  chat_send_counts: {
    account_id: 'uuid NOT NULL';
    second: 'timestamp with time zone NOT NULL';
    in_second: 'integer NOT NULL';
    minute: 'timestamp with time zone NOT NULL';
    in_minute: 'integer NOT NULL';
  };
  forwarding_destinations: {
    account_id: 'uuid NOT NULL';
    address_hash: 'bytea NOT NULL';
    added_at: 'timestamp with time zone NOT NULL DEFAULT';
    id: 'uuid NOT NULL DEFAULT';
    confirmed_at: 'timestamp with time zone NULL';
    token_hash: 'bytea NULL';
    token_expires_at: 'timestamp with time zone NULL';
    mail_count: 'integer NOT NULL DEFAULT';
    mail_count_since: 'timestamp with time zone NOT NULL DEFAULT';
  };
  provider_destinations: {
    email: 'text NOT NULL';
    unused_since: 'timestamp with time zone NULL';
  };
  audit_log: {
    id: 'uuid NOT NULL DEFAULT';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    who: 'text NOT NULL';
    via: 'text NOT NULL';
    action: 'text NOT NULL';
    account_id: 'uuid NULL';
    name: 'text NULL';
    project_id: 'uuid NULL';
    key_id: 'text NULL';
    detail: 'jsonb NOT NULL DEFAULT';
  };
  daily_usage: {
    account_id: 'uuid NOT NULL';
    day: 'date NOT NULL';
    metric_bytes: 'bigint NOT NULL DEFAULT';
    response_bytes: 'bigint NOT NULL DEFAULT';
    name_changes: 'integer NOT NULL DEFAULT';
  };
  page_visits: {
    account_id: 'uuid NOT NULL';
    kind: 'text NOT NULL';
    day: 'date NOT NULL';
    value: 'text NOT NULL';
    count: 'bigint NOT NULL';
  };
  site_versions: {
    account_id: 'uuid NOT NULL';
    version: 'bigint NOT NULL';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    configuration: 'json NOT NULL';
    bytes: 'integer NOT NULL';
  };
  pictures: {
    id: 'text NOT NULL';
    account_id: 'uuid NOT NULL';
    file_hash: 'bytea NOT NULL';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    used_at: 'timestamp with time zone NOT NULL DEFAULT';
    bytes: 'integer NOT NULL';
    webp_96: 'bytea NOT NULL';
    webp_512: 'bytea NOT NULL';
    webp_1200: 'bytea NOT NULL';
  };
  domains: {
    account_id: 'uuid NOT NULL';
    domain: 'text NOT NULL';
    token: 'text NOT NULL';
    redirect: 'boolean NOT NULL DEFAULT';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    verified_at: 'timestamp with time zone NULL';
    missing_since: 'timestamp with time zone NULL';
    points_here: 'boolean NULL';
    problem: 'jsonb NULL';
    checked_at: 'timestamp with time zone NULL';
  };
  passkeys: {
    id: 'text NOT NULL';
    account_id: 'uuid NOT NULL';
    public_key: 'bytea NOT NULL';
    counter: 'bigint NOT NULL';
    transports: 'json NOT NULL';
    scope: 'text NOT NULL';
    label: 'text NULL';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    last_used_at: 'timestamp with time zone NULL';
  };
  identities: {
    id: 'uuid NOT NULL DEFAULT';
    account_id: 'uuid NOT NULL';
    issuer: 'text NOT NULL';
    subject: 'text NOT NULL';
    scope: 'text NOT NULL';
    label: 'text NULL';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    last_used_at: 'timestamp with time zone NULL';
  };
  sessions: {
    id: 'uuid NOT NULL DEFAULT';
    account_id: 'uuid NOT NULL';
    token_hash: 'bytea NOT NULL';
    via: 'text NOT NULL';
    key_id: 'text NULL';
    agent: 'text NULL';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    last_seen_at: 'timestamp with time zone NOT NULL DEFAULT';
    passkey_id: 'text NULL';
    identity_id: 'uuid NULL';
    authenticated_at: 'timestamp with time zone NULL';
    scope: 'text NULL';
  };
  login_links: {
    token_hash: 'bytea NOT NULL';
    account_id: 'uuid NOT NULL';
    expires_at: 'timestamp with time zone NOT NULL';
    scope: 'text NOT NULL DEFAULT';
  };
  invitations: {
    id: 'uuid NOT NULL DEFAULT';
    token_hash: 'bytea NULL';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    expires_at: 'timestamp with time zone NOT NULL';
    note: 'text NULL';
    max_uses: 'integer NOT NULL DEFAULT';
    uses: 'integer NOT NULL DEFAULT';
    batch_id: 'uuid NULL';
    name: 'text NULL';
    email: 'text NULL';
    display_name: 'text NULL';
    forward_to: 'text NULL';
    mail_state: 'text NULL';
    mail_tries: 'integer NOT NULL DEFAULT';
    mail_error: 'text NULL';
    sent_at: 'timestamp with time zone NULL';
    accepted_at: 'timestamp with time zone NULL';
    account_id: 'uuid NULL';
    language: 'text NULL';
    inviter: 'text NULL';
    sentence: 'text NULL';
  };
  sign_ups: {
    id: 'uuid NOT NULL DEFAULT';
    email: 'text NOT NULL';
    display_name: 'text NOT NULL';
    invitation_hash: 'bytea NULL';
    token_hash: 'bytea NULL';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
  };
  unconfirmed_mails: {
    purpose: 'text NOT NULL';
    hour: 'timestamp with time zone NOT NULL';
    count: 'integer NOT NULL';
  };
  metric_deletions: {
    id: 'bigint NOT NULL';
    project_id: 'uuid NOT NULL';
    since: 'timestamp with time zone NOT NULL';
    until: 'timestamp with time zone NOT NULL';
  };
  alerts: {
    id: 'uuid NOT NULL DEFAULT';
    account_id: 'uuid NOT NULL';
    project_id: 'uuid NOT NULL';
    target: 'jsonb NOT NULL';
    webhook_id: 'uuid NULL DEFAULT';
    path: 'json NOT NULL';
    aggregate: 'text NOT NULL';
    minutes: 'integer NOT NULL';
    comparison: 'text NOT NULL';
    threshold: 'double precision NULL';
    pause_minutes: 'integer NOT NULL';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    state: 'text NOT NULL DEFAULT';
    value: 'double precision NULL';
    changed_at: 'timestamp with time zone NULL';
    evaluated_at: 'timestamp with time zone NULL';
    evaluation_seconds: 'double precision NOT NULL DEFAULT';
    revision: 'integer NOT NULL DEFAULT';
    notified_state: 'text NOT NULL DEFAULT';
    firing_notified_at: 'timestamp with time zone NULL';
    sent_at: 'timestamp with time zone NULL';
    last_error: 'jsonb NULL';
  };
  owner_mails: {
    id: 'uuid NOT NULL DEFAULT';
    kind: 'text NOT NULL';
    account_id: 'uuid NOT NULL';
    address_hash: 'bytea NOT NULL';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
  };
  idempotency_keys: {
    account_id: 'uuid NOT NULL';
    method: 'text NOT NULL';
    path: 'text NOT NULL';
    key: 'text NOT NULL';
    body_hash: 'bytea NOT NULL';
    state: 'text NOT NULL DEFAULT';
    status: 'smallint NULL';
    response: 'json NULL';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    error_code: 'text NULL';
  };
  reports: {
    id: 'uuid NOT NULL DEFAULT';
    account_id: 'uuid NOT NULL';
    name: 'text NOT NULL';
    reason: 'text NOT NULL';
    text: 'text NULL';
    email: 'text NULL';
    count: 'integer NOT NULL DEFAULT';
    created_at: 'timestamp with time zone NOT NULL DEFAULT';
    closed_at: 'timestamp with time zone NULL';
    outcome: 'text NULL';
    closed_by: 'text NULL';
    closed_reason: 'text NULL';
  };
  challenge_secret: {
    only_row: 'boolean NOT NULL DEFAULT';
    secret: 'bytea NOT NULL';
  };
  used_challenges: {
    signature: 'bytea NOT NULL';
    expires_at: 'timestamp with time zone NOT NULL';
  };
  last_maintenance: {
    only_row: 'boolean NOT NULL DEFAULT';
    finished_at: 'timestamp with time zone NOT NULL';
    seconds: 'double precision NOT NULL';
    failed_tasks: 'integer NOT NULL';
  };
  last_backup: {
    only_row: 'boolean NOT NULL DEFAULT';
    finished_at: 'timestamp with time zone NULL';
    failed_at: 'timestamp with time zone NULL';
    error: 'text NULL';
  };
  instance: {
    only_row: 'boolean NOT NULL DEFAULT';
    name: 'text NULL';
    line: 'text NULL';
    color: 'text NULL';
    logo_id: 'text NULL';
    logo: 'bytea NULL';
    dark_logo_id: 'text NULL';
    dark_logo: 'bytea NULL';
    contact: 'text NULL';
    imprint_url: 'text NULL';
    privacy_url: 'text NULL';
    terms_url: 'text NULL';
    imprint: 'text NULL';
    privacy: 'text NULL';
    terms: 'text NULL';
    welcome: 'text NULL';
  };
}

import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';
import { THERE } from './cases.ts';

const {
  account,
  project,
  event,
  session,
  destination,
  registration,
  key,
  passkey,
  identity,
  picture,
  webhook,
  alert,
  name,
  left,
  free,
} = THERE;

/** Inserts an account with at least one row in every table, so that no query function returns early. */
export async function fill(db: Kysely<Database>): Promise<void> {
  await sql
    .raw(
      `
    INSERT INTO accounts (id) VALUES ('${account}');
    INSERT INTO forwarding_settings VALUES ('${account}', true, 'jane@example.com', true);
    INSERT INTO display_names (name, account_id, was_forwarded, last_account_id, released_at, alias_removed_at)
    VALUES ('${name}', '${account}', true, NULL, NULL, NULL),
      ('${left}', NULL, true, '${account}', now(), NULL),
      ('${free}', NULL, true, '${account}', now(), now());
    INSERT INTO provider_aliases (name, revision) VALUES ('${name}', 2);
    INSERT INTO api_keys (id, account_id, secret_hash) VALUES ('${key}', '${account}', ${hash(1)});
    INSERT INTO passkeys (id, account_id, public_key, counter, transports)
    VALUES ('${passkey}', '${account}', '', 0, '[]');
    INSERT INTO identities (id, account_id, issuer, subject)
    VALUES ('${identity}', '${account}', 'https://id.example.org', 'jane');
    INSERT INTO pictures (id, account_id, file_hash, bytes, webp_96, webp_512, webp_1200)
    VALUES ('${picture}', '${account}', ${hash(1)}, 3, 'a', 'a', 'a');
    INSERT INTO domains (account_id, domain, token, verified_at)
    VALUES ('${account}', 'jane.example', 'AAAAAAAAAAAAAAAAAAAAAA', now());
    INSERT INTO sessions (id, account_id, token_hash, via)
    VALUES ('${session}', '${account}', ${hash(1)}, 'link');
    INSERT INTO login_links VALUES (${hash(1)}, '${account}', now() + interval '1 hour');
    INSERT INTO sign_ups (id, email, display_name, token_hash)
    VALUES ('${registration}', 'jane@example.com', 'jane-new', ${hash(1)});
    INSERT INTO unconfirmed_mails VALUES ('sign_up', date_trunc('hour', now()), 1);
    INSERT INTO invitations VALUES (${hash(1)}, now() + interval '1 hour', '${THERE.invitation}');
    INSERT INTO operators VALUES ('${account}');
    INSERT INTO reports (id, account_id, name, reason)
    VALUES ('${THERE.report}', '${account}', '${name}', 'scam');
    INSERT INTO challenge_secret (secret) VALUES (${hash(1)});
    INSERT INTO last_backup (finished_at) VALUES (now());
    INSERT INTO last_maintenance (finished_at, seconds, failed_tasks) VALUES (now(), 1, 0);
    INSERT INTO used_challenges VALUES (${hash(1)}, now() + interval '1 hour');
    INSERT INTO sites (account_id, bio) VALUES ('${account}', 'Gardener.');
    INSERT INTO site_versions VALUES ('${account}', 0, now(), '{"blocks": []}', 2);
    INSERT INTO blocks (account_id, id, position, type, enabled, fields)
    VALUES ('${account}', gen_random_uuid(), 1, 'text', true, '{}');
    INSERT INTO projects (id, account_id, name, metric_retention_days)
    VALUES ('${project}', '${account}', 'Shop', 1);
    INSERT INTO metrics (project_id, received_at, payload)
    SELECT '${project}', date_trunc('month', now()) + months * interval '1 month', '{"a": 1}'
    FROM generate_series(0, 3) AS months, generate_series(1, 2);
    INSERT INTO metric_deletions (project_id, since, until) VALUES ('${project}', '-infinity', now());
    INSERT INTO events (id, account_id, type, outcome, created_at)
    VALUES ('${event}', '${account}', 'chat_message_sent', 'pending', now() - interval '2 days');
    INSERT INTO idempotency_keys (account_id, method, path, key, body_hash, status, response)
    VALUES ('${account}', 'POST', '/', 'stored', ${hash(1)}, 200, '{}');
    INSERT INTO forwarding_destinations (account_id, address_hash, id, mail_count)
    VALUES ('${account}', ${hash(3)}, '${destination}', 1);
    INSERT INTO provider_destinations VALUES ('jane@example.com', NULL);
    INSERT INTO owner_mails (kind, account_id, address_hash)
    VALUES ('key', '${account}', ${hash(1)});
    INSERT INTO chat_webhooks (id, account_id, name, platform_id, encrypted_url)
    VALUES ('${webhook}', '${account}', 'Shop', '1', '\\x00');
    INSERT INTO alerts (id, account_id, project_id, webhook_id, path, aggregate, minutes, comparison,
      threshold, pause_minutes)
    VALUES ('${alert}', '${account}', '${project}', '${webhook}', '["a"]', 'sum', 5, 'above', 1, 60);
    INSERT INTO audit_log (id, who, via, action, name) VALUES ('${THERE.entry}', 'root', 'command', 'keys revoke', '${name}');
    INSERT INTO daily_usage (account_id, day) VALUES ('${account}', '2026-01-01');
    INSERT INTO page_visits VALUES ('${account}', 'view', '2026-01-01', '', 1);
    INSERT INTO chat_stops VALUES ('account:${account}', 'limited', now() + interval '1 hour');
    INSERT INTO chat_rejections (platform, account_id) VALUES ('chat', '${account}');
    INSERT INTO chat_send_counts VALUES ('${account}', now() + interval '1 hour', 1, now() + interval '1 hour', 1);
  `,
    )
    .execute(db);
}

function hash(byte: number): string {
  return `'\\x${byte.toString(16).padStart(2, '0').repeat(32)}'`;
}

import { sql } from 'kysely';
import { otherKind } from '#client/index.ts';
import type { Database } from '#db/connections/handles.ts';
import { createPartitions } from '#db/partitions.ts';
import type { TestAccount, TestApp } from '#test/support/test-app.ts';

/** Contains line breaks, non-ASCII characters and text that COPY must escape. */
const TEXT_TO_ESCAPE = 'tab\tback\\slash \\. \\N "quoted" \'too\' \n line \r\n ends, ä€😀 \u2028';

/** Inserts at least one row into each table, through the API where possible. */
export async function insertEveryKindOfRow(server: TestApp): Promise<TestAccount> {
  const account = await server.createNamedAccount('came-back');
  const { client, id } = account;
  await client.site.updateSiteConfiguration({
    bio: TEXT_TO_ESCAPE,
    mood: '\\N',
    blocks: [
      { type: otherKind('text'), content: TEXT_TO_ESCAPE, z: 1, a: { text: TEXT_TO_ESCAPE } },
    ],
  });
  await client.emailForwarding.emailForwardingToggle({ enabled: true, email: 'jane@example.com' });
  const projectId = await server.createProject(account, TEXT_TO_ESCAPE.replaceAll(/[\r\n]/g, ' '));
  await client.stats.ingestMetrics({
    projectId,
    payload: { b: TEXT_TO_ESCAPE, a: [1.5e300, null] },
  });
  await insertOldMetric(server.db, projectId);
  for (const statement of STATEMENTS)
    await sql.raw(statement.replaceAll('$account', `'${id}'`)).execute(server.db);
  return account;
}

/** Inserts a metric in an old partition, with JSON that PostgreSQL would format differently. */
async function insertOldMetric(db: Database, projectId: string): Promise<void> {
  const januaryPartition = { name: 'metrics_2020_01', from: '2020-01-01', to: '2020-02-01' };
  await db.transaction().execute((trx) => createPartitions(trx, [januaryPartition]));
  await sql`INSERT INTO metrics (project_id, received_at, payload)
    VALUES (${projectId}, '2020-01-31T23:59:59.999999Z', '{ "b" : 1,  "a":2 , "b":3}')`.execute(db);
}

const HASH = `sha256('x')`;
const IN_ONE_HOUR = `now() + interval '1 hour'`;

const STATEMENTS = [
  `INSERT INTO idempotency_keys (account_id, method, path, key, body_hash, state, status, response)
    VALUES ($account, 'POST', '/stats/ingest-metrics', 'mine', ${HASH}, 'done', 200, '{"ok" :true}')`,
  `INSERT INTO metric_keys VALUES ($account, gen_random_uuid(), gen_random_uuid())`,
  `INSERT INTO chat_send_counts VALUES ($account, now(), 1, now(), 1)`,
  `INSERT INTO provider_aliases (name, last_error) VALUES ('came-back', '{"code": "a\\b"}')`,
  `INSERT INTO forwarding_destinations (account_id, address_hash) VALUES ($account, ${HASH})`,
  `INSERT INTO pending_emails VALUES ($account, 'new@example.com', true, 'all', 'operator', ${IN_ONE_HOUR})`,
  `INSERT INTO provider_destinations VALUES ('jane@example.com')`,
  `INSERT INTO display_names (name, is_address) VALUES ('board', true)`,
  `INSERT INTO addresses (name) VALUES ('board')`,
  `INSERT INTO address_recipients (address_id, account_id) SELECT id, $account FROM addresses`,
  `INSERT INTO groups (slug, name, color, sign_on) VALUES ('a-b', 'a\\b', 'blue', 'a\\b')`,
  `INSERT INTO group_members (group_id, account_id, source) SELECT id, $account, 'hand' FROM groups`,
  `INSERT INTO group_imports (created_groups, removed) VALUES ('{}', '[{"group_id": null}]')`,
  `INSERT INTO audit_log (who, via, action) VALUES ('root@here', 'command', 'x')`,
  `INSERT INTO daily_usage (account_id, day) VALUES ($account, '2020-02-29')`,
  `INSERT INTO key_requests (account_id, key_id, operation, status, duration_ms, x_request_id, created_at)
    VALUES ($account, 'np_a', 'stats.getProjects', 200, 5, 'a\\b', now())`,
  `INSERT INTO page_visits VALUES ($account, 'view', '2020-02-29', '', 9223372036854775807)`,
  `INSERT INTO week_summaries VALUES ($account, 'Europe/Lisbon', '2020-02-29')`,
  `INSERT INTO pictures (id, account_id, file_hash, bytes, webp_96, webp_512, webp_1200)
    VALUES ('abcdefghijklmnopqrst_--1200x800', $account, ${HASH}, 9, '\\x00ff5c', '\\x0a0d09', '\\x')`,
  `INSERT INTO covers (account_id, url, state, title, picture_id)
    VALUES ($account, 'https://vimeo.com/1', 'found', 'Film', 'abcdefghijklmnopqrst_--1200x800')`,
  `INSERT INTO passkeys (id, account_id, public_key, counter, transports, scope)
    VALUES ('p', $account, '\\x00ff5c', 7, '["usb", "nfc"]', 'all')`,
  `INSERT INTO sessions (account_id, token_hash, via, passkey_id)
    VALUES ($account, ${HASH}, 'passkey', 'p')`,
  `INSERT INTO identities (account_id, issuer, subject, label, scope)
    VALUES ($account, 'https://id.example.org', 'jane', 'J\\tD', 'all')`,
  `INSERT INTO login_links VALUES (${HASH}, $account, ${IN_ONE_HOUR})`,
  `INSERT INTO challenge_secret (secret) VALUES (${HASH})`,
  `INSERT INTO instance (name, color, logo_id, logo) VALUES ('A\\b', '#1f5b96', 'x', '\\x00ff5c')`,
  `INSERT INTO last_backup (finished_at) VALUES (now())`,
  `INSERT INTO last_maintenance (finished_at, seconds, failed_tasks) VALUES (now(), 1, 0)`,
  `INSERT INTO used_challenges VALUES (${HASH}, ${IN_ONE_HOUR})`,
  `INSERT INTO messages (audience, subject, text) VALUES ('all', 'a\\b', 'a\\b')`,
  `INSERT INTO message_recipients (message_id, account_id, state) SELECT id, $account, 'sent' FROM messages`,
  `INSERT INTO message_subscriptions VALUES ($account)`,
  `INSERT INTO listings (account_id, told_at, listed_from) VALUES ($account, now(), now())`,
  `INSERT INTO sign_ups (email, display_name, token_hash) VALUES ('j@example.com', 'j', ${HASH})`,
  `INSERT INTO applications (display_name, email, text, language)
    VALUES ('waits', 'w@example.com', 'a\\b', 'en')`,
  `INSERT INTO unconfirmed_mails VALUES ('sign_up', date_trunc('hour', now()), 1)`,
  `INSERT INTO invitations (token_hash, expires_at) VALUES (${HASH}, ${IN_ONE_HOUR})`,
  `INSERT INTO invitation_groups SELECT invitations.id, groups.id, ARRAY[gen_random_uuid()]
    FROM invitations, groups`,
  `INSERT INTO metric_deletions (project_id, since, until)
    SELECT id, '-infinity', '2019-01-01' FROM projects WHERE account_id = $account`,
  `INSERT INTO connections (account_id, kind, name, event_types, encrypted_url)
    VALUES ($account, 'webhook', 'a\\b', '{display_name_updated}', '\\x00ff5c')`,
  `INSERT INTO deliveries (connection_id, type, data, error)
    SELECT id, 'test', '{"a": "b\\\\c"}', '{"code": "a\\\\b"}' FROM connections`,
  `INSERT INTO alerts (account_id, project_id, connection_id, path, aggregate, minutes, comparison,
      threshold, pause_minutes)
    SELECT $account, projects.id, connections.id, '["a\\\\b"]', 'sum', 5, 'above', 0.1, 60
    FROM projects, connections WHERE projects.account_id = $account`,
  `INSERT INTO operators (account_id) VALUES ($account)`,
  `UPDATE api_keys SET scope = 'operator' WHERE account_id = $account`,
  `INSERT INTO domains (account_id, domain, token) VALUES ($account, 'jane.example', 'abcdefghijklmnopqrst_-')`,
  `INSERT INTO reports (account_id, name, reason, text) VALUES ($account, 'came-back', 'other', 'a\\b')`,
  `INSERT INTO owner_mails (kind, account_id, address_hash)
    VALUES ('key', $account, ${HASH})`,
  `INSERT INTO accounts (id) VALUES ('00000000-0000-4000-8000-00000000000b')`,
  `INSERT INTO keepers (account_id, keeper_id)
    VALUES ($account, '00000000-0000-4000-8000-00000000000b')`,
  `INSERT INTO keeper_invitations (account_id, keeper_id, invited_by, token_hash)
    VALUES ('00000000-0000-4000-8000-00000000000b', $account, $account, ${HASH})`,
  `INSERT INTO oauth_clients (id, kind, name, redirect_uris, secret_hash)
    VALUES ('c', 'website', 'a\\b', '{https://a.example/}', ${HASH})`,
  `INSERT INTO oauth_subjects (account_id) VALUES ($account)`,
  `INSERT INTO oauth_grants (account_id, actor_id, client_id, scopes)
    VALUES ($account, $account, 'c', '{openid}')`,
  `INSERT INTO oauth_tokens (id_hash, kind, grant_id, payload, expires_at)
    SELECT ${HASH}, 'RefreshToken', id, '{"a": "b\\\\c"}', ${IN_ONE_HOUR} FROM oauth_grants`,
  `INSERT INTO oauth_keys (id, public_key, encrypted_key, signs_from)
    VALUES ('k', '{}', '\\x00ff5c', now())`,
];

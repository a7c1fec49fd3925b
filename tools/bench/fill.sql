-- Adds 100,000 members, and 10 million metrics, 2 million stored responses and a million visits for the newest
-- project and its account. For `npm run bench -- --fill`, or psql as a superuser of a test database.
BEGIN;
SET LOCAL session_replication_role = replica; -- Skips the checks of foreign keys.
SET LOCAL timezone = 'UTC';
CREATE TEMP TABLE project ON COMMIT DROP AS SELECT id, account_id FROM projects ORDER BY created_at DESC LIMIT 1;
WITH member AS (SELECT n, gen_random_uuid() AS id FROM generate_series(1, 100000) AS n),
  account AS (INSERT INTO accounts (id, created_at) SELECT id, now() - n * interval '1 minute' FROM member),
  name AS (INSERT INTO display_names (name, account_id) SELECT 'member-' || n, id FROM member)
INSERT INTO forwarding_settings (account_id, login_email) SELECT id, 'member-' || n || '@example.com' FROM member;
DO $$ DECLARE month timestamptz; BEGIN
  FOR month IN SELECT date_trunc('month', now()) - n * interval '1 month' FROM generate_series(1, 12) AS n LOOP
    EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF metrics FOR VALUES FROM (%L) TO (%L)',
      to_char(month, '"metrics_"YYYY_MM'), month, month + interval '1 month');
  END LOOP;
END $$;
INSERT INTO metrics (project_id, received_at, payload) SELECT id, now() - n / 1e7 * interval '365 days',
  json_build_object('visitors', n % 1000, 'page', '/' || n % 50, 'tags', ARRAY['a', 'b'])
  FROM project, generate_series(1e7::int, 1, -1) AS n;
INSERT INTO metric_keys (account_id, key_hash, body_hash, created_at)
  SELECT account_id, gen_random_uuid(), gen_random_uuid(), now() - n / 2e6 * interval '24 hours'
  FROM project, generate_series(2e6::int, 1, -1) AS n;
-- As many visits of 1,000 other pages.
INSERT INTO page_visits (account_id, kind, day, value, count)
  SELECT coalesce(other.account_id, project.account_id), kind, current_date - n % 365, value, count(*)
  FROM project, generate_series(1, 2e6::int) AS n
  LEFT JOIN display_names AS other ON name = CASE n % 2 WHEN 1 THEN 'member-' || n / 2 % 1000 + 1 END
  CROSS JOIN LATERAL (VALUES ('view', ''), ('device', 'phone'), ('click', ''), ('country', chr(65 + n % 26) || 'A'),
    ('referrer', n % 14 * (n % 15) || '.example'), ('link', 'https://example.com/' || n % 10)) AS visit (kind, value)
  GROUP BY 1, 2, 3, 4;
COMMIT;

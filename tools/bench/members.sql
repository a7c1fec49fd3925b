-- Adds 20,000 members, of whom 5,000 are in the list of members. For psql and a test database.
BEGIN;
CREATE TEMP TABLE member ON COMMIT DROP AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, 20000) AS n;
INSERT INTO accounts (id, created_at) SELECT id, now() - interval '30 days' - n * interval '1 minute' FROM member;
INSERT INTO display_names (name, account_id) SELECT 'member-' || n, id FROM member;
INSERT INTO forwarding_settings (account_id, login_email) SELECT id, 'member-' || n || '@example.com' FROM member;
INSERT INTO sites (account_id, enabled, on_front_page, display_name, bio)
  SELECT id, n % 2 = 0, n % 4 = 0,
    (ARRAY['Zoë Müller', 'Jürgen Groß', 'Anna Schmidt', 'Bert Brown'])[1 + n / 4 % 4] || ' ' || n,
    (ARRAY['Sings alto and bakes bread for all', 'Singt Sopran und bäckt für alle Süßes'])[1 + n / 8 % 2]
  FROM member;
INSERT INTO instance (directory) VALUES ('everybody')
  ON CONFLICT (only_row) DO UPDATE SET directory = 'everybody';
COMMIT;
VACUUM ANALYZE;

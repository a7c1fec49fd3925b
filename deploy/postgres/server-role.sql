-- A role for servers that may not change the schema. Run it with psql 14 or newer in Nameplate's
-- database, as the role that migrates and owns it; that must be allowed to create roles. The new
-- role's password comes from the environment variable SERVER_PASSWORD.
\set ON_ERROR_STOP on
\getenv password SERVER_PASSWORD
BEGIN;
-- The role exists already in a database that was restored on the same PostgreSQL server.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'nameplate_server') THEN
    CREATE ROLE nameplate_server LOGIN;
  END IF;
END
$$;
ALTER ROLE nameplate_server PASSWORD :'password';
GRANT USAGE ON SCHEMA public TO nameplate_server;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO nameplate_server;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO nameplate_server;
-- Tables and sequences of later versions, too.
ALTER DEFAULT PRIVILEGES IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO nameplate_server;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO nameplate_server;
-- The jobs.
GRANT USAGE ON SCHEMA pgboss TO nameplate_server;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO nameplate_server;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA pgboss TO nameplate_server;
COMMIT;

-- A role that can read who gets which mail, and nothing else. Run it in Nameplate's database with
-- psql 14 or newer; its password comes from the environment, which no list of processes shows:
--   POSTFIX_PASSWORD=… psql "$DATABASE_URL" -f docs/postfix/role.sql
\set ON_ERROR_STOP on
\getenv password POSTFIX_PASSWORD
BEGIN;
CREATE ROLE nameplate_postfix LOGIN PASSWORD :'password' CONNECTION LIMIT 20;
ALTER ROLE nameplate_postfix SET default_transaction_read_only = on;
GRANT USAGE ON SCHEMA public TO nameplate_postfix;
GRANT SELECT ON postfix_aliases TO nameplate_postfix;
-- Everybody may make temporary tables and functions otherwise.
REVOKE TEMPORARY ON DATABASE :"DBNAME" FROM PUBLIC;
COMMIT;

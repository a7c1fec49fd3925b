-- A role that can read who gets which mail, and nothing else. Run it in Nameplate's database with
-- psql 14 or newer, as a superuser, or as the database's owner if that may create roles. The role's
-- password comes from the environment variable POSTFIX_PASSWORD, which no list of processes shows.
\set ON_ERROR_STOP on
\getenv password POSTFIX_PASSWORD
BEGIN;
CREATE ROLE nameplate_postfix LOGIN PASSWORD :'password' CONNECTION LIMIT 20;
ALTER ROLE nameplate_postfix SET default_transaction_read_only = on;
GRANT USAGE ON SCHEMA public TO nameplate_postfix;
GRANT SELECT ON postfix_aliases TO nameplate_postfix;
-- Everybody may make temporary tables and functions otherwise.
REVOKE TEMPORARY ON DATABASE :"DBNAME" FROM PUBLIC;
-- And large objects. Whoever is no superuser gets a warning here, and revokes nothing.
REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC;
COMMIT;

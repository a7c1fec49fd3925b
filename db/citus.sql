-- Distributes the two tables that keep growing over the machines of a Citus cluster. Run it on the
-- coordinator with psql, as the owner of Nameplate's database, after `nameplate migrate` and while no
-- server runs. docs/scaling.md describes the preceding steps.
\set ON_ERROR_STOP on
BEGIN;
SET LOCAL citus.multi_shard_modify_mode TO 'sequential';
-- Without this foreign key, Citus leaves all other tables alone. Nameplate itself deletes the rows
-- when it deletes their account.
ALTER TABLE events DROP CONSTRAINT events_account_id_fkey;
SELECT create_distributed_table('metrics', 'project_id');
SELECT create_distributed_table('events', 'account_id');
COMMIT;

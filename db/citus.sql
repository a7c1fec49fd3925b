-- Spreads the two tables that grow without end over the machines of a Citus cluster. Run it with psql
-- on the coordinator, in Nameplate's database, after `nameplate migrate` and while no server runs:
--   CREATE EXTENSION citus;  SELECT citus_add_node('machine', 5432); … for each worker, then this file.
\set ON_ERROR_STOP on
BEGIN;
SET LOCAL citus.multi_shard_modify_mode TO 'sequential';
-- Every machine has a copy, since what is distributed refers to them.
SELECT create_reference_table('accounts');
SELECT create_reference_table('projects');
SELECT create_distributed_table('metrics', 'project_id');
SELECT create_distributed_table('events', 'account_id');
COMMIT;

import pg from 'pg';
import { expect, it } from 'vitest';
import { runPsqlScript } from '../support/run-psql-script.ts';
import { setSuspended } from '../support/suspend.ts';
import { openTestApp } from '../support/test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';

it("the view for Postfix does not leak names without forwarding to a function in the reader's query", async () => {
  const server = await openTestApp();
  for (const name of ['shown', 'suspended']) {
    const { client } = await server.createNamedAccount(name);
    const settings = { enabled: true, email: `${name}@example.com` };
    await client.emailForwarding.emailForwardingToggle(settings);
  }
  await server.createNamedAccount('hidden');
  await setSuspended(server, 'suspended');

  const reader = new pg.Client({ connectionString: server.database.url });
  await reader.connect();
  const notices: (string | undefined)[] = [];
  reader.on('notice', ({ message }) => notices.push(message));
  // Without security_barrier, the planner would evaluate such a cheap function before the view's
  // own condition.
  await reader.query(`CREATE FUNCTION pg_temp.look(text) RETURNS boolean COST 0.0000001
    LANGUAGE plpgsql AS 'BEGIN RAISE NOTICE ''%'', $1; RETURN true; END'`);
  const { rows } = await reader.query('SELECT * FROM postfix_aliases WHERE pg_temp.look(name)');
  expect(rows).toEqual([{ name: 'shown', destination: 'shown@example.com' }]);
  expect(notices).toEqual(['shown']);
  await reader.end();
});

it('the role for Postfix can only read the view', async () => {
  const database = await openTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await runPsqlScript(client, 'deploy/postfix/role.sql');
  await client.query('SET SESSION AUTHORIZATION nameplate_postfix');
  await client.query('SET default_transaction_read_only = off');
  expect((await client.query('SELECT * FROM postfix_aliases')).rows).toEqual([]);
  for (const statement of [
    'SELECT * FROM forwarding_settings',
    'SELECT * FROM api_keys',
    'SELECT * FROM provider_aliases',
    'DELETE FROM forwarding_settings',
    'CREATE TABLE own ()',
    'CREATE TEMPORARY TABLE own ()',
    'SELECT lo_creat(-1)',
    'SELECT lo_create(0)',
    "SELECT lo_from_bytea(0, 'x')",
    "SELECT lo_import('/etc/passwd')",
  ])
    await expect(client.query(statement)).rejects.toThrow(/^permission denied/);
  await client.query('RESET SESSION AUTHORIZATION');
  await client.query('DROP OWNED BY nameplate_postfix');
  await client.query('DROP ROLE nameplate_postfix');
  await client.end();
  await database.close();
});

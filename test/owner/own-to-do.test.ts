import { expect, it } from 'vitest';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({ account: true });

const readToDo = async (owner = account) => (await owner.owner.sessions.getSession()).to_do;

async function addAlert(threshold: number): Promise<string> {
  const projectId = await server.createProject(account, 'shop');
  const [alert] = await server.sql<{ id: string }>`
    INSERT INTO alerts (account_id, project_id, path, aggregate, minutes, comparison, threshold,
      pause_minutes, state, value, changed_at)
    VALUES (${account.id}, ${projectId}, '["errors"]', 'sum', 15, 'above', ${threshold}, 0,
      'firing', 12, now())
    RETURNING id`;
  return `metrics/${projectId}#${alert!.id}`;
}

it('an account without problems has nothing to do', async () => {
  expect(await readToDo()).toEqual([]);
});

it('an alert that fires is to do, and leads to itself; several lead to the projects', async () => {
  const path = await addAlert(10);
  expect(await readToDo()).toMatchObject([
    {
      code: 'alertsFiring',
      title: 'shop: Sum of errors in the last 15 minutes is above 10',
      text: 'It is now 12.',
      count: 1,
      path,
    },
  ]);
  await addAlert(11);
  expect(await readToDo()).toMatchObject([
    { title: '2 alerts are firing', text: 'shop', count: 2, path: 'metrics' },
  ]);
  await server.sql`UPDATE alerts SET state = 'fine'`;
  expect(await readToDo()).toEqual([]);
});

it('connections that fail, or that were switched off because of it, are to do', async () => {
  const [failing] = await server.sql<{ id: string }>`
    INSERT INTO connections (account_id, kind, name, failing_since)
    VALUES (${account.id}, 'slack', 'Team chat', now()) RETURNING id`;
  expect(await readToDo()).toMatchObject([
    {
      code: 'connectionsFailing',
      title: 'Team chat is failing',
      count: 1,
      path: `connections/${failing!.id}`,
    },
  ]);
  await server.sql`
    UPDATE connections SET disabled_at = now(), disabled_reason = 'gone', failing_since = NULL`;
  expect(await readToDo()).toMatchObject([
    { text: 'Switched off: its address or token is no longer valid' },
  ]);
  await server.sql`UPDATE connections SET disabled_reason = 'owner'`;
  expect(await readToDo()).toEqual([]);
});

it('a new inbox is to do until its link was opened', async () => {
  await server.sql`
    UPDATE forwarding_settings SET forwarding_enabled = true, forwarding_confirmed = false,
      forwarding_email = 'jane@example.com' WHERE account_id = ${account.id}`;
  expect(await readToDo()).toMatchObject([
    { code: 'inboxUnconfirmed', title: 'jane@example.com is not confirmed yet', path: 'mail' },
  ]);
  await server.sql`UPDATE forwarding_settings SET forwarding_confirmed = true`;
  await server.sql`
    INSERT INTO pending_emails
      (account_id, email, forwarding_enabled, email_scope, entered_by, expires_at)
    VALUES (${account.id}, 'new@example.com', true, 'all', '', now() + interval '1 day')`;
  expect(await readToDo()).toMatchObject([
    {
      title: 'new@example.com is not confirmed yet',
      text: 'Open the link in the mail that was sent there. Until then, nothing changes.',
    },
  ]);
  await server.sql`DELETE FROM pending_emails`;
  expect(await readToDo()).toEqual([]);
});

it('what waits for one account is not in the list of another', async () => {
  await addAlert(12);
  await server.sql`UPDATE connections SET disabled_at = NULL, disabled_reason = NULL, failing_since = now()`;
  await server.sql`UPDATE forwarding_settings SET forwarding_confirmed = false`;
  expect(await readToDo()).toHaveLength(3);
  const other = await server.createAccount();
  expect(await readToDo(other)).toEqual([]);
});

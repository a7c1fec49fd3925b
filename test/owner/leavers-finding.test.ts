import { expect, it } from 'vitest';
import { listLeavers } from '#db/queries/members.ts';
import { createOperator } from '../support/endpoints.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

it('a list of many who left reads only the names that it shows, and ids of those without one', async () => {
  const operator = await createOperator(server);
  await server.sql`WITH added AS (
      INSERT INTO accounts (created_at) SELECT now() - n * interval '1 day' FROM generate_series(1, 9) AS n
      RETURNING id, created_at
    ), named AS (
      INSERT INTO display_names (name, account_id)
      SELECT 'left-' || (now()::date - created_at::date), id FROM added
      WHERE created_at < now() - interval '36 hours')
    INSERT INTO identities (account_id, issuer, subject, scope, left_at)
    SELECT id, 'https://id.example', id::text, 'all', now() FROM added`;
  const leavers = await listLeavers(server.db, 4);
  expect(leavers.map(({ name }) => name)).toEqual([null, 'left-2', 'left-3', 'left-4']);
  const { to_do } = await operator.owner.sessions.getSession();
  expect(to_do.find(({ code }) => code === 'membersLeft')).toMatchObject({
    count: 9,
    text: `Keys and passkeys of Account ${leavers[0]!.id.slice(0, 8)}, @left-2, @left-3, @left-4, and … work until you suspend the account.`,
  });
});

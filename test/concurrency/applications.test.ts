import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { addApplication, createOperator, createSignUpToken } from '../support/endpoints.ts';
import { postFromPage } from '../support/session.ts';
import { startTwoServers } from './support/two-servers.ts';

const servers = await startTwoServers({ REGISTRATION: 'approval', mailEnabled: true });
afterAll(() => servers.close());

it('decisions, withdrawals, renames, claims and new applications at two servers never deadlock', async () => {
  const { first, second, separateConnections } = servers;
  const [nora, kim] = [await createOperator(first), await createOperator(first)];
  for (let round = 0; round < 10; round += 1) {
    const names = Array.from({ length: 3 }, (_, index) => `a-${round}-${index}`);
    const added: { id: string; token: string }[] = [];
    for (const name of names) added.push(await addApplication(first, { name }));
    const ids = added.map(({ id }) => id);
    const display_name = `c-${round}-waits`;
    const request = { email: `${display_name}@names.org`, display_name, application_text: '' };
    const registration_url = await createSignUpToken(first.db, request);
    const decide = (operation: 'approve' | 'decline', account_ids: string[]) =>
      send(
        operation === 'approve' ? first : second,
        operation === 'approve' ? nora : kim,
        `POST /owner/members/${operation}-members`,
        { account_ids },
      );
    const rename = (account: typeof nora, name: string) =>
      send(second, account, 'POST /account/update-display-name', { display_name: name });
    ids.sort();
    // Both decisions lock what they can before this row.
    const { pending } = await separateConnections.db.transaction().execute(async (trx) => {
      await sql`SELECT FROM applications WHERE id = ${ids[1]} FOR UPDATE`.execute(trx);
      const decisions = [decide('approve', ids), decide('decline', ids.toReversed())];
      await waitForBlockedQuery(separateConnections.db, 2);
      return {
        pending: Promise.all([
          ...decisions,
          postFromPage(second, '/owner/account/delete-application', {
            application_url: added.find(({ id }) => id === ids[2])!.token,
          }),
          rename(nora, names[0]!),
          rename(kim, names[1]!),
          send(first, kim, 'POST /owner/addresses/create-address', {
            name: names[1]!,
            recipients: [],
          }),
          postFromPage(second, '/owner/account/create-application', {
            registration_url,
            display_name,
          }),
          send(first, nora, 'POST /owner/members/update-member-role', {
            account_id: kim.id,
            operator: true,
          }),
        ]),
      };
    });
    const responses = await pending;
    expect(responses.map(({ status }) => status)).not.toContain(500);
    const [approved, declined] = responses.slice(0, 2).map(({ body }) => {
      const { results } = body as { results: { account_id: string; result: string }[] };
      return results.filter(({ result }) => result === 'done').map((row) => row.account_id);
    });
    const decided = [...approved!, ...declined!];
    // The third may have been withdrawn before.
    expect(decided).toHaveLength(new Set(decided).size);
    expect(decided).toEqual(expect.arrayContaining(ids.slice(0, 2)));
    const { rows: accounts } = await sql<{ id: string }>`SELECT id FROM accounts
      WHERE id = ANY (${ids}::uuid[]) ORDER BY id`.execute(separateConnections.db);
    expect(accounts.map(({ id }) => id)).toEqual(approved!.toSorted());
  }
  const { rows } = await sql<{ deadlocks: string }>`SELECT deadlocks FROM pg_stat_database
    WHERE datname = current_database()`.execute(separateConnections.db);
  expect(rows).toEqual([{ deadlocks: '0' }]);
});

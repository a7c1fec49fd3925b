import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { addApplication, createOperator, createSignUpToken } from '../support/endpoints.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { send } from '../support/call.ts';
import { postFromPage } from '../support/session.ts';
import { startTwoServers } from './support/two-servers.ts';

const servers = await startTwoServers({ REGISTRATION: 'approval', mailEnabled: true });
afterAll(() => servers.close());

it('decisions, renames, claims and new applications at two servers never deadlock', async () => {
  const { first, second, separateConnections } = servers;
  const [nora, kim] = [await createOperator(first), await createOperator(first)];
  for (let round = 0; round < 10; round += 1) {
    const names = Array.from({ length: 3 }, (_, index) => `a-${round}-${index}`);
    const ids: string[] = [];
    for (const name of names) ids.push((await addApplication(first, { name })).id);
    const display_name = `c-${round}-waits`;
    const request = { email: `${display_name}@names.org`, display_name, application_text: '' };
    const registration_url = await createSignUpToken(first.db, request);
    const decide = (operation: 'approve' | 'decline', application_ids: string[]) =>
      send(
        operation === 'approve' ? first : second,
        operation === 'approve' ? nora : kim,
        `POST /owner/applications/${operation}-applications`,
        { application_ids },
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
          rename(nora, names[0]!),
          rename(kim, names[1]!),
          send(first, kim, 'POST /owner/addresses/create-address', {
            name: names[1]!,
            recipients: [],
          }),
          postFromPage(second, '/owner/applications/create-application', {
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
    const results = responses
      .slice(0, 2)
      .flatMap(({ body }) =>
        (body as { results: { result: string }[] }).results.map(({ result }) => result),
      );
    expect(results.filter((result) => result === 'done')).toHaveLength(3);
  }
  const { rows } = await sql<{ deadlocks: string }>`SELECT deadlocks FROM pg_stat_database
    WHERE datname = current_database()`.execute(separateConnections.db);
  expect(rows).toEqual([{ deadlocks: '0' }]);
});

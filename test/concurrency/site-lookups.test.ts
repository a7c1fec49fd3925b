import { beforeAll, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const MAX_STATEMENTS = 20;

let accounts: TestAccount[];
const { server } = useServer();
beforeAll(async () => {
  accounts = await Promise.all(Array.from({ length: 20 }, server.createAccount));
  for (const [index, { client }] of accounts.entries()) {
    if (index === 0) continue;
    await client.account.updateDisplayName({ display_name: `name-${index}` });
    await client.site.updateSiteConfiguration({
      bio: `bio ${index}`,
      blocks: [{ type: 'text', content: `text ${index}` }],
    });
  }
});

/** Sends three reads per account, all at once. Returns the bodies and the number of statements. */
async function readAll(path: '/account/get-display-name' | '/site/get-site-configuration') {
  const before = server.queryCount();
  const readers = [...accounts, ...accounts, ...accounts];
  const responses = await Promise.all(
    readers.map((account) => send(server, account, `GET ${path}`)),
  );
  for (const { status } of responses) expect(status).toBe(200);
  return { bodies: responses.map(({ body }) => body), statements: server.queryCount() - before };
}

it('concurrent reads of display names need a few statements, and each account gets its own', async () => {
  const { bodies, statements } = await readAll('/account/get-display-name');
  expect(bodies).toEqual(
    bodies.map((_body, index) => ({
      display_name: index % 20 === 0 ? '' : `name-${index % 20}`,
    })),
  );
  expect(statements).toBeLessThan(MAX_STATEMENTS);
});

it('concurrent reads of sites need a few statements, and each account gets its own', async () => {
  const { bodies, statements } = await readAll('/site/get-site-configuration');
  expect(bodies).toMatchObject(
    bodies.map((_body, index) =>
      index % 20 === 0
        ? { site: { bio: null }, blocks: [] }
        : {
            site: { bio: `bio ${index % 20}` },
            blocks: [{ type: 'text', content: `text ${index % 20}` }],
          },
    ),
  );
  expect(statements).toBeLessThan(MAX_STATEMENTS);
});

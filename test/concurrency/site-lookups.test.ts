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

it.each([
  ['/account/get-display-name', (n: number) => ({ display_name: n ? `name-${n}` : '' })],
  [
    '/site/get-site-configuration',
    (n: number) => ({
      site: { bio: n ? `bio ${n}` : null },
      blocks: n ? [{ type: 'text', content: `text ${n}` }] : [],
    }),
  ],
] as const)(
  'concurrent reads of %s need a few statements, and each account gets its own',
  async (path, bodyOf) => {
    const before = server.queryCount();
    const readers = [...accounts, ...accounts, ...accounts];
    const responses = await Promise.all(
      readers.map((account) => send(server, account, `GET ${path}`)),
    );
    expect(responses.map(({ body }) => body)).toMatchObject(
      readers.map((_reader, index) => bodyOf(index % accounts.length)),
    );
    expect(server.queryCount() - before).toBeLessThan(MAX_STATEMENTS);
  },
);

import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../support/use-server.ts';
import { runJson } from './support/command-line.ts';

let settings: { DATABASE_URL: string };
const { server } = useServer();
beforeAll(async () => {
  settings = { DATABASE_URL: server.database.url };
});

async function publish(name: string): Promise<string> {
  const { id, client } = await server.createAccount();
  await client.account.updateDisplayName({ display_name: name });
  await client.site.toggleSiteVisibility();
  return id;
}

const getStatus = async (name: string) =>
  (await server.app.inject({ method: 'GET', url: `/@${name}` })).statusCode;

describe('a page', () => {
  it('that is suspended is hidden from the next request until it is restored', async () => {
    const account_id = await publish('jane-doe');
    expect(await getStatus('jane-doe')).toBe(200);
    const suspendedAt = expect.stringMatching(/Z$/) as string;
    const suspendedPage = { account_id, display_name: 'jane-doe', suspended_at: suspendedAt };
    expect(await runJson(settings, 'pages', 'suspend', 'jane-doe')).toEqual(suspendedPage);
    expect(await getStatus('jane-doe')).toBe(404);
    expect(await runJson(settings, 'pages', 'list')).toEqual([
      { name: 'jane-doe', account_id, suspended_at: suspendedAt },
    ]);
    expect(await runJson(settings, 'pages', 'restore', account_id)).toEqual({
      ...suspendedPage,
      suspended_at: null,
    });
    expect(await getStatus('jane-doe')).toBe(200);
    expect(await runJson(settings, 'pages', 'list')).toEqual([]);
  });

  it('stays hidden after it is restored if its owner hides it', async () => {
    const account_id = await publish('joe-bloggs');
    await runJson(settings, 'pages', 'suspend', 'joe-bloggs');
    await server.database.db
      .updateTable('sites')
      .set({ enabled: false })
      .where('account_id', '=', account_id)
      .execute();
    await runJson(settings, 'pages', 'restore', 'joe-bloggs');
    expect(await getStatus('joe-bloggs')).toBe(404);
  });
});

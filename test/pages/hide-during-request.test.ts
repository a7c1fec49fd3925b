import { expect, it } from 'vitest';
import { toggleSite } from '#db/queries/sites.ts';
import { useTwoServers } from '../concurrency/support/two-servers.ts';
import { waitForBlockedQuery, whileLocked } from '../support/database-locks.ts';
import { createPage, toComparable } from '../support/publish-page.ts';
import type { TestAccount } from '../support/test-app.ts';

const servers = useTwoServers();

const publish = () => createPage(servers.first, { bio: 'before' });

const get = async (name: string, { app } = servers.first) =>
  toComparable(await app.inject(`/@${name}`));

const getFromBoth = (name: string) =>
  Promise.all([servers.first, servers.second].map((server) => get(name, server)));

const toggleVisibility = ({ id }: TestAccount) => toggleSite(servers.separateConnections.db, id);

it.each(['not cached', 'cached but outdated'])(
  'a page that is hidden during a request returns 404 if the page was not read before that: %s',
  async (state) => {
    const { account, name } = await publish();
    if (state !== 'not cached') {
      await getFromBoth(name);
      await account.client.site.updateSiteConfiguration({ bio: 'between' });
    }
    let responses: ReturnType<typeof getFromBoth> | undefined;
    await whileLocked(servers.separateConnections.db, 'blocks', async (trx) => {
      responses = getFromBoth(name);
      await waitForBlockedQuery(trx);
      expect(await toggleVisibility(account)).toBe(false);
    });
    const notFound = await get('nobody-at-all');
    expect(notFound.status).toBe(404);
    expect(await responses).toEqual([notFound, notFound]);
  },
);

it('a page that is hidden during a request returns 404 to later requests, even while earlier ones are waiting', async () => {
  const { account, name } = await publish();
  const project = await servers.first.createProject(account);
  await account.client.site.updateSiteConfiguration({
    blocks: [{ type: 'metric', project }],
  });
  await whileLocked(servers.separateConnections.db, 'metrics', async (trx) => {
    // The servers have read the page and wait for its metrics.
    const earlierRequests = getFromBoth(name);
    await waitForBlockedQuery(trx);
    expect(await toggleVisibility(account)).toBe(false);
    expect((await getFromBoth(name)).map(({ status }) => status)).toEqual([404, 404]);
    for (const { status, body } of await earlierRequests)
      if (status !== 404) expect(String(body)).toContain('before');
    expect((await getFromBoth(name)).map(({ status }) => status)).toEqual([404, 404]);
  });
  expect((await getFromBoth(name)).map(({ status }) => status)).toEqual([404, 404]);
  await account.client.site.updateSiteConfiguration({ bio: 'after' });
  expect(await toggleVisibility(account)).toBe(true);
  for (const { body } of await getFromBoth(name)) expect(String(body)).toContain('after');
});

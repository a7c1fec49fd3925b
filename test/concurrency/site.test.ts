import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { send } from '../support/call.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useTwoServers } from './support/two-servers.ts';

interface Configuration {
  site: { bio: string | null };
  blocks: { id: string; content: string }[];
}

const servers = useTwoServers();

async function readSite(account: TestAccount, serverIndex = 0): Promise<Configuration> {
  const server = servers.serverAt(serverIndex);
  const { status, body } = await send(server, account, 'GET /site/get-site-configuration');
  expect(status).toBe(200);
  return body as Configuration;
}

function updateSite(account: TestAccount, serverIndex: number, body: object) {
  return send(servers.serverAt(serverIndex), account, 'POST /site/update-site-configuration', body);
}

it('200 parallel toggles of a site that was never written flip the state 200 times', async () => {
  const [account] = await servers.createAccounts(1);
  const responses = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      send(servers.serverAt(index), account!, 'POST /site/toggle-site-visibility'),
    ),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  const statuses = responses.map(({ body }) => (body as { newStatus: boolean }).newStatus);
  expect(statuses.filter(Boolean)).toHaveLength(100);
  const { body } = await send(servers.second, account!, 'GET /site/get-site-status');
  expect(body).toEqual({ enabled: false });
});

it.each([
  ['of bio and blocks', true, { bio: 'set' }],
  ['of only blocks of a new site', false, {}],
])(
  "30 parallel updates of one site %s leave exactly one request's block list",
  async (_title, exists, details) => {
    const [account] = await servers.createAccounts(1);
    const sharedIds = Array.from({ length: 6 }, () => randomUUID());
    const block = (id: string | undefined, content: string) => ({ id, type: 'text', content });
    if (exists)
      await updateSite(account!, 0, { blocks: sharedIds.map((id) => block(id, 'before')) });
    const requests = Array.from({ length: 30 }, (_, index) => ({
      ...details,
      blocks: [
        ...(index % 2 === 0 ? sharedIds : sharedIds.toReversed()).slice(0, 3 + (index % 4)),
        undefined,
      ].map((id) => block(id, `request ${index}`)),
    }));

    const responses = await Promise.all(
      requests.map((request, index) => updateSite(account!, index, request)),
    );

    expect(responses.map(({ status, body }) => ({ status, body }))).toEqual(
      requests.map(() => ({ status: 200, body: { success: true } })),
    );
    const { blocks } = await readSite(account!);
    const storedRequest = requests.find(
      (request) => request.blocks[0]?.content === blocks[0]?.content,
    );
    expect(blocks).toEqual(
      storedRequest?.blocks.map(({ id, ...rest }) => ({
        ...rest,
        id: id ?? (expect.any(String) as string),
        enabled: true,
      })),
    );
    const rows = await servers.first.db
      .selectFrom('blocks')
      .select('position')
      .where('account_id', '=', account!.id)
      .orderBy('position')
      .execute();
    expect(rows.map(({ position }) => position)).toEqual(blocks.map((_block, index) => index));
  },
);

it('readers during updates never see a partial update', async () => {
  const [account] = await servers.createAccounts(1);
  const write = (serverIndex: number, text: string, blocks: number) =>
    updateSite(account!, serverIndex, {
      bio: text,
      blocks: Array.from({ length: blocks }, () => ({ type: 'text', content: text })),
    });
  await write(0, '3 blocks', 3);
  let isWriting = true;
  const writers = Promise.all(
    [3, 7].map(async (blocks, server) => {
      for (let count = 0; count < 40; count += 1)
        expect(await write(server, `${blocks} blocks`, blocks)).toMatchObject({ status: 200 });
    }),
  ).finally(() => {
    isWriting = false;
  });
  const seenBios = new Set<string | null>();
  const readers = [0, 1, 2, 3].map(async (reader) => {
    while (isWriting) {
      const { site, blocks } = await readSite(account!, reader);
      expect([`${blocks.length} blocks`, ...new Set(blocks.map(({ content }) => content))]).toEqual(
        [site.bio, site.bio],
      );
      seenBios.add(site.bio);
    }
  });
  await Promise.all([writers, ...readers]);
  expect(seenBios).toEqual(new Set(['3 blocks', '7 blocks']));
});

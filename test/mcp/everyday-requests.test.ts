import { expect, it } from 'vitest';
import { addPageVisits } from '#db/queries/sites/page-visits.ts';
import { call } from '../support/call.ts';
import { connectMcpClient } from '../support/mcp.ts';
import { KeywordAssistant } from '../support/keyword-assistant.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({ account: true });

async function ask(request: string, owner: TestAccount = account) {
  const assistant = await KeywordAssistant.connect(await connectMcpClient(server, owner));
  return assistant.answer(request);
}

async function read(path: string, owner: TestAccount = account): Promise<unknown> {
  return (await call(server.app, { method: 'GET', path, key: owner.key })).body;
}

it('change my bio', async () => {
  await ask('Change my bio to “Potter in Lisbon.”');
  expect(await read('/site/get-site-configuration')).toMatchObject({
    site: { bio: 'Potter in Lisbon.' },
  });
});

it('add a link to my page', async () => {
  const owner = await server.createAccount();
  const existing = { type: 'text', content: 'Hello!' };
  await call(server.app, {
    method: 'POST',
    path: '/site/update-site-configuration',
    key: owner.key,
    json: { blocks: [existing] },
  });
  await ask('Add a link to my page: https://example.com/shop, called “My shop”', owner);
  expect(await read('/site/get-site-configuration', owner)).toMatchObject({
    blocks: [
      existing,
      {
        type: 'link',
        url: expect.stringMatching(/^https:\/\/example.com\/shop/),
        title: 'My shop',
      },
    ],
  });
});

it('how many visitors did I have last week?', async () => {
  const day = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  await addPageVisits(
    server.database.db,
    // Seven days ago is always in the last week, from Monday to Sunday. Today and 14 days ago never are.
    [0, 7, 14].map((daysAgo) => ({
      accountId: account.id,
      kind: 'view' as const,
      value: '',
      count: 10 + daysAgo,
      day: day(daysAgo),
    })),
  );
  expect(await ask('How many visitors did I have last week?')).toMatchObject({ views: 17 });
});

it('record that 12 people came to training', async () => {
  const project_id = await server.createProject(account, 'Training');
  await ask('Record that 12 people came to training');
  expect(await read(`/owner/metrics/list-metrics?project_id=${project_id}`)).toMatchObject({
    metrics: [{ payload: { people: 12 } }],
  });
});

it('forward my mail to an address', async () => {
  const owner = await server.createAccount();
  await call(server.app, {
    method: 'POST',
    path: '/account/update-display-name',
    key: owner.key,
    json: { display_name: 'forward-me' },
  });
  await ask('Forward my mail to jane@mail.example.org', owner);
  expect(await read('/owner/forwarding/get-forwarding', owner)).toMatchObject({
    email: 'jane@mail.example.org',
  });
});

import { expect, it } from 'vitest';
import { connectMcpClient } from '../support/mcp.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

it.each(['legacy', 'auto'] as const)(
  'an MCP client reads the site, changes it and makes the page visible (%s)',
  async (revision) => {
    const client = await connectMcpClient(server, await server.createAccount(), revision);
    const name = `potter-${revision}`;
    await client.callTool({
      name: 'account_updateDisplayName',
      arguments: { display_name: name },
    });
    const { contents } = await client.readResource({ uri: 'nameplate://page' });
    const page = JSON.parse((contents[0] as { text: string }).text) as { version: number };
    expect(page).toMatchObject({ version: 0, site: { bio: null }, blocks: [] });
    const saved = await client.callTool({
      name: 'page_save',
      arguments: {
        version: page.version,
        bio: 'Potter in Lisbon.',
        blocks: [{ type: 'link', url: 'https://example.com/shop', title: 'My shop' }],
      },
    });
    expect(saved.structuredContent).toMatchObject({ success: true });
    const toggled = await client.callTool({ name: 'site_toggleSiteVisibility' });
    expect(toggled.structuredContent).toMatchObject({ newStatus: true });
    const { payload } = await server.app.inject(`/@${name}`);
    expect(payload).toContain('Potter in Lisbon.');
    expect(payload).toContain('href="https://example.com/shop"');
  },
);

it('an MCP client gets the code of an error and a helpful message', async () => {
  const account = await server.createAccount();
  const client = await connectMcpClient(server, account);
  const { isError, content } = await client.callTool({
    name: 'page_save',
    arguments: { version: 7, bio: 'Potter.' },
  });
  expect(isError).toBe(true);
  const [{ text }] = content as unknown as [{ text: string }];
  expect(JSON.parse(text)).toEqual({
    error: expect.stringMatching(/\.$/),
    code: 'versionConflict',
    field: 'version',
    status: 409,
  });
});

import { expect, it } from 'vitest';
import { API_BLOCKS } from '#contract/shared/blocks.ts';
import { THEMES } from '#contract/themes.ts';
import { createOperator } from '../support/endpoints.ts';
import { callTool, connectMcpClient, jsonRpcRequest, postMcpMessage } from '../support/mcp.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

it.each(['legacy', 'auto'] as const)(
  'an MCP client reads the site, changes it and makes the page visible (%s)',
  async (mode) => {
    const client = await connectMcpClient(server, await server.createAccount(), mode);
    const name = `potter-${mode}`;
    await client.callTool({
      name: 'account_updateDisplayName',
      arguments: { display_name: name },
    });
    const { contents } = await client.readResource({ uri: 'nameplate://page' });
    const page = JSON.parse((contents[0] as { text: string }).text) as { version: number };
    expect(page).toMatchObject({ version: 0, site: { bio: null }, blocks: [] });
    const saved = await client.callTool({
      name: 'page_updatePage',
      arguments: {
        version: page.version,
        bio: 'Potter in Lisbon.',
        blocks: [{ type: 'link', url: 'https://example.com/shop', title: 'My shop' }],
      },
    });
    expect(saved.structuredContent).toMatchObject({ version: 1 });
    const shown = await client.callTool({
      name: 'page_updatePageVisibility',
      arguments: { visible: true },
    });
    expect(shown.structuredContent).toMatchObject({ visible: true });
    const { payload } = await server.app.inject(`/@${name}`);
    expect(payload).toContain('Potter in Lisbon.');
    expect(payload).toContain('href="https://example.com/shop"');
  },
);

it('an error has its code, field and status, and a sentence', async () => {
  const client = await connectMcpClient(server, await server.createAccount());
  const save = async (args: object) => {
    const { isError, content } = await client.callTool({
      name: 'page_updatePage',
      arguments: { ...args },
    });
    expect(isError).toBe(true);
    return JSON.parse((content as unknown as [{ text: string }])[0].text) as unknown;
  };
  expect(
    await save({ version: 0, blocks: [{ type: 'text', content: 'Hi' }, { type: 'link' }] }),
  ).toMatchObject({
    error: 'blocks.1.url is required in a link block.',
    field: 'blocks.1.url',
    status: 400,
  });
  expect(await save({ version: 7, bio: 'Potter.' })).toEqual({
    error: expect.stringMatching(/\.$/),
    explanation: expect.stringMatching(/Read it, and send the change again/),
    code: 'versionConflict',
    field: 'version',
    status: 409,
  });
});

it('a type or field of a block that the page does not show is a warning', async () => {
  const client = await connectMcpClient(server, await server.createAccount());
  const save = async (version: number, blocks: object[]) =>
    (await client.callTool({ name: 'page_updatePage', arguments: { version, blocks } }))
      .structuredContent as { warnings?: string[] };
  expect(
    await save(0, [
      { type: 'link', url: 'https://example.com/shop', titel: 'My shop' },
      { type: 'lnk', url: 'https://example.com/shop' },
    ]),
  ).toMatchObject({
    warnings: ['blocks.0.titel had no effect.', 'blocks.1.type had no effect.'],
  });
  const blocks = [{ type: 'link', url: 'https://example.com', label: 'Shop', enabled: false }];
  expect(await save(1, blocks)).not.toHaveProperty('warnings');
});

it('the resource of blocks has every field of every type, and the themes', async () => {
  const client = await connectMcpClient(server, await server.createAccount());
  const { contents } = await client.readResource({ uri: 'nameplate://blocks' });
  const { text } = contents[0] as { text: string };
  expect(text.length).toBeLessThan(13_600);
  const { blocks, themes } = JSON.parse(text) as {
    blocks: Record<string, { fields: Record<string, object> }>;
    themes: object[];
  };
  for (const [type, { fields }] of Object.entries(API_BLOCKS))
    expect([type, Object.keys(blocks[type]!.fields)]).toEqual([type, Object.keys(fields)]);
  expect(blocks['link']!.fields['url']).toMatchObject({ type: 'url', required: true });
  expect(themes).toEqual(THEMES.map(({ id, name }) => ({ id, name })));
});

it('the server introduces itself by the name of the installation', async () => {
  const operator = await createOperator(server);
  await callTool(server, operator, 'server_updateInstance', { name: 'Pottery Club' });
  const { body } = await postMcpMessage(
    server,
    operator,
    jsonRpcRequest('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }),
  );
  expect(body).toMatchObject({
    result: {
      serverInfo: { name: 'nameplate', title: 'Pottery Club' },
      instructions: expect.stringMatching(/^Pottery Club keeps/),
    },
  });
});

import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { ClientDocuments } from '#server/features/oauth/client-documents.ts';
import { installPackages } from '../../tools/ecosystem/check-step.ts';
import { openSignedIn, startListeningApp } from '../browser/support/listening-app.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { eventually } from '../support/eventually.ts';
import { startHttpsServer } from '../support/https-server.ts';
import { createTempFolder } from '../support/server-process.ts';
import { useShared } from '../support/use-shared.ts';

const ECOSYSTEM = fileURLToPath(new URL('../../tools/ecosystem', import.meta.url));
const MCP_REMOTE = `${ECOSYSTEM}/node_modules/mcp-remote/dist/proxy.js`;

const provider = useShared(async (onFinished) => {
  await installPackages(ECOSYSTEM);
  return startListeningApp(onFinished);
});

/** Starts a client that only knows local programs. `authorize` gets the URL for the browser. */
function startClient(
  folder: string,
  authorize: (url: string) => Promise<unknown>,
  args: string[] = [],
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MCP_REMOTE, `${provider().origin}/mcp`, '--auth-timeout', '240', ...args],
    env: childEnvironment({
      ...{ MCP_REMOTE_CONFIG_DIR: folder, HOME: folder, BROWSER: '/bin/true' },
    }) as Record<string, string>,
    stderr: 'pipe',
  });
  let printed = '';
  let authorization: Promise<unknown> | undefined;
  transport.stderr!.on('data', (text) => {
    printed += String(text);
    const [, url] = /visiting:\s+(\S+)\s/.exec(printed) ?? [];
    if (url !== undefined) authorization ??= authorize(url);
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  onTestFinished(() => client.close());
  const connected = client
    .connect(transport, { timeout: 240_000 })
    .then(() => authorization)
    .then(() => client);
  return { connected, close: () => client.close() };
}

async function allow(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByText('a program on this computer').first().waitFor();
  await page.getByText('Change the page').click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/localhost:\d+\/oauth\/callback/);
}

it('mcp-remote connects, and stays connected', async () => {
  const folder = await createTempFolder();
  const account = await provider().createNamedAccount('mira');
  const page = await openSignedIn(provider(), account.id);
  const first = await startClient(folder, (url) => allow(page, url)).connected;
  const { tools } = await first.listTools();
  expect(tools.map(({ name }) => name)).toContain('page_updatePage');
  await first.close();
  const again = await startClient(folder, unexpected).connected;
  await again.callTool({ name: 'account_getDisplayName', arguments: {} });
});

it('mcp-remote connects with a metadata document', async () => {
  const site = await startHttpsServer((_request, response) =>
    response.end(
      JSON.stringify({
        client_id: id,
        client_name: 'Bridge',
        redirect_uris: ['http://localhost/oauth/callback'],
      }),
    ),
  );
  onTestFinished(() => site.close());
  const id = `https://${site.host}/client.json`;
  const { ca } = site;
  const port = new URL(id).port;
  const documents = new ClientDocuments({ port, ca, isLoopbackAllowed: () => true });
  Object.assign(provider().nameplate.oauth, { documents });
  const account = await provider().createNamedAccount('noa');
  const page = await openSignedIn(provider(), account.id);
  const args = ['--client-metadata-url', id];
  const folder = await createTempFolder();
  const client = await startClient(folder, (url) => allow(page, url), args).connected;
  expect((await client.listTools()).tools).not.toEqual([]);
  const { grants } = await account.owner.grants.listGrants();
  expect(grants).toMatchObject([{ client_id: id, client_kind: 'document' }]);
});

it('mcp-remote with a key in a header never asks', async () => {
  const { key } = await provider().createNamedAccount('kay');
  const args = ['--header', `Authorization:Bearer ${key}`];
  const client = await startClient(await createTempFolder(), unexpected, args).connected;
  expect((await client.listTools()).tools).not.toEqual([]);
});

it('mcp-remote registers again if nobody allowed it within a day', async () => {
  const folder = await createTempFolder();
  const account = await provider().createNamedAccount('kim');
  const { sql } = provider();
  const open = async () => {
    const started = startClient(folder, () => Promise.resolve());
    const failed = started.connected.catch(() => {});
    await eventually(
      () => sql`SELECT FROM oauth_clients`,
      (rows) => rows.length > 0,
    );
    await started.close();
    await failed;
  };
  await sql`DELETE FROM oauth_clients`;
  await open();
  await sql`DELETE FROM oauth_clients`;
  // It registers again, but takes its refused sign-in for one under way, so it asks at its next start.
  await open();
  const page = await openSignedIn(provider(), account.id);
  const client = await startClient(folder, (url) => allow(page, url)).connected;
  expect((await client.listTools()).tools).not.toEqual([]);
});

const unexpected = () => Promise.reject(new Error('It asked again.'));

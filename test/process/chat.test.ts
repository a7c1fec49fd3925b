import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { insertProject } from '#db/queries/projects.ts';
import { eventually } from '../support/eventually.ts';
import { acceptMessage, messageId, startFakeDiscord } from '../support/fake-discord.ts';
import {
  fetchJson,
  startServerWithAccount,
  createTempFolder,
  waitUntilUnreachable,
} from '../support/server-process.ts';

/** Calls have no deadline, so that a slow machine does not change their results. */
const NO_DEADLINES = `--import=data:text/javascript,${encodeURIComponent(
  'AbortSignal.timeout = () => new AbortController().signal;',
)}`;

async function startWithChat(settings: Record<string, string> = {}) {
  const discord = await startFakeDiscord();
  onTestFinished(() => discord.close());
  const folder = await createTempFolder();
  const certificate = join(folder, 'ca.pem');
  await writeFile(certificate, discord.ca);
  const chatSettings = {
    CHAT_WEBHOOK_HOSTS: discord.host,
    NODE_EXTRA_CA_CERTS: certificate,
    NODE_OPTIONS: NO_DEADLINES,
    ...settings,
  };
  const started = await startServerWithAccount(chatSettings);
  const post = (path: string, json: object) =>
    fetchJson(`${started.url}${path}`, { key: started.key, method: 'POST', json });
  const send = (webhookUrl: string) =>
    post('/hooks/send-chat-webhook', { webhookUrl, payload: { content: 'hi' } });
  return { ...started, discord, post, send };
}

it('a server applies CHAT_WEBHOOK_HOSTS, CHAT_MESSAGES_PER_MINUTE and NODE_EXTRA_CA_CERTS', async () => {
  const { discord, send } = await startWithChat({ CHAT_MESSAGES_PER_MINUTE: '2' });
  const workingWebhook = discord.addWebhook();
  expect(await send(workingWebhook.url)).toMatchObject({
    status: 200,
    body: { messageId: messageId(workingWebhook) },
  });
  expect(await send(workingWebhook.url.replace(discord.host, 'discord.com'))).toMatchObject({
    status: 400,
  });
  // Four attempts, because a new minute may begin after the first and allow two more.
  const statuses: number[] = [];
  for (const _ of [1, 2, 3, 4]) statuses.push((await send(workingWebhook.url)).status);
  expect(statuses).toContain(503);
});

it('on shutdown a message in flight arrives, and a hanging platform causes no delay', async () => {
  const { discord, server, send } = await startWithChat();
  let releaseResponse: (() => void) | undefined;
  const slowWebhook = discord.addWebhook((response, request, attempt) => {
    releaseResponse = () => acceptMessage(response, request, attempt);
  });
  const hangingWebhook = discord.addWebhook(() => {});
  const pending = [slowWebhook, hangingWebhook].map(({ url }) => send(url));
  await eventually(() => releaseResponse, Boolean);
  await eventually(() => expect(hangingWebhook.requests).toHaveLength(1));
  server.signal('SIGTERM');
  await waitUntilUnreachable(server.url);
  releaseResponse!();
  expect(await Promise.all(pending)).toMatchObject([
    { status: 200, body: { messageId: messageId(slowWebhook) } },
    { status: 500 },
  ]);
  expect(await server.exited).toBe(0);
});

it('on shutdown no more requests are accepted while an event is on its way', async () => {
  const { discord, server, db, id, post } = await startWithChat({
    ENCRYPTION_KEY: 'ab'.repeat(32),
  });
  let isRefused = false;
  const webhook = discord.addWebhook(async (response, request, attempt) => {
    server.signal('SIGTERM');
    await waitUntilUnreachable(server.url);
    isRefused = true;
    acceptMessage(response, request, attempt);
  });
  const { body } = await post('/owner/connections/create-connection', {
    ...{ kind: 'discord', name: 'Shop', event_types: [], url: webhook.url },
  });
  const { id: projectId } = await insertProject(db, id, 'Shop');
  await post('/owner/alerts/create-alert', {
    project_id: projectId,
    connection_id: (body as { connection: { id: string } }).connection.id,
    ...{ path: ['sales'], aggregate: 'sum', minutes: 15, comparison: 'absent' },
  });
  expect(await server.exited).toBe(0);
  expect(isRefused).toBe(true);
  const deliveries = db.selectFrom('deliveries').select(['type', 'status']);
  expect(await deliveries.execute()).toEqual([{ type: 'alert_firing', status: 'delivered' }]);
});

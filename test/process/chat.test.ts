import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { insertProject } from '#db/queries/projects.ts';
import { acceptMessage, messageId, startFakeDiscord } from '../support/fake-discord.ts';
import { eventually } from '../support/eventually.ts';
import {
  fetchJson,
  startServer,
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
    LOG_LEVEL: 'trace',
    NODE_OPTIONS: NO_DEADLINES,
    ...settings,
  };
  const { server, DATABASE_URL, db, id, key } = await startServerWithAccount(chatSettings);
  const startInstance = () => startServer({ DATABASE_URL, ...chatSettings });
  const send = (webhookUrl: string, { to: target = server, headers = {} } = {}) =>
    fetchJson(`${target.url}/hooks/send-chat-webhook`, {
      key,
      method: 'POST',
      json: { webhookUrl, payload: { content: 'hi' } },
      headers,
    });
  return { discord, server, startInstance, send, db, id, key };
}

it('a server applies CHAT_WEBHOOK_HOSTS, CHAT_MESSAGES_PER_MINUTE and NODE_EXTRA_CA_CERTS, and never logs the token', async () => {
  const { discord, server, send } = await startWithChat({ CHAT_MESSAGES_PER_MINUTE: '2' });
  const workingWebhook = discord.addWebhook();
  expect(await send(workingWebhook.url)).toEqual({
    status: 200,
    body: { success: true, message: 'The message was sent.', messageId: messageId(workingWebhook) },
  });
  const failingWebhook = discord.addWebhook((response) => response.destroy());
  expect(await send(failingWebhook.url)).toMatchObject({ status: 500 });
  expect(await send(workingWebhook.url.replace(discord.host, 'discord.com'))).toMatchObject({
    status: 400,
  });
  // Three attempts, because a new minute may begin and reset the limit.
  const statuses: number[] = [];
  for (const _ of [1, 2, 3]) statuses.push((await send(workingWebhook.url)).status);
  expect(statuses).toContain(503);
  await server.stop();
  const output = server.stdout() + server.stderr();
  expect(output).toContain('/hooks/send-chat-webhook');
  expect(output).not.toContain('canary');
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

it('on shutdown no more requests are accepted while an alert message is in flight', async () => {
  const { discord, server, db, id, key } = await startWithChat({
    ENCRYPTION_KEY: 'ab'.repeat(32),
  });
  let isRefused = false;
  const webhook = discord.addWebhook(async (response, request, attempt) => {
    server.signal('SIGTERM');
    await waitUntilUnreachable(server.url);
    isRefused = true;
    acceptMessage(response, request, attempt);
  });
  const post = async (path: string, json: object) =>
    (await fetchJson(`${server.url}${path}`, { key, method: 'POST', json })).body;
  const storedWebhook = await post('/owner/webhooks/create-webhook', {
    name: 'Shop',
    webhook_url: webhook.url,
  });
  const { id: projectId } = await insertProject(db, id, 'Shop');
  await post('/owner/alerts/create-alert', {
    project_id: projectId,
    webhook_id: (storedWebhook as { webhook: { webhook_id: string } }).webhook.webhook_id,
    ...{ path: ['sales'], aggregate: 'sum', minutes: 15, comparison: 'absent' },
  });
  expect(await server.exited).toBe(0);
  expect(isRefused).toBe(true);
  const alert = db.selectFrom('alerts').select(['sent_at', 'last_error']);
  expect(await alert.executeTakeFirst()).toEqual({ sent_at: expect.any(Date), last_error: null });
});

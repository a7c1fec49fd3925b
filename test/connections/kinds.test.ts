import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { WEBHOOK_EVENTS } from '#contract/webhook-events.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { createChatService } from '#server/features/chat/chat-service.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { startFakeDiscord } from '../support/fake-discord.ts';
import { connect, runDeliveries, useConnections } from './support/connection-app.ts';

const discord = await startFakeDiscord();
const settings = { CHAT_WEBHOOK_HOSTS: [discord.host], CHAT_MESSAGES_PER_MINUTE: 0 };
const { receiver, server } = await useConnections({
  ...settings,
  PUBLIC_URL: 'https://names.example',
  mailEnabled: true,
  chat: createChatService(
    { config: { ...loadConfig({}), ...settings }, log: { warn: () => {} } as never },
    { ca: discord.ca },
  ),
});
const account = await server.createNamedAccount('jane');

const rename = (display_name: string) => account.client.account.updateDisplayName({ display_name });

it('a webhook gets a signed event, which standardwebhooks verifies', async () => {
  const hook = receiver.addHook((response) => response.writeHead(200).end('thanks'));
  const { id, connection, secret } = await connect(account, hook.url);
  expect(connection.target).toBe(`${receiver.origin}/…`);
  await rename('jane-doe');
  await runDeliveries(server);
  const [request] = hook.requests;
  const event = new Webhook(secret).verify(request!.body, request!.headers as never);
  expect(event).toEqual({
    type: 'display_name_updated',
    timestamp: expect.any(String),
    data: { from: 'jane', to: 'jane-doe' },
  });
  expect(WEBHOOK_EVENTS.display_name_updated.parse(event)).toEqual(event);
  const { deliveries } = await account.owner.connections.listDeliveries({
    connection_id: id,
  });
  expect(deliveries).toMatchObject([
    {
      id: request!.headers['webhook-id'],
      summary: 'Name changed from @jane to @jane-doe',
      ...{ status: 'delivered', attempts: 1, error: null },
      ...{ response_status: 200, response: 'thanks', duration_ms: expect.any(Number) },
    },
  ]);
});

it('ntfy gets a message for its topic, with the token', async () => {
  const requests: { body: unknown; token: string | undefined }[] = [];
  const hook = receiver.addHook();
  const ntfy = { kind: 'ntfy', token: 'tk_secret' } as const;
  const { id, connection } = await connect(account, `${receiver.origin}/my-topic`, ntfy);
  expect(connection.target).toBe(`${receiver.origin}/my…`);
  expect(hook.requests).toEqual([]);
  receiver.onRoot = ({ body, headers }, response) => {
    requests.push({ body: JSON.parse(body), token: headers.authorization });
    response.write(body);
  };
  const { delivery } = await account.owner.connections.sendTestEvent({
    connection_id: id,
  });
  expect(delivery).toMatchObject({ type: 'test', status: 'delivered', error: null });
  expect(delivery.response).toContain('"topic":"…"');
  const { instanceStore } = server.nameplate;
  await instanceStore.set(
    await inTransaction(server.db, (trx) => saveInstance(trx, { name: 'Boat Club' })),
  );
  await account.owner.connections.sendTestEvent({ connection_id: id });
  expect(requests.pop()).toMatchObject({ body: { title: 'Boat Club' } });
  expect(requests).toEqual([
    {
      body: {
        topic: 'my-topic',
        title: 'names.example',
        message: 'Test.',
        priority: 3,
        tags: ['bell'],
        click: 'https://names.example/dashboard/',
      },
      token: 'Bearer tk_secret',
    },
  ]);
});

it('Discord gets a message without formatting or mentions', async () => {
  const webhook = discord.addWebhook();
  const { connection } = await account.owner.connections.createConnection({
    ...{ kind: 'discord', name: '#news', event_types: ['key_created'] },
    url: webhook.url,
  });
  expect(connection.target).not.toContain(webhook.token);
  await account.owner.keys.createKey({ label: '**@everyone**' });
  await runDeliveries(server);
  expect(webhook.requests.map(({ text }) => JSON.parse(text) as object)).toEqual([
    {
      content: expect.stringContaining(
        String.raw`Key “\*\*@everyone\*\*” created with full access by the key np\_`,
      ) as string,
      allowed_mentions: { parse: [] },
    },
  ]);
});

it('a message that Discord does not accept is refused as a failure of another service', async () => {
  const { connections } = account.owner;
  const { connection } = await connections.createConnection({
    ...{ kind: 'discord', name: '#down', event_types: [] },
    url: discord.addWebhook((response) => response.writeHead(501).end()).url,
  });
  const request = { connection_id: connection.id, payload: { content: 'Hello' } };
  await expect(connections.sendMessage(request, { maxRetries: 0 })).rejects.toMatchObject({
    ...{ status: 502, code: 'chatPlatformFailed' },
  });
  expect(JSON.stringify(server.log)).not.toContain('"stack"');
});

it('a connection by email mails the confirmed address, and needs one', async () => {
  const { connections } = account.owner;
  const email = { kind: 'email' as const, name: 'Mail', event_types: [] };
  await expect(connections.createConnection(email)).rejects.toMatchObject({
    code: 'connectionEmailMissing',
  });
  await server.sql`UPDATE forwarding_settings SET login_email = 'jane@example.com'
    WHERE account_id = ${account.id}`;
  const { connection } = await connections.createConnection(email);
  expect(connection.target).toBe('jane@example.com');
  const { delivery } = await connections.sendTestEvent({ connection_id: connection.id });
  expect(delivery).toMatchObject({ status: 'delivered' });
  const [mail] = await server.sql<{ data: object }>`
    SELECT data FROM pgboss.job WHERE name = 'mail' AND data->>'kind' = 'event'`;
  expect(mail!.data).toMatchObject({
    address: 'jane@example.com',
    event: { text: 'Test.', url: 'https://names.example/dashboard/' },
  });
});

it('each kind takes only its own fields and URLs', async () => {
  const { connections } = account.owner;
  const url = 'https://shop.example/hook';
  const discordUrl = discord.addWebhook().url;
  for (const [fields, code] of [
    [{ kind: 'webhook' }, 'connectionUrlInvalid'],
    [{ kind: 'webhook', url: 'http://shop.example/hook' }, 'connectionUrlInsecure'],
    [{ kind: 'webhook', url: 'http://user:password@shop.example/hook' }, 'connectionUrlInsecure'],
    [{ kind: 'webhook', url, token: 'x' }, 'connectionFieldNotUsed'],
    [{ kind: 'ntfy', url: 'https://ntfy.sh/' }, 'connectionUrlInvalid'],
    [{ kind: 'ntfy', url: 'https://ntfy.sh/a/b' }, 'connectionUrlInvalid'],
    [{ kind: 'ntfy', url: 'https://ntfy.sh/a%0d%0ax-evil:1' }, 'connectionUrlInvalid'],
    [{ kind: 'ntfy', url: 'https://ntfy.sh/a?priority=5' }, 'connectionUrlPartNotUsed'],
    [{ kind: 'ntfy', url: 'https://a:b@ntfy.sh/a', token: 'x' }, 'connectionUrlPartNotUsed'],
    [{ kind: 'ntfy', url: 'https://ntfy.sh/ä' }, 'connectionUrlInvalid'],
    [{ kind: 'ntfy', url: 'https://ntfy.sh/a', token: 'tök' }, 'connectionTokenInvalid'],
    [{ kind: 'ntfy', url: 'https://ntfy.sh/a', token: '' }, 'connectionTokenInvalid'],
    [{ kind: 'ntfy', url: 'https://ntfy.sh/a', token: 'x\r\nx-evil: 1' }, 'connectionTokenInvalid'],
    [{ kind: 'discord', url }, 'connectionUrlInvalid'],
    [{ kind: 'discord', url: `${discordUrl}?wait=no` }, 'connectionUrlPartNotUsed'],
    [
      { kind: 'discord', url: discordUrl.replace('://', '://user:password@') },
      'connectionUrlPartNotUsed',
    ],
    [{ kind: 'email', url }, 'connectionFieldNotUsed'],
    [{ kind: 'webhook', url, name: 'a\r\nb' }, 'connectionNameInvalid'],
    [{ kind: 'webhook', url, name: 'a\u2028b' }, 'connectionNameInvalid'],
    [{ kind: 'webhook', url, name: 'moc.elpmaxe\u202e' }, 'connectionNameInvalid'],
    [{ kind: 'webhook', url, event_types: ['logged_in'] }, 'validationFailed'],
    [{ kind: 'webhook', url, event_types: ['member_left'] }, 'operatorEventForbidden'],
  ] as const)
    await expect(
      connections.createConnection({ name: 'x', event_types: [], ...fields } as never),
      JSON.stringify(fields),
    ).rejects.toMatchObject({ code });
});

it('blanks around a URL and a slash after a topic do not matter', async () => {
  const owner = await server.createAccount();
  const url = discord.addWebhook().url;
  for (const [kind, text, target] of [
    ['webhook', ' https://user:password@shop.example/hook\n', 'https://shop.example/…'],
    ['ntfy', ' https://ntfy.sh/my-topic/ ', 'https://ntfy.sh/my…'],
    ['discord', ` ${url} `, expect.stringContaining(discord.host)],
  ] as const) {
    const { connection } = await connect(owner, text, { kind });
    expect(connection.target).toEqual(target);
    expect(connection.target).not.toContain('password');
  }
  const refusal = connect(owner, 'https://ntfy.sh/my-topic?priority=5', { kind: 'ntfy' });
  await expect(refusal).rejects.toMatchObject({
    message: 'url has a part that this connection does not use: the part after “?”. Remove it.',
  });
});

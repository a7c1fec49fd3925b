import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { WEBHOOK_EVENTS } from '#contract/webhook-events.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { createChatService } from '#server/features/chat/chat-service.ts';
import { eventMail } from '#server/features/connections/connection-mails.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { createOperator } from '../support/endpoints.ts';
import { startFakeDiscord } from '../support/fake-discord.ts';
import { connect, runDeliveries, useConnections } from './support/connection-app.ts';
import type { ReceivedRequest } from './support/receiver.ts';

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
    data: { from: 'jane', to: 'jane-doe', by: account.key.split('.')[0] },
  });
  expect(WEBHOOK_EVENTS.display_name_updated.parse(event)).toEqual(event);
  const { deliveries } = await account.owner.connections.listDeliveries({
    connection_id: id,
  });
  expect(deliveries).toMatchObject([
    {
      id: request!.headers['webhook-id'],
      summary: expect.stringContaining(
        'Name changed from @jane to @jane-doe by an unnamed key',
      ) as string,
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

it.each([
  ['Slack', '/services/T0/B0/x', '&lt;!channel&gt; &amp; &lt;https://b.example|c&gt; '],
  // mattermost/mattermost, server/channels/web/webhook.go; mattermost/marked, lib/marked.js
  ['Mattermost', '/chat/hooks/4xp9fdt77pncbef', '&lt;!channel&gt; &amp; &lt;https://b.example|c'],
  // RocketChat/Rocket.Chat, apps/meteor/app/integrations/server/api/api.ts; packages/message-parser
  ['Rocket.Chat', '/hooks/aBc/dEf', '<\u200B!channel> & <\u200Bhttps://b.example|c> '],
  ['an old Rocket.Chat', '/chat/hooks/aBc/rocket.cat/d%2FEf', '<\u200B!channel> & <\u200Bhttps'],
])('%s gets plain text without mentions or links of others', async (_name, path, expected) => {
  const owner = await server.createAccount();
  const hook = receiver.addHook((response, requests) => {
    const { text } = JSON.parse(requests.at(-1)!.body) as { text?: unknown };
    if (typeof text === 'string') response.end('ok');
    else response.writeHead(400).end('invalid_payload');
  }, path);
  const { id, connection } = await connect(owner, hook.url, {
    ...{ kind: 'slack', event_types: ['key_created'] },
  });
  expect(connection.target).toBe(`${receiver.origin}/…`);
  const label = '<!channel> & <https://b.example|c> @all [a](https://b.example)';
  await owner.owner.keys.createKey({ label });
  await runDeliveries(server);
  const { text } = JSON.parse(hook.requests[0]!.body) as { text: string };
  expect(text).toContain(expected);
  expect(text).toContain('@\u200Ball [a]\u200B(https://b.example)');
  expect(text.split('\n').at(-1)).toBe('https://names.example/dashboard/');
  const { deliveries } = await owner.owner.connections.listDeliveries({ connection_id: id });
  expect(deliveries).toMatchObject([{ status: 'delivered', response: 'ok' }]);
});

it('Telegram is followed from a group to the supergroup that it became', async () => {
  const chats: unknown[] = [];
  receiver.addHook((response, requests) => {
    const { chat_id } = JSON.parse(requests.at(-1)!.body) as { chat_id: string };
    chats.push(chat_id);
    // https://core.telegram.org/bots/api#responseparameters
    const parameters = { migrate_to_chat_id: -1_001_234_567_890 };
    const body = { ok: false, error_code: 400, description: 'Bad Request: …', parameters };
    if (chat_id === '-5020240850') response.writeHead(400).end(JSON.stringify(body));
    else response.end('{"ok":true}');
  }, '/bot1:move/sendMessage');
  const url = `${receiver.origin}/sendMessage?chat_id=-5020240850`;
  const { id } = await connect(account, url, { kind: 'telegram', token: '1:move' });
  const { delivery } = await account.owner.connections.sendTestEvent({ connection_id: id });
  expect(delivery).toMatchObject({ status: 'delivered', response_status: 200 });
  expect(chats).toEqual(['-5020240850', '-1001234567890']);
});

it('Telegram gets plain text, and its token is never shown', async () => {
  const token = '123456:AAcanaryToken-x_1';
  const chat = '-1001234567890';
  let isLimited = true;
  // As the Bot API server responds: https://core.telegram.org/bots/api#making-requests
  const bot = receiver.addHook((response, requests) => {
    const { chat_id, text } = JSON.parse(requests.at(-1)!.body) as Record<string, string>;
    const fail = (error_code: number, description: string, retry_after?: number) => {
      if (retry_after) response.setHeader('retry-after', retry_after);
      const parameters = { retry_after };
      const body = { ok: false, error_code, description, parameters };
      response.writeHead(error_code).end(JSON.stringify(body));
    };
    if (isLimited) fail(429, `Too Many Requests: retry after 900 (${token})`, 900);
    else if (chat_id !== chat) fail(400, 'Bad Request: chat not found');
    else if (text!.length > 4_096) fail(400, 'Bad Request: message is too long');
    else response.end(JSON.stringify({ ok: true, result: { message_id: 5 } }));
  }, `/bot${token}/sendMessage`);
  const url = `${receiver.origin}/sendMessage?chat_id=${chat}&message_thread_id=7`;
  const { id, connection } = await connect(account, url, {
    ...{ kind: 'telegram', token, event_types: ['key_created'] },
  });
  expect(connection.target).toBe(chat);
  await account.owner.keys.createKey({ label: '@all'.repeat(50) });
  await runDeliveries(server);
  const [pause] = await server.sql<{ seconds: number }>`
    SELECT round(extract(epoch FROM next_attempt_at - now()))::integer AS seconds
    FROM connections WHERE id = ${id}`;
  expect(pause!.seconds).toBeGreaterThan(890);
  isLimited = false;
  const { deliveries } = await account.owner.connections.listDeliveries({ connection_id: id });
  const { delivery } = await account.owner.connections.sendDelivery({
    delivery_id: deliveries[0]!.id,
  });
  expect(delivery).toMatchObject({ status: 'delivered', error: null });
  expect(JSON.parse(bot.requests.at(-1)!.body)).toEqual({
    ...{ chat_id: chat, message_thread_id: '7', link_preview_options: { is_disabled: true } },
    text: expect.stringContaining('@\u200Ball'.repeat(50)),
  });
  const shown = [deliveries, await account.owner.connections.listConnections(), server.log];
  expect(JSON.stringify(shown)).not.toContain('canaryToken');
});

it('Apprise gets a notification for its key or services, and a missing key is a failure', async () => {
  const isKnown = new Set(['/apprise/notify/club', '/notify/']);
  const respond = (response: ServerResponse, requests: ReceivedRequest[]) =>
    response.writeHead(isKnown.has(requests.at(-1)!.path) ? 200 : 204).end();
  const bodies: unknown[] = [];
  const operator = await createOperator(server);
  for (const [path, fields, error] of [
    ['/apprise/notify/club', {}, null],
    ['/notify/', { token: 'json://user:canary-word@host' }, null],
    ['/notify/other', {}, 'The Apprise server has no configuration for this key.'],
  ] as const) {
    const hook = receiver.addHook(respond, path);
    const kind = { kind: 'apprise', ...fields } as const;
    const { id, connection } = await connect(operator, receiver.origin + path, kind);
    expect(connection.target).toBe(`${receiver.origin}/…`);
    const { delivery } = await operator.owner.connections.sendTestEvent({ connection_id: id });
    expect(delivery).toMatchObject({ status: error ? 'failed' : 'delivered', error });
    bodies.push(...hook.requests.map(({ body }) => JSON.parse(body)));
  }
  const notification = {
    ...{ title: 'Boat Club', body: 'Test.\nhttps://names.example/dashboard/' },
    ...{ type: 'info', format: 'text' },
  };
  expect(bodies).toEqual([
    notification,
    { ...notification, urls: 'json://user:canary-word@host' },
    notification,
  ]);
});

it('a response of Apprise shows no secret of its services', async () => {
  const token = 'json://jane:canary-one@host/,tgram://123456789:canary-two/42?key=canary%2Dthree';
  const echo = 'Failed to notify 123456789:canary-two and canary-three; jane:canary-one@host.';
  receiver.addHook((response) => response.writeHead(424).end(echo), '/echo/notify/');
  const operator = await createOperator(server);
  const kind = { kind: 'apprise', token } as const;
  const { id } = await connect(operator, `${receiver.origin}/echo/notify/`, kind);
  const { delivery } = await operator.owner.connections.sendTestEvent({ connection_id: id });
  expect(delivery.response).toBe('Failed to … …:… and …; …:…@….');
});

it('members name no services to an Apprise server in the private network, which would call any address', async () => {
  const kind = 'apprise' as const;
  const refused = { status: 403, code: 'connectionRelayForbidden' };
  const token = 'json://10.0.0.5/admin';
  for (const [path, fields] of [
    ['/notify/', { token }],
    ['/notify/club', { token }],
    // Apprise takes services from the field that the query names.
    ['/notify?:body=urls', {}],
  ] as const) {
    const created = connect(account, receiver.origin + path, { kind, ...fields });
    await expect(created).rejects.toMatchObject(refused);
  }
  const { id } = await connect(account, `${receiver.origin}/notify/club`, { kind });
  for (const fields of [{ token }, { url: `${receiver.origin}/notify` }]) {
    const updated = account.owner.connections.updateConnection({ connection_id: id, ...fields });
    await expect(updated).rejects.toMatchObject(refused);
  }
  await connect(account, 'https://apprise.example/notify', { kind, token });
});

it('Discord gets a message without formatting or mentions', async () => {
  const webhook = discord.addWebhook();
  const { connection } = await account.owner.connections.createConnection({
    ...{ kind: 'discord', name: '#news', event_types: ['key_created'] },
    url: webhook.url,
  });
  expect(connection.target).not.toContain(webhook.token);
  await server.sql`UPDATE api_keys SET label = 'first key' WHERE account_id = ${account.id}`;
  await account.owner.keys.createKey({ label: '**@everyone**' });
  // The other connections of the account can come first.
  const deliver = async () => {
    await runDeliveries(server, { includeFuture: true });
    return webhook.requests.length;
  };
  await expect.poll(deliver).toBe(1);
  expect(webhook.requests.map(({ text }) => JSON.parse(text) as object)).toEqual([
    {
      content: expect.stringContaining(
        String.raw`Key “\*\*@everyone\*\*” created with full access by the key “first key”`,
      ) as string,
      allowed_mentions: { parse: [] },
    },
  ]);
  const summary = 'Key “**@everyone**” created with full access by the key “first key”';
  const { deliveries } = await account.owner.connections.listDeliveries({
    connection_id: connection.id,
  });
  expect(deliveries).toMatchObject([{ summary }]);
  const { connections } = await account.owner.connections.listConnections();
  expect(connections.find(({ id }) => id === connection.id)?.last_delivery).toMatchObject({
    summary,
  });
});

it('a connection by email mails the confirmed address, and needs one', async () => {
  const { connections } = account.owner;
  const email = { kind: 'email' as const, name: 'Mail', event_types: [] };
  await expect(connections.createConnection(email)).rejects.toMatchObject({
    code: 'connectionEmailMissing',
  });
  await server.sql`UPDATE forwarding_settings SET login_email = 'jane@example.com'
    WHERE account_id = ${account.id}`;
  await account.owner.account.updateTimeZone({ time_zone: 'Europe/Berlin' });
  const { connection } = await connections.createConnection(email);
  expect(connection.target).toBe('jane@example.com');
  const { delivery } = await connections.sendTestEvent({ connection_id: connection.id });
  expect(delivery).toMatchObject({ status: 'delivered' });
  const [mail] = await server.sql<{ data: Parameters<typeof eventMail.write>[0] }>`
    SELECT data FROM pgboss.job WHERE name = 'mail' AND data->>'kind' = 'event'`;
  expect(mail!.data).toMatchObject({
    address: 'jane@example.com',
    event: { text: 'Test.', url: 'https://names.example/dashboard/' },
  });
  const context = { to: '', server: '', contact: null, publicUrl: '', t: translatorFor('en') };
  expect(eventMail.write(mail!.data, context).note).toMatch(/ at \d\d:\d\d CES?T$/);
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
    [{ kind: 'slack', url: 'hooks.slack.com/services/T0/B0/x' }, 'connectionUrlInvalid'],
    [{ kind: 'slack', url, token: 'x' }, 'connectionFieldNotUsed'],
    [{ kind: 'telegram', url: '@my_channel' }, 'connectionTokenMissing'],
    [{ kind: 'telegram', url: 'my_channel', token: '1:x' }, 'connectionUrlInvalid'],
    [
      {
        kind: 'telegram',
        url: 'https://api.telegram.org/bot1:x/sendMessage?chat_id=5',
        token: 'x',
      },
      'connectionUrlInvalid',
    ],
    ...['x', '1:x/../../y', '1:x?y', '1:x#', '1:%2e', ':x', '1:', `1:${'x'.repeat(81)}`].map(
      (token) => [{ kind: 'telegram', url: '5', token }, 'connectionTokenInvalid'] as const,
    ),
    [{ kind: 'apprise', url: 'https://apprise.example/my-key' }, 'connectionUrlInvalid'],
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

it('a connection can move, with the checks of a new one and its key, but without its token', async () => {
  const owner = await server.createAccount();
  const { connections, events } = owner.owner;
  const gone = receiver.addHook((response) => response.writeHead(410).end());
  const { id, secret } = await connect(owner, gone.url);
  await connections.sendTestEvent({ connection_id: id });
  const hook = receiver.addHook();
  const moved = await connections.updateConnection({ connection_id: id, url: hook.url });
  expect(moved.connection).toMatchObject({ name: 'shop', failing_since: null, disabled_at: null });
  await connections.sendTestEvent({ connection_id: id });
  const [request] = hook.requests;
  new Webhook(secret).verify(request!.body, request!.headers as never);
  const [logged] = (await events.listEvents({ type: 'connection' })).events;
  expect(logged).toMatchObject({
    type: 'connection_updated',
    summary: expect.stringMatching(/^“shop” sends to another address by an unnamed key/),
  });
  for (const [fields, code] of [
    [{ url: 'http://shop.example/hook' }, 'connectionUrlInsecure'],
    [{ token: 'x' }, 'connectionFieldNotUsed'],
  ] as const)
    await expect(
      connections.updateConnection({ connection_id: id, ...fields }),
    ).rejects.toMatchObject({ code });

  const tokens: unknown[] = [];
  receiver.onRoot = ({ headers }, response) => {
    tokens.push(headers.authorization);
    response.writeHead(200);
  };
  const ntfy = await connect(owner, `${receiver.origin}/a`, { kind: 'ntfy', token: 'tk_secret' });
  const sendTo = async (fields: { url?: string; token?: string }) => {
    await connections.updateConnection({ connection_id: ntfy.id, ...fields });
    await connections.sendTestEvent({ connection_id: ntfy.id });
  };
  const countLogged = async () =>
    (await events.listEvents({ type: 'connection' })).events.filter(
      ({ type }) => type === 'connection_updated',
    ).length;
  await sendTo({ token: 'tk_new' });
  expect(await countLogged()).toBe(1);
  await sendTo({ url: `${receiver.origin}/b` });
  expect(await countLogged()).toBe(2);
  expect(tokens).toEqual(['Bearer tk_new', undefined]);
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

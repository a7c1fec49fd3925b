import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { type FakeDiscord, startFakeDiscord } from '../support/fake-discord.ts';
import { type ChatApp, startChatApp } from '../support/chat-app.ts';

let discord: FakeDiscord;
let server: ChatApp;
beforeAll(async () => {
  discord = await startFakeDiscord();
  server = await startChatApp(discord);
});
afterAll(async () => {
  await server.close();
  await discord.close();
});

async function sendText(path: string, payload: string, method = 'POST') {
  const { key } = await server.createAccount();
  const { status, body } = await call(server.app, { method, path, key, payload });
  return { status, body };
}

const REFUSED = (path: string) => ({
  status: 400,
  body: {
    error: `${path} is an integer that a 64-bit floating point number cannot represent exactly. Send it as a string.`,
  },
});

describe('an integer that a double cannot represent', () => {
  const PATH = '/hooks/send-chat-webhook';

  it.each([
    [
      '"content":"hi","allowed_mentions":{"users":[1,1105936272348135426]}',
      'allowed_mentions.users.1',
    ],
    ['"content":"hi","flags":9007199254740993', 'flags'],
    ['"content":"hi","x":-9007199254740993', 'x'],
    ['"content":"hi","x":1e3,"y":[[{"a":1152921504606846977}]]', 'y.0.0.a'],
    ['"content":"hi","x":1000000000000000000001', 'x'],
  ])('in {%s} is refused with its path, and nothing is sent', async (fields, path) => {
    const webhook = discord.addWebhook();
    const body = `{"webhookUrl":"${webhook.url}","messageId":"1","payload":{${fields}}}`;
    for (const method of ['POST', 'PATCH'])
      expect(await sendText(PATH, body, method)).toEqual(REFUSED(`payload.${path}`));
    expect(webhook.requests).toEqual([]);
  });

  it('in an extra field of a block is refused with its path', async () => {
    const blocks =
      '[{"type":"text","content":"hi"},{"type":"map","place":{"id":1105936272348135426}}]';
    expect(await sendText('/site/update-site-configuration', `{"blocks":${blocks}}`)).toEqual(
      REFUSED('blocks.1.place.id'),
    );
  });

  it('is rounded in a metric', async () => {
    const account = await server.createAccount();
    const projectId = await server.createProject(account);
    const { status } = await call(server.app, {
      method: 'POST',
      path: '/stats/ingest-metrics',
      key: account.key,
      payload: `{"projectId":"${projectId}","payload":{"id":1105936272348135426}}`,
    });
    expect(status).toBe(200);
  });

  it('is accepted in an ignored field', async () => {
    const webhook = discord.addWebhook();
    const send = `{"webhookUrl":"${webhook.url}","id":1105936272348135426,"payload":{"content":"hi"}}`;
    expect(await sendText(PATH, send)).toMatchObject({ status: 200 });
    expect(webhook.requests).toHaveLength(1);
  });
});

it('every exactly representable number is passed on unchanged', async () => {
  const webhook = discord.addWebhook();
  const numbersJson =
    '[9007199254740991,-9007199254740992,100000000000000000000,1152921504606847000,1e21,0.1234567890123456,1.5,"1105936272348135426"]';
  const payload = `{"content":"1105936272348135426","x":${numbersJson}}`;
  const send = `{"webhookUrl":"${webhook.url}","payload":${payload}}`;
  expect(await sendText('/hooks/send-chat-webhook', send)).toMatchObject({ status: 200 });
  expect(webhook.requests[0]?.text).toBe(payload.replace('1e21', '1e+21'));
});

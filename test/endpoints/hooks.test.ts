import { beforeEach, describe, expect, it } from 'vitest';
import type { EditChatWebhookRequest, SendChatWebhookRequest } from '#client/index.ts';
import type { Webhook } from '#server/features/chat/chat-client.ts';
import { useChatApp } from '../support/chat-app.ts';
import { messageId as sentId } from '../support/fake-discord.ts';
import { statusAndBody } from '../support/status-and-body.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';
import { withTitles } from '../support/with-titles.ts';

const URL_REFUSED = {
  error:
    'The webhook URL is required and must be a Discord webhook URL at discord.com: https, with the path /api/webhooks/ID/TOKEN, and no query parameters except a valid thread_id, with_components and wait.',
};
/** Without the path of a Discord webhook, the schema refuses it, which knows no hosts. */
const URL_MISSING = {
  error:
    'The webhook URL is required and must be a Discord webhook URL: https, with the path /api/webhooks/ID/TOKEN (webhookUrl).',
};
const MESSAGE_ID_REFUSED = {
  error: 'The message ID is required and must be 1 to 20 digits (messageId).',
};
const PAYLOAD_REFUSED = { error: 'The payload must have content or at least one embed.' };
const VALID_URL = 'https://discord.com/api/webhooks/1/t';

const { discord, server } = await useChatApp();
const sender = await server.createAccount();
let hook: ReturnType<typeof discord.addWebhook>;
beforeEach(() => {
  hook = discord.addWebhook();
});
const sentPayloads = () => hook.requests.map(({ text }) => JSON.parse(text) as unknown);

async function send(
  request: unknown,
  method = 'POST',
  { client: { hooks } }: TestAccount = sender,
) {
  const { status, body } = await statusAndBody(
    method === 'POST'
      ? hooks.sendChatWebhook(request as SendChatWebhookRequest)
      : hooks.editChatWebhook(request as EditChatWebhookRequest),
  );
  return [status, body];
}

const sendPayload = (payload: unknown) => send({ webhookUrl: hook.url, payload });

describe('the webhook URL', () => {
  /** Messages that would have been sent to Discord's own hosts, which no test calls. */
  let sentMessages: { webhook: Webhook; message: unknown }[];
  const { account } = useServer({
    account: true,
    chat: {
      deliver: (_context, request) => {
        sentMessages.push(request);
        return Promise.resolve('77');
      },
    },
  });
  beforeEach(() => {
    sentMessages = [];
  });
  const sendTo = (webhookUrl: unknown, payload: object = { content: 'hi' }) =>
    send({ webhookUrl, payload }, 'POST', account);

  it.each(
    withTitles([undefined, null, 123, {}, [], [VALID_URL], `${VALID_URL}${'t'.repeat(2_048)}`]),
  )('the webhook URL $title is refused without a list of hosts', async ({ value }) => {
    expect(await sendTo(value)).toEqual([400, URL_MISSING]);
    expect(sentMessages).toEqual([]);
  });

  const otherSchemes = `http://discord.com //discord.com discord.com javascript:https://discord.com
    https:/discord.com`.split(/\s+/);
  const otherHosts = `evildiscord.com discord.com.evil.com discord.com. discord.com@evil.com
    user:pw@discord.com discord.com:8443 discord.com:443 discord.com: discord.com%2eevil.com
    evil.com#@discord.com evil.com\\@discord.com 127.0.0.1 0x7f.1 discоrd.com discord。com
    cdn.discordapp.com discord.gg`.split(/\s+/);
  const otherPaths = `api/oauth2/token api/webhooks/1 api/webhooks//t api/webhooks/1/t/slack
    api/webhooks/1/t/messages/1 api/webhooks/1/t/../../../users/@me api/webhooks/1/%2e%2e
    api/webhooks/1/t%00 api//webhooks/1/t API/webhooks/1/t api/v100/webhooks/1/t
    api/webhooks/one/t api/webhooks/١/t api/webhooks/1/t;x`.split(/\s+/);
  it.each(
    withTitles([
      ...otherSchemes.map((start) => `${start}/api/webhooks/1/t`),
      ...otherHosts.map((host) => `https://${host}/api/webhooks/1/t`),
      ...['', ...otherPaths].map((path) => `https://discord.com/${path}`),
      '',
      ` ${VALID_URL}`,
      `${VALID_URL} `,
      `${VALID_URL}\n`,
      'https:\\\\discord.com\\api\\webhooks\\1\\t',
      'https://discord.com\t.evil.com/api/webhooks/1/t',
      `https://discord.com/api/webhooks/${'1'.repeat(21)}/t`,
      'https://discord.com/api/webhooks/1/t?a b',
      ...' abc 5x 5+ %26wait ${THREAD} 5&thread_id=6 5&x=1 5&wait=maybe'
        .split(' ')
        .map((value) => `${VALID_URL}?thread_id=${value}`),
    ]),
  )('the webhook URL $title is refused', async ({ value }) => {
    const hasPath = /\/api\/(v\d+\/)?webhooks\//.test(value);
    expect(await sendTo(value)).toEqual([400, hasPath ? URL_REFUSED : URL_MISSING]);
    expect(sentMessages).toEqual([]);
  });

  it.each(['https://hooks.slack.com/services/T0/B0/x', 'https://chat.example/hooks/x'])(
    'the webhook URL of another chat (%s) is refused before its payload',
    async (url) => {
      const error = `${URL_MISSING.error} Also wrong: payload.`;
      expect(await sendTo(url, { text: 'hi' })).toEqual([400, { error }]);
    },
  );

  const token = `${'Aa0_-'.repeat(13)}abc`;
  const DISCORD = { host: 'discord.com', id: '1', token: 't', query: {} };
  it.each<[url: string, webhook?: Partial<Webhook>]>([
    [VALID_URL],
    ['https://discordapp.com/api/webhooks/1/t', { host: 'discordapp.com' }],
    ['https://www.discord.com/api/webhooks/1/t', { host: 'www.discord.com' }],
    ['https://ptb.discord.com/api/webhooks/1/t', { host: 'ptb.discord.com' }],
    ['https://canary.discordapp.com/api/webhooks/1/t', { host: 'canary.discordapp.com' }],
    ['https://discord.com/api/v10/webhooks/1/t'],
    ['HTTPS://Discord.COM/api/webhooks/1/tT', { token: 'tT' }],
    [`${VALID_URL}/`],
    [`${VALID_URL}?wait=false`],
    [
      `${VALID_URL}?with_components=True&thread_id=5&wait=0#z`,
      { query: { with_components: 'True', thread_id: '5' } },
    ],
    [`https://discord.com/api/webhooks/${'9'.repeat(20)}/${token}`, { id: '9'.repeat(20), token }],
  ])('%s is parsed', async (webhookUrl, webhook) => {
    const body = { success: true, message: 'The message was sent.', messageId: '77' };
    expect(await sendTo(webhookUrl)).toEqual([200, body]);
    expect(sentMessages).toEqual([
      { webhook: { ...DISCORD, ...webhook }, message: { content: 'hi' } },
    ]);
  });
});

const noMessages = [undefined, null, [], 1, {}, { content: '' }, { content: ' \n' }];
const noTexts = [{ content: null }, { embeds: [] }, { username: 'x', files: [] }];
it.each(withTitles<unknown>([...noMessages, ...noTexts]))(
  'the payload $title is refused',
  async ({ value }) => {
    expect(await sendPayload(value)).toEqual([400, PAYLOAD_REFUSED]);
  },
);

const withEmbed = (fields: object) => ({ embeds: [{ title: 't' }, fields] });
it.each([
  [{ content: 1 }, 'payload.content must be a string.'],
  [{ embeds: ['x'] }, 'payload.embeds.0 must be an object.'],
  [{ content: 'x'.repeat(2_001) }, 'payload.content must be at most 2,000 characters long.'],
  [{ embeds: Array(11).fill({}) }, 'payload.embeds must contain at most 10 embeds.'],
  [
    withEmbed({ title: 'x'.repeat(257) }),
    'payload.embeds.1.title must be at most 256 characters long.',
  ],
  [
    withEmbed({ fields: Array(26).fill({}) }),
    'payload.embeds.1.fields must contain at most 25 fields.',
  ],
  [
    withEmbed({ fields: [{ value: 'x'.repeat(1_025) }] }),
    'payload.embeds.1.fields.0.value must be at most 1,024 characters long.',
  ],
  [
    { embeds: [{ description: 'x'.repeat(4_000) }, { description: 'x'.repeat(2_001) }] },
    'payload.embeds must have at most 6,000 characters in total, counting all texts in all embeds.',
  ],
  [
    // eslint-disable-next-line no-loss-of-precision
    { content: 'x', allowed_mentions: { users: [1, 1105936272348135426] } },
    'payload.allowed_mentions.users.1 is an integer beyond ±(2^53 - 1) that would be rounded. Send it as a string.',
  ],
])(
  'a payload beyond limits of the platform gets 400 with the path (%#)',
  async (payload, error) => {
    expect(await sendPayload(payload)).toEqual([400, { error }]);
    expect(hook.requests).toEqual([]);
  },
);

it.each([
  [{ content: 'x' }],
  [{ content: '😀'.repeat(2_000) }],
  [{ content: `${' '.repeat(500)}${'x'.repeat(2_000)}\n` }],
  [{ embeds: [{ title: 't' }] }],
  [{ embeds: [{}], content: null }],
  [{ content: 'x', embeds: [], tts: false, allowed_mentions: { parse: [] }, poll: { a: [1] } }],
  [{ embeds: [{ color: 5, fields: [{ name: 'n', value: 'v', inline: true }], extra: 1 }] }],
])('the payload is sent unchanged (case %#)', async (payload) => {
  const [status] = await sendPayload(payload);
  expect(status).toBe(200);
  expect(sentPayloads()).toEqual([payload]);
});

const edit = (messageId: unknown) =>
  send({ webhookUrl: hook.url, messageId, payload: { content: 'hi' } }, 'PATCH');

const invalidIds = [undefined, '', null, 1, {}, '../../x', '1?x', '%2e%2e', '1e3', '1\n', '١'];
it.each(withTitles([...invalidIds, '1'.repeat(21)]))(
  'the message id $title is refused',
  async ({ value }) => {
    expect(await edit(value)).toEqual([400, MESSAGE_ID_REFUSED]);
    expect(hook.requests).toEqual([]);
  },
);

it.each(['1', '1105936272348135426', '1'.repeat(20)])(
  'the message %s is edited',
  async (messageId) => {
    const { id, token } = hook;
    const message = 'The message was edited.';
    expect(await edit(messageId)).toEqual([
      200,
      { success: true, message, messageId: sentId(hook) },
    ]);
    const url = `/api/v10/webhooks/${id}/${token}/messages/${messageId}?wait=true`;
    expect(hook.requests).toMatchObject([{ method: 'PATCH', url }]);
    expect(sentPayloads()).toEqual([{ content: 'hi' }]);
  },
);

import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { UpdateDisplayNameRequest } from '#contract/account.ts';
import { EmailForwardingToggleRequest } from '#contract/email-forwarding.ts';
import { EditChatWebhookRequest, SendChatWebhookRequest } from '#contract/hooks.ts';
import { buildDocument } from '#contract/openapi/document.ts';
import { UpdateSiteConfigurationRequest } from '#contract/site.ts';
import { IngestMetricsRequest } from '#contract/stats.ts';
import { createSchemaCompiler } from '../support/openapi-schema-compiler.ts';

const compileSchema = createSchemaCompiler(buildDocument());
const uuid = '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20';
const webhookUrl = 'https://discord.com/api/webhooks/1/token';
const payload = { content: 'Hello!' };
const emoji = '🌞';

const SCHEMAS: Record<string, z.ZodType> = {
  UpdateDisplayNameRequest,
  UpdateSiteConfigurationRequest,
  EmailForwardingToggleRequest,
  IngestMetricsRequest,
  SendChatWebhookRequest,
  EditChatWebhookRequest,
};

const ACCEPTED: [schema: string, body: unknown][] = [
  ['UpdateDisplayNameRequest', { display_name: 'Jane Doe', other: 1 }],
  ['UpdateDisplayNameRequest', { display_name: '  J@ne & (Doe)!  ' }],
  ['UpdateSiteConfigurationRequest', {}],
  ['UpdateSiteConfigurationRequest', { unknown: true }],
  ['UpdateSiteConfigurationRequest', { bio: null, avatar_url: null, theme_id: null, mood: null }],
  ['UpdateSiteConfigurationRequest', { bio: '', avatar_url: '', theme_id: '', custom_theme: {} }],
  ['UpdateSiteConfigurationRequest', { bio: emoji.repeat(4_000) }],
  ['UpdateSiteConfigurationRequest', { avatar_url: 'HTTPS://example.com:65535/a?b#ü' }],
  ['UpdateSiteConfigurationRequest', { avatar_url: 'http://127.0.0.1' }],
  ['UpdateSiteConfigurationRequest', { custom_theme: { text_color: '#aBc123', other: 1 } }],
  ['UpdateSiteConfigurationRequest', { custom_theme: { font_family: 'a_b-c, Arial 2' } }],
  ['UpdateSiteConfigurationRequest', { blocks: [] }],
  ['UpdateSiteConfigurationRequest', { blocks: [{ type: 'text', content: '' }] }],
  ['UpdateSiteConfigurationRequest', { blocks: [{ type: 'link', url: 'mailto:a@b.c' }] }],
  ['UpdateSiteConfigurationRequest', { blocks: [{ type: 'link', url: 'geo:0,0', title: null }] }],
  ['UpdateSiteConfigurationRequest', { blocks: [{ type: 'text', content: '', size: 'huge' }] }],
  ...[
    'SMS:+351-21(0)000.000',
    'sms:123?body=Hello%20Jane!%0A*',
    'xmpp:jane.doe%40home@example.org?message',
    'xmpp:potters@rooms.example.org?join',
    'matrix:u/jane_doe=1:example.org',
    'matrix:r/potters:example.org?action=join',
    'geo:0,0',
    'geo:-90.0,180',
    'geo:38.7223,-9.1393?z=12',
  ].map((url): [string, unknown] => [
    'UpdateSiteConfigurationRequest',
    { blocks: [{ type: 'link', url }] },
  ]),
  [
    'UpdateSiteConfigurationRequest',
    { blocks: [{ id: uuid.toUpperCase(), type: 'x', deep: [{}] }] },
  ],
  ['EmailForwardingToggleRequest', { enabled: false, email: null }],
  ['EmailForwardingToggleRequest', { enabled: true, email: 'a.b+c@sub.example.org' }],
  ['IngestMetricsRequest', { projectId: 'anything', payload: {} }],
  ['IngestMetricsRequest', { projectId: uuid, payload: { a: { b: [1, null, 'c'] } } }],
  ['SendChatWebhookRequest', { webhookUrl, payload: { content: null, embeds: [{}] } }],
  ['SendChatWebhookRequest', { webhookUrl, payload: { content: emoji.repeat(2_000), tts: true } }],
  ['EditChatWebhookRequest', { webhookUrl, messageId: '12345678901234567890', payload }],
];

const REFUSED: [schema: string, body: unknown][] = [
  ...Object.keys(SCHEMAS).flatMap((name): [string, unknown][] => [
    [name, null],
    [name, []],
    [name, 'text'],
  ]),
  ['UpdateDisplayNameRequest', {}],
  ['UpdateDisplayNameRequest', { display_name: null }],
  ['UpdateSiteConfigurationRequest', { bio: `${emoji.repeat(4_000)}x` }],
  ['UpdateSiteConfigurationRequest', { theme_id: uuid }],
  ['UpdateSiteConfigurationRequest', { custom_theme: { text_color: '#fff' } }],
  ...['#ffffff\n', '#gggggg', '#ff00aa80', '#ff00aa;}body{color:red}', 'red', '', 1].flatMap(
    (color) =>
      ['background_color', 'primary_color', 'text_color', 'accent_color'].map(
        (field): [string, unknown] => [
          'UpdateSiteConfigurationRequest',
          { custom_theme: { [field]: color } },
        ],
      ),
  ),
  ...['x;}*{background:url(//e)}', '</style>', 'a;b', '\\66oo', 'a\nb', 'Ärial', ''].map(
    (font_family): [string, unknown] => [
      'UpdateSiteConfigurationRequest',
      { custom_theme: { font_family } },
    ],
  ),
  ['UpdateSiteConfigurationRequest', { blocks: [{ type: 'Text', content: '' }] }],
  ['UpdateSiteConfigurationRequest', { blocks: [{ type: 'x', id: '1' }] }],
  ['UpdateSiteConfigurationRequest', { blocks: Array(102).fill({ type: 'x' }) }],
  ['EmailForwardingToggleRequest', {}],
  ['IngestMetricsRequest', { payload: {} }],
  ['IngestMetricsRequest', { projectId: uuid }],
  ['IngestMetricsRequest', { projectId: uuid, payload: [] }],
  ['SendChatWebhookRequest', { payload }],
  ['SendChatWebhookRequest', { webhookUrl }],
  ['SendChatWebhookRequest', { webhookUrl, payload: { content: 'a', embeds: [1] } }],
  ['SendChatWebhookRequest', { webhookUrl, payload: { embeds: Array(11).fill({}) } }],
  ['EditChatWebhookRequest', { webhookUrl, payload }],
  ['EditChatWebhookRequest', { webhookUrl, messageId: '1x', payload }],
];

/** Rules that the document leaves to its words. */
const REFUSED_TEXTS: typeof REFUSED = [
  ['UpdateDisplayNameRequest', { display_name: ' \t ' }],
  ['UpdateSiteConfigurationRequest', { avatar_url: 'javascript:alert(1)' }],
  ['UpdateSiteConfigurationRequest', { avatar_url: 'https://example.com:65536' }],
  ['UpdateSiteConfigurationRequest', { avatar_url: 'https://example.com/a b' }],
  ...Array.from('"<>\\^`{|}').flatMap((character): [string, unknown][] =>
    ['https://example.com/', 'https://example.com/?', 'https://example.com/#', 'mailto:a'].map(
      (prefix) => [
        'UpdateSiteConfigurationRequest',
        { blocks: [{ type: 'link', url: prefix + character }] },
      ],
    ),
  ),
  ...[
    'sms:',
    'sms:+1?body=a&body=b',
    'xmpp:example.org',
    'xmpp:jane@example.org?remove',
    'matrix:jane:example.org',
    'matrix:u/jane:example.org?via=a.example',
    'geo:38.7',
    'geo:90.1,0',
    'geo:0,181',
    'data:,x',
    'mailtox',
  ].map((url): [string, unknown] => [
    'UpdateSiteConfigurationRequest',
    { blocks: [{ type: 'link', url }] },
  ]),
  ['UpdateSiteConfigurationRequest', { blocks: [{ type: 'image', url: 'geo:0,0' }] }],
  ['UpdateSiteConfigurationRequest', { blocks: [{ type: 'text' }] }],
  ['EmailForwardingToggleRequest', { enabled: true, email: 'a@b' }],
  ['EmailForwardingToggleRequest', { enabled: true, email: `a@${'b'.repeat(64)}.org` }],
  ['EmailForwardingToggleRequest', { enabled: true, email: `${'a'.repeat(65)}@example.org` }],
  ['SendChatWebhookRequest', { webhookUrl, payload: { content: ' ' } }],
  ['SendChatWebhookRequest', { webhookUrl, payload: { content: emoji.repeat(2_001) } }],
];

describe('the document is never stricter than the contract', () => {
  it.each(ACCEPTED)('%s accepts %j', (name, body) => {
    expect(compileSchema(`#/components/schemas/${name}`)(body)).toBeUndefined();
    expect(SCHEMAS[name]!.safeParse(body).error).toBeUndefined();
  });

  it.each(REFUSED)('%s refuses %j', (name, body) => {
    expect(compileSchema(`#/components/schemas/${name}`)(body)).toBeTypeOf('string');
    expect(SCHEMAS[name]!.safeParse(body).success).toBe(false);
  });

  it.each(REFUSED_TEXTS)('the contract of %s refuses %j', (name, body) => {
    expect(SCHEMAS[name]!.safeParse(body).success).toBe(false);
  });
});

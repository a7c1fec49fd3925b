import { NOT_BLANK_PATTERN } from '#contract/text.ts';
import type { Schema, Schemas } from './json-schema.ts';

/*
 * Patterns for readers of the document, of rules that the contract checks by functions: written for every
 * regular expression engine (no look-around, no Unicode properties, nothing unescaped in a class that
 * one of them takes for syntax), and matched in linear time.
 */

/** Text that can be stored: everything but NUL. */
export const STORABLE = '^[^\\x00]*$';

// Letters of the most used scripts, written out: not every engine knows an escape for them.
const letters = 'ß-öø-žα-ωа-џぁ-ゖァ-ヺ一-龥가-힣';
const urlCharacter = `[!#-;=?-\\[\\]_a-z~${letters}]`;
const label = '[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*';
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const host = `(?:(?:${label}\\.)*[A-Za-z](?:-?[A-Za-z0-9_])*|${octet}(?:\\.${octet}){3})`;
const port =
  '(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?';

/** Well-formed web URLs; rarer ones (an IPv6 or punycode host) are accepted beyond it. */
export const WEB_URL = `^${anyCase('http')}[Ss]?://${host}${port}(?:(?:/|[?#])${urlCharacter}*)?$`;

/** An address of mail or a telephone number, as a URL. */
export const CONTACT_URL = `^(?:${anyCase('mailto')}|${anyCase('tel')}):${urlCharacter}+$`;

const webhookHost = `(?:(?:${['www', 'ptb', 'canary'].map(anyCase).join('|')})\\.)?${anyCase('discord')}(?:${anyCase('app')})?\\.${anyCase('com')}`;
const WEBHOOK_URL = `^${anyCase('https')}://${webhookHost}/api(?:/v[0-9]{1,2})?/webhooks/[0-9]{1,20}/[A-Za-z0-9_\\-]{1,200}/?(?:[?#][!-\\[\\]-~]*)?$`;

const first = "[A-Za-z0-9_'+&=~#*^\\{\\}$]";
const atom = "(?:/|[A-Za-z0-9_'+&=~#*^\\{\\}\\|$\\-])";
const domainLabel = '(?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?';

/** One plain address; that the 64 characters before the @ count dots too is not said. */
const EMAIL = `^${first}(?:\\.?${atom}){0,63}@(?:[A-Za-z0-9]${domainLabel}\\.)+[A-Za-z]${domainLabel}$`;

/** More than anybody needs for what has no limit of its own but that of the body. */
const LONG = 255;

/** Rules that the document states beyond those of the schemas. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  UpdateDisplayNameRequest: { display_name: { pattern: NOT_BLANK_PATTERN, maxLength: LONG } },
  UpdateSiteConfigurationRequest: { avatar_url: { pattern: `^$|${WEB_URL}` } },
  SavePageRequest: { avatar_url: { pattern: `^$|${WEB_URL}` } },
  BaseBlockUpdate: { url: { pattern: `${WEB_URL}|${CONTACT_URL}` } },
  EmailForwardingToggleRequest: { email: { pattern: EMAIL } },
  IngestMetricsRequest: { projectId: { pattern: NOT_BLANK_PATTERN, maxLength: LONG } },
  SendChatWebhookRequest: { webhookUrl: { pattern: WEBHOOK_URL } },
  EditChatWebhookRequest: { webhookUrl: { pattern: WEBHOOK_URL } },
};

/** Fields of which a request has exactly one. */
const ALTERNATIVES: Readonly<Record<string, readonly string[]>> = {
  CreateSessionRequest: ['link', 'apiKey'],
};

/** A named schema with the patterns that the document has for its fields. */
export function withPatterns(name: string, schema: Schema): Schema {
  const properties: Schemas = { ...schema.properties };
  for (const [field, said] of Object.entries(FIELDS[name] ?? {})) {
    const property = properties[field];
    if (property === undefined) throw new Error(`${name} has no field ${field}.`);
    properties[field] = { ...property, ...said };
  }
  const oneOf = ALTERNATIVES[name]?.map((field): Schema => {
    const property = properties[field];
    if (property === undefined) throw new Error(`${name} has no field ${field}.`);
    return { type: 'object', properties: { [field]: property }, required: [field] };
  });
  return { ...schema, ...(schema.properties && { properties }), ...(oneOf && { oneOf }) };
}

/** A word in upper and lower case, for engines without a flag for it. */
function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

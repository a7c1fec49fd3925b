import { STRICT_CONTACT_PATTERNS } from '#contract/shared/web-url.ts';
import { NOT_BLANK_PATTERN } from '#contract/text.ts';
import type { Schema, Schemas } from './json-schema.ts';

/*
 * Documents rules that the contract checks in code. The patterns work in every regular expression engine
 * (no look-around, no Unicode properties, special characters in classes are escaped) and match in linear time.
 */

/** PostgreSQL cannot store NUL. */
export const STORABLE_TEXT = '^[^\\x00]*$';

// Classes are negated, because not every engine supports \p{L}. So they also allow invisible
// characters, which the API refuses.
const urlCharacter = '[^\\s\\x00-\\x20"<>\\\\\\^\\x60\\{-\\}\\x7f-\\xa0]';
const hostCharacter = '[^\\s\\x00-,\\x2e\\x2f:-@\\[-\\^\\x60\\{-\\xa0]';
const hostStart = '[^\\s\\x00-,\\x2e-@\\[-\\^\\x60\\{-\\xa0]';
const hostName = `(?:${hostCharacter}+\\.)*${hostStart}${hostCharacter}*\\.?`;
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const ipv4 = `${octet}(?:\\.${octet}){3}`;
const hextet = '[0-9A-Fa-f]{1,4}';
const compressedIpv6 = Array.from({ length: 7 }, (_, count) => {
  const start = count === 0 ? ':' : `(?:${hextet}:){${count}}`;
  return `${start}:(?:${hextet}(?::${hextet}){0,${6 - count}})?`;
});
const ipv6 = `(?:${hextet}:){7}(?:${hextet}|:)|${compressedIpv6.join('|')}`;
const port =
  '(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?';

// The API also refuses hosts that IDNA forbids, and accepts IPv6 addresses with an IPv4 part.
const host = `(?:${hostName}|${ipv4}|\\[(?:${ipv6})\\])`;
const afterScheme = `://${host}${port}(?:(?:/|[?#])${urlCharacter}*)?$`;
export const WEB_URL_PATTERN = `^${anyCase('http')}[Ss]?${afterScheme}`;
const HTTPS_URL_PATTERN = `^${anyCase('https')}${afterScheme}`;

const strictContactUrls = Object.entries(STRICT_CONTACT_PATTERNS).map(
  ([scheme, pattern]) => `${anyCase(scheme)}:${pattern}`,
);

export const CONTACT_URL_PATTERN = `^(?:(?:${anyCase('mailto')}|${anyCase('tel')}):${urlCharacter}+|${strictContactUrls.join('|')})$`;

const webhookHost = `(?:(?:${['www', 'ptb', 'canary'].map(anyCase).join('|')})\\.)?${anyCase('discord')}(?:${anyCase('app')})?\\.${anyCase('com')}`;
const booleanParameter = '(?:wait|with_components)=(?:true|false|True|False|[01])';
const webhookParameter = `(?:thread_id=[0-9]{1,20}|${booleanParameter})`;
const WEBHOOK_URL_PATTERN = `^${anyCase('https')}://${webhookHost}/api(?:/v[0-9]{1,2})?/webhooks/[0-9]{1,20}/[A-Za-z0-9_\\-]{1,200}/?(?:\\?${webhookParameter}(?:&${webhookParameter}){0,2})?(?:#[!-\\[\\]-~]*)?$`;

const emailStart = "[A-Za-z0-9_'+&=~#*^\\{\\}$]";
const emailCharacter = "(?:/|[A-Za-z0-9_'+&=~#*^\\{\\}\\|$\\-])";
const domainLabel = '(?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?';

/** An email address. Slightly too permissive: allows 64 characters before the `@` plus dots. */
const EMAIL_PATTERN = `^${emailStart}(?:\\.?${emailCharacter}){0,63}@(?:[A-Za-z0-9]${domainLabel}\\.)+[A-Za-z]${domainLabel}$`;

/** Documented for fields that only the body size limits. Larger than any real value. */
const DOCUMENTED_MAX_LENGTH = 255;

/** Rules that the zod schemas do not express. */
const FIELD_RULES: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  UpdateDisplayNameRequest: {
    display_name: { pattern: NOT_BLANK_PATTERN, maxLength: DOCUMENTED_MAX_LENGTH },
  },
  UpdateSiteConfigurationRequest: { avatar_url: { pattern: `^$|${WEB_URL_PATTERN}` } },
  UpdatePageRequest: { avatar_url: { pattern: `^$|${WEB_URL_PATTERN}` } },
  BaseBlockUpdate: { url: { pattern: `${WEB_URL_PATTERN}|${CONTACT_URL_PATTERN}` } },
  EmailForwardingToggleRequest: { email: { pattern: EMAIL_PATTERN } },
  IngestMetricsRequest: {
    projectId: { pattern: NOT_BLANK_PATTERN, maxLength: DOCUMENTED_MAX_LENGTH },
  },
  UpdateMemberNameRequest: { display_name: { pattern: NOT_BLANK_PATTERN } },
  UpdateInstanceRequest: {
    contact: { pattern: `${EMAIL_PATTERN}|${HTTPS_URL_PATTERN}` },
    imprint_url: { pattern: HTTPS_URL_PATTERN },
    privacy_url: { pattern: HTTPS_URL_PATTERN },
    terms_url: { pattern: HTTPS_URL_PATTERN },
  },
  SendChatWebhookRequest: { webhookUrl: { pattern: WEBHOOK_URL_PATTERN } },
  EditChatWebhookRequest: { webhookUrl: { pattern: WEBHOOK_URL_PATTERN } },
};

/** A request must have exactly one of these fields. */
const ALTERNATIVE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  CreateSessionRequest: ['login_url', 'api_key'],
};

export function withPatterns(name: string, schema: Schema): Schema {
  const properties: Schemas = { ...schema.properties };
  for (const [field, rules] of Object.entries(FIELD_RULES[name] ?? {})) {
    const property = properties[field];
    if (property === undefined) throw new Error(`${name} has no field ${field}.`);
    properties[field] = { ...property, ...rules };
  }
  const oneOf = ALTERNATIVE_FIELDS[name]?.map((field): Schema => {
    const property = properties[field];
    if (property === undefined) throw new Error(`${name} has no field ${field}.`);
    return { type: 'object', properties: { [field]: property }, required: [field] };
  });
  return { ...schema, ...(schema.properties && { properties }), ...(oneOf && { oneOf }) };
}

/** JSON Schema patterns have no `i` flag. */
function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

import { z } from 'zod';

export const FORWARDING_PROVIDERS = [
  'none',
  'improvmx',
  'forward-email',
  'cloudflare',
  'postfix',
] as const;

const secret = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
  .optional();
const identifier = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/, 'must be letters and digits')
  .optional();
const baseUrl = z.string().regex(/^https?:\/\/[^\s?#@]+$/, 'must be an http or https URL');

/** Settings of the forwarding providers. */
export const forwardingSettings = {
  EMAIL_FORWARDING_PROVIDER: z
    .enum(FORWARDING_PROVIDERS, `must be one of ${FORWARDING_PROVIDERS.join(', ')}`)
    .default('none')
    .describe(
      'Who forwards the mail: none (nobody), improvmx, forward-email, cloudflare, or postfix (a mail server of yours that reads the database).',
    ),
  IMPROVMX_API_KEY: secret.describe('API key of ImprovMX; needed with improvmx.'),
  IMPROVMX_BASE_URL: baseUrl
    .default('https://api.improvmx.com/v3')
    .describe('Where the API of ImprovMX is.'),
  FORWARD_EMAIL_API_KEY: secret.describe('API key of Forward Email; needed with forward-email.'),
  FORWARD_EMAIL_BASE_URL: baseUrl
    .default('https://api.forwardemail.net')
    .describe('Where the API of Forward Email is.'),
  CLOUDFLARE_API_TOKEN: secret.describe('API token of Cloudflare; needed with cloudflare.'),
  CLOUDFLARE_ZONE_ID: identifier.describe("Cloudflare's ID of the mail domain's zone."),
  CLOUDFLARE_ACCOUNT_ID: identifier.describe("Cloudflare's ID of the account."),
  CLOUDFLARE_BASE_URL: baseUrl
    .default('https://api.cloudflare.com/client/v4')
    .describe('Where the API of Cloudflare is.'),
};

const NEEDED: Record<string, readonly string[]> = {
  improvmx: ['IMPROVMX_API_KEY'],
  'forward-email': ['FORWARD_EMAIL_API_KEY'],
  cloudflare: ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ZONE_ID', 'CLOUDFLARE_ACCOUNT_ID'],
  postfix: ['DATABASE_URL'],
};

/** A complaint about every setting that the chosen provider needs and that is missing. */
export function missingForwardingSettings(set: Record<string, unknown>): string[] {
  const provider = String(set['EMAIL_FORWARDING_PROVIDER']);
  return (NEEDED[provider] ?? [])
    .filter((name) => set[name] === undefined)
    .map((name) => `${name} is needed when EMAIL_FORWARDING_PROVIDER is ${provider}`);
}

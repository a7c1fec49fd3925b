import { z } from 'zod';

const FORWARDING_PROVIDERS = [
  'none',
  'improvmx',
  'forward-email',
  'cloudflare',
  'postfix',
] as const;

const PROVIDER = `must be one of ${FORWARDING_PROVIDERS.join(', ')}`;

const secret = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
  .optional();
const identifier = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/, 'must be letters and digits')
  .optional();

/** Settings of the forwarding providers, whichever is chosen. */
export const forwardingSettings = {
  EMAIL_FORWARDING_PROVIDER: z
    .enum(FORWARDING_PROVIDERS, PROVIDER)
    .default('none')
    .describe(
      'Who forwards the mail: none (nobody), improvmx, forward-email, cloudflare, or postfix (a mail server of yours that reads the database).',
    ),
  FORWARDING_API_URL: z
    .string()
    .regex(/^https?:\/\/[^\s?#@]+$/, 'must be an http or https URL')
    .optional()
    .describe("Address of the provider's API, if it is not the public one, as in a test."),
  IMPROVMX_API_KEY: secret.describe('API key of ImprovMX; needed with improvmx.'),
  FORWARD_EMAIL_API_KEY: secret.describe('API key of Forward Email; needed with forward-email.'),
  CLOUDFLARE_API_TOKEN: secret.describe('API token of Cloudflare; needed with cloudflare.'),
  CLOUDFLARE_ZONE_ID: identifier.describe("Cloudflare's ID of the mail domain's zone."),
  CLOUDFLARE_ACCOUNT_ID: identifier.describe("Cloudflare's ID of the account."),
};

/** The choice of a provider, with the settings that it cannot do without. */
export const ForwardingChoice = z.preprocess(
  (set) => ({ EMAIL_FORWARDING_PROVIDER: 'none', ...(set as object) }),
  z.discriminatedUnion(
    'EMAIL_FORWARDING_PROVIDER',
    [
      z.object({ EMAIL_FORWARDING_PROVIDER: z.literal('none') }),
      z.object({
        EMAIL_FORWARDING_PROVIDER: z.literal('improvmx'),
        IMPROVMX_API_KEY: neededBy('improvmx'),
      }),
      z.object({
        EMAIL_FORWARDING_PROVIDER: z.literal('forward-email'),
        FORWARD_EMAIL_API_KEY: neededBy('forward-email'),
      }),
      z.object({
        EMAIL_FORWARDING_PROVIDER: z.literal('cloudflare'),
        CLOUDFLARE_API_TOKEN: neededBy('cloudflare'),
        CLOUDFLARE_ZONE_ID: neededBy('cloudflare'),
        CLOUDFLARE_ACCOUNT_ID: neededBy('cloudflare'),
      }),
      z.object({
        EMAIL_FORWARDING_PROVIDER: z.literal('postfix'),
        DATABASE_URL: neededBy('postfix'),
      }),
    ],
    PROVIDER,
  ),
);

const ForwardingSettings = z.object(forwardingSettings).and(ForwardingChoice);
export type ForwardingSettings = z.infer<typeof ForwardingSettings>;

function neededBy(provider: (typeof FORWARDING_PROVIDERS)[number]): z.ZodString {
  return z.string(`is needed when EMAIL_FORWARDING_PROVIDER is ${provider}`);
}

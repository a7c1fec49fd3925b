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
      'Who forwards mail: none, improvmx, forward-email, cloudflare, or postfix (your own mail server, which reads the database).',
    ),
  FORWARDING_API_URL: z
    .string()
    .regex(/^https?:\/\/[^\s?#@]+$/, 'must be an http or https URL')
    .optional()
    .describe(
      "Address of the provider's API, for example in tests. Default: the provider's public API.",
    ),
  IMPROVMX_API_KEY: secret.describe('ImprovMX API key. Required for improvmx.'),
  FORWARD_EMAIL_API_KEY: secret.describe('Forward Email API key. Required for forward-email.'),
  CLOUDFLARE_API_TOKEN: secret.describe('Cloudflare API token. Required for cloudflare.'),
  CLOUDFLARE_ZONE_ID: identifier.describe(
    'Cloudflare zone ID of the mail domain. Required for cloudflare.',
  ),
  CLOUDFLARE_ACCOUNT_ID: identifier.describe('Cloudflare account ID. Required for cloudflare.'),
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

import { z } from 'zod';

const FORWARDING_PROVIDERS = [
  'none',
  'improvmx',
  'forward-email',
  'cloudflare',
  'postfix',
] as const;

const PROVIDER_MESSAGE = `must be one of ${FORWARDING_PROVIDERS.join(', ')}`;

const optionalSecret = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
  .optional();
const optionalId = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/, 'must be letters and digits')
  .optional();

export const forwardingSettings = {
  EMAIL_FORWARDING_PROVIDER: z
    .enum(FORWARDING_PROVIDERS, PROVIDER_MESSAGE)
    .default('none')
    .describe(
      'Mail forwarding provider: none, improvmx, forward-email, cloudflare, or postfix (your own mail server, which reads the database).',
    ),
  FORWARDING_API_URL: z
    .string()
    .regex(/^https?:\/\/[^\s?#@]+$/, 'must be an http or https URL')
    .optional()
    .describe(
      "Base URL of the provider's API, for example in tests. Default: the provider's public API.",
    ),
  IMPROVMX_API_KEY: optionalSecret.describe('ImprovMX API key. Required for improvmx.'),
  FORWARD_EMAIL_API_KEY: optionalSecret.describe(
    'Forward Email API key. Required for forward-email.',
  ),
  CLOUDFLARE_API_TOKEN: optionalSecret.describe('Cloudflare API token. Required for cloudflare.'),
  CLOUDFLARE_ZONE_ID: optionalId.describe(
    'Cloudflare zone ID of the mail domain. Required for cloudflare.',
  ),
  CLOUDFLARE_ACCOUNT_ID: optionalId.describe('Cloudflare account ID. Required for cloudflare.'),
};

export const ForwardingRequirements = z.preprocess(
  (settings) => ({ EMAIL_FORWARDING_PROVIDER: 'none', ...(settings as object) }),
  z.discriminatedUnion(
    'EMAIL_FORWARDING_PROVIDER',
    [
      z.object({ EMAIL_FORWARDING_PROVIDER: z.literal('none') }),
      z.object({
        EMAIL_FORWARDING_PROVIDER: z.literal('improvmx'),
        IMPROVMX_API_KEY: requiredFor('improvmx'),
      }),
      z.object({
        EMAIL_FORWARDING_PROVIDER: z.literal('forward-email'),
        FORWARD_EMAIL_API_KEY: requiredFor('forward-email'),
      }),
      z.object({
        EMAIL_FORWARDING_PROVIDER: z.literal('cloudflare'),
        CLOUDFLARE_API_TOKEN: requiredFor('cloudflare'),
        CLOUDFLARE_ZONE_ID: requiredFor('cloudflare'),
        CLOUDFLARE_ACCOUNT_ID: requiredFor('cloudflare'),
      }),
      z.object({
        EMAIL_FORWARDING_PROVIDER: z.literal('postfix'),
        DATABASE_URL: requiredFor('postfix'),
      }),
    ],
    PROVIDER_MESSAGE,
  ),
);

const ForwardingSettings = z.object(forwardingSettings).and(ForwardingRequirements);
export type ForwardingSettings = z.infer<typeof ForwardingSettings>;

function requiredFor(provider: (typeof FORWARDING_PROVIDERS)[number]): z.ZodString {
  return z.string(`is needed when EMAIL_FORWARDING_PROVIDER is ${provider}`);
}

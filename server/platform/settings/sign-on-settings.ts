import { z } from 'zod';
import { UNSAFE_CHARACTERS } from '#contract/safe-line.ts';
import { commaSeparated } from './comma-separated-list.ts';
import { LOOPBACK } from './loopback.ts';

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
const MAX_ISSUER_LENGTH = 500;

const ISSUER_ERROR = {
  message: 'must be an https URL such as https://id.example.org, without query or fragment',
  abort: true,
};

export const signOnSettings = {
  OIDC_ISSUER: z
    .string()
    .max(MAX_ISSUER_LENGTH, ISSUER_ERROR)
    .refine(isIssuer, ISSUER_ERROR)
    .optional()
    .describe(
      'OpenID Connect provider for single sign-on, as its issuer URL. Register the redirect URI PUBLIC_URL/dashboard/sign-on/callback there. Requires OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
    ),
  OIDC_CLIENT_ID: z
    .string()
    .max(500, 'is too long')
    .optional()
    .describe('Client ID at that provider.'),
  OIDC_CLIENT_SECRET: z
    .string()
    .max(500, 'is too long')
    .optional()
    .describe('Client secret at that provider.'),
  OIDC_NAME: z
    .string()
    .regex(new RegExp(`^[^${UNSAFE_CHARACTERS}]{1,40}$`, 'u'), 'must be at most 40 characters')
    .optional()
    .describe('Name on the button "Sign in with …". Default: the host of OIDC_ISSUER.'),
  OIDC_ALLOWED_GROUPS: commaSeparated
    .default([])
    .describe(
      'Comma-separated groups (claim groups). Members get an account at their first login, even if REGISTRATION is not open. Unless it is open, only they can sign in this way.',
    ),
  OIDC_ALLOWED_DOMAINS: commaSeparated
    .transform((domains) => domains.map((domain) => domain.toLowerCase()))
    .refine((domains) => domains.every((domain) => DOMAIN.test(domain)), 'must be domain names')
    .default([])
    .describe(
      'Comma-separated email domains. Users with a verified address there get an account at their first login, even if REGISTRATION is not open.',
    ),
  OIDC_LEAVERS: z
    .enum(['mark', 'suspend'], 'must be mark or suspend')
    .default('mark')
    .describe(
      'What happens to members who are no longer in these groups or domains when they next sign in. Their sessions end in both cases. mark: operators see it and get a mail. suspend: the account is also suspended, unless it is an operator.',
    ),
  OIDC_OPERATOR_GROUP: z
    .string()
    .regex(/^[^,]+$/, 'must be one group')
    .optional()
    .describe(
      'Group (claim groups) whose members become operators when they sign in. Who is no longer in it becomes a member again, unless made an operator by hand, or the last one.',
    ),
  OIDC_TRUST_EMAIL: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .describe(
      'Set to true if the provider sends no claim email_verified, such as Entra ID, and its users cannot choose their email address. OIDC_ALLOWED_DOMAINS then accepts it, and accounts without an address get it.',
    ),
};

/** Whoever has a tenant of Entra ID can give its users any email address. */
const ANY_TENANT = /^https:\/\/login\.microsoftonline\.com\/(?:common|organizations|consumers)\b/;

const REQUIRED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

export const SignOnRequirements = z.looseObject({}).transform((set, context) => {
  if (Object.keys(signOnSettings).every((name) => set[name] === undefined)) return {};
  for (const name of REQUIRED)
    if (set[name] === undefined)
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `is required for single sign-on, together with ${REQUIRED.filter((setting) => setting !== name).join(' and ')}`,
      });
  if (set['OIDC_TRUST_EMAIL'] === 'true' && ANY_TENANT.test(String(set['OIDC_ISSUER'])))
    context.addIssue({
      code: 'custom',
      path: ['OIDC_TRUST_EMAIL'],
      message: 'needs an OIDC_ISSUER with the ID of your tenant',
    });
  return {};
});

function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password || /[?#\s]/.test(text)) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

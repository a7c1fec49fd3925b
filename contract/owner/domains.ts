import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS, QUERY_DEFAULTS } from '../endpoint-defaults.ts';
import { EXAMPLE_TIME } from '../examples.ts';
import {
  field,
  booleanField,
  nullableTextField,
  objectSchema,
  resultSchema,
  textField,
  timeField,
  booleanParam,
} from '../fields.ts';
import { forField, refusal } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { limitedText } from '../text.ts';

const MAX_DOMAIN_LENGTH = 253;

const domain = field(
  'domainInvalid',
  limitedText(MAX_DOMAIN_LENGTH, 'must be a domain name such as jane.example.'),
  'The domain. International names are converted to Punycode.',
  'jane.example',
);

const DomainRecord = objectSchema('DomainRecord', 'A DNS record to create.', {
  purpose: z.enum(['address', 'proof']).meta({
    description:
      'The purpose of the record: `address` points the domain to the server, `proof` proves that the domain is yours.',
    examples: ['proof'],
  }),
  type: z.enum(['CNAME', 'A', 'AAAA', 'TXT']).meta({
    description: 'The type of the record.',
    examples: ['TXT'],
  }),
  name: textField('The full name of the record.', 300, '_nameplate.jane.example'),
  value: textField('The value of the record.', 300, 'nameplate-domain=VYl0tjXyQ2C8mHn4sRbA1f'),
  found: booleanField('Whether the last check found the record. Null if unknown.', true).nullable(),
});

const Domain = objectSchema('Domain', 'A custom domain of the page.', {
  domain,
  state: z.enum(['waiting', 'verified', 'failing']).meta({
    description:
      '`waiting`: the proof record has not been found yet. `verified`: the domain serves the page. `failing`: the proof record has disappeared; the domain serves the page until `stops_at`.',
    examples: ['verified'],
  }),
  problem: nullableTextField('A description of the problem. Null if there is none.', 1_000, null),
  records: z.array(DomainRecord).meta({ description: 'The DNS records to create.', maxItems: 20 }),
  redirect: booleanField(
    "Whether the page's address at the server redirects to the domain once the domain works.",
    false,
  ),
  created_at: timeField('When the domain was added', EXAMPLE_TIME),
  checked_at: timeField('When its records were last checked', EXAMPLE_TIME).nullable(),
  verified_at: timeField('When the domain was verified', EXAMPLE_TIME).nullable(),
  stops_at: timeField(
    'When the domain stops serving the page, because its proof record is missing',
    '2026-02-03T09:30:00.000Z',
  ).nullable(),
});

const DomainRequest = objectSchema('DomainRequest', 'A domain.', { domain });

const DomainResponse = objectSchema('DomainResponse', 'The domain.', { domain: Domain });

const domainNotFound = forField(
  'domain',
  refusal(404, 'The account has no such domain.', 'You have not added this domain.'),
);

export const ADD_DOMAIN_REFUSALS = {
  domainReserved: forField(
    'domain',
    refusal(
      400,
      "The domain is one of the server's own domains or a subdomain of one, a public suffix such as `co.uk`, or a local name.",
      'domain must be one that you own, not a local name, a public suffix or one of this server.',
    ),
  ),
  domainLimitReached: refusal(
    400,
    `The account already has ${LIMITS.domains} domains.`,
    `This account has reached its limit of ${LIMITS.domains} domains. Remove one first.`,
  ),
  domainTaken: forField(
    'domain',
    refusal(
      409,
      'Another account on this server has verified the domain. Delete it there first.',
      'Another account uses this domain.',
    ),
  ),
  domainsUnavailable: refusal(
    409,
    'The server does not support custom domains: `CUSTOM_DOMAIN_TARGET` is not set.',
    'This server does not serve custom domains.',
  ),
};

/** A domain over these limits is not verified, even if its TXT record is correct. */
export const CHECK_DOMAIN_REFUSALS = {
  domainRateLimited: refusal(
    429,
    'Too many domains were verified: 5 per account or 7 subdomains of one registered domain within a day, or 50 on the server within an hour. Removed domains count, too.',
    'Too many domains were verified recently. The limits are 5 per account and 10 subdomains of one domain a day, and 50 on this server an hour. The next check is in {wait}.',
    { wait: '9 hours' },
  ),
};

export const domains = defineOwnerEndpoints('domains', AUTHENTICATED_DEFAULTS, {
  listDomains: {
    method: 'GET',
    summary: 'List the custom domains',
    description: 'Returns the domains of the account with the DNS records that each one needs.',
    response: resultSchema('The custom domains of the account.', {
      domains: z
        .array(Domain)
        .meta({ description: 'The domains, oldest first.', maxItems: LIMITS.domains }),
      target: nullableTextField(
        'The host that domains must point to (`CUSTOM_DOMAIN_TARGET`). Null if the server does not support custom domains.',
        MAX_DOMAIN_LENGTH,
        'domains.club.example',
      ),
    }),
    listField: 'domains',
    failure: 'The domains could not be fetched.',
  },
  createDomain: {
    method: 'POST',
    summary: 'Add a custom domain',
    description: `Adds a domain for the page, which is served at \`https://<domain>/\` once the TXT record that you create at your DNS provider is found. Adding a domain again returns it unchanged; an account can have up to ${LIMITS.domains} domains.`,
    body: DomainRequest,
    response: DomainResponse,
    recentLogin: true,
    failure: 'The domain could not be added.',
    refusals: ADD_DOMAIN_REFUSALS,
    idempotent: true,
  },
  updateDomain: {
    method: 'POST',
    summary: 'Redirect the page to a custom domain',
    description: `Sets whether the page's address at the server redirects to the domain. It redirects only while the domain is verified and points to the server.`,
    body: {
      domain,
      redirect: field(
        'redirectInvalid',
        booleanParam(),
        "Whether the page's address at the server redirects to the domain. At most one domain can be the redirect target.",
        true,
      ),
    },
    response: DomainResponse,
    recentLogin: true,
    failure: 'The domain could not be changed.',
    idempotent: true,
    refusals: {
      domainNotFound,
    },
  },
  deleteDomain: {
    method: 'POST',
    summary: 'Remove a custom domain',
    description: `Removes the domain, which then no longer serves the page. Adding the domain again requires a new proof record.`,
    body: {
      domain,
    },
    response: SuccessResponse,
    recentLogin: true,
    failure: 'The domain could not be removed.',
    destructive: true,
    idempotent: true,
    refusals: { domainNotFound },
  },
});

export const domainCheck = defineOwnerEndpoints('domains', QUERY_DEFAULTS, {
  checkDomain: {
    method: 'POST',
    summary: 'Check a custom domain now',
    description:
      'Looks up the DNS records of a domain and returns the result. Results are cached for two seconds; a domain that exceeds the verification limits is checked again automatically.',
    body: DomainRequest,
    response: DomainResponse,
    failure: 'The domain could not be checked.',
    idempotent: true,
    refusals: {
      domainNotFound,
      domainsUnavailable: ADD_DOMAIN_REFUSALS.domainsUnavailable,
      ...CHECK_DOMAIN_REFUSALS,
    },
  },
});

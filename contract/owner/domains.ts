import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { timeField } from '../fields.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { LIMITS } from '../limits.ts';
import { success } from '../result-fields.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { AUTHENTICATED_DEFAULTS, QUERY_DEFAULTS } from '../endpoint-defaults.ts';
import { limitedText } from '../text.ts';

const DOMAIN = 'domain must be a domain name such as jane.example.';
const REDIRECT = 'redirect must be true or false.';
const RECENT_LOGIN = 'With a session, it needs a login within the last 60 minutes.';

/** Characters of a domain name as it is typed. */
const CHARACTERS = 253;

const domain = limitedText(CHARACTERS, DOMAIN).meta({
  description: 'The domain. International names are turned into Punycode.',
  examples: ['jane.example'],
});

const DomainRecord = z
  .object({
    purpose: z.enum(['address', 'proof']).meta({
      description: 'Whether it leads visitors to the server, or proves whose domain it is.',
      examples: ['proof'],
    }),
    type: z.enum(['CNAME', 'A', 'AAAA', 'TXT']).meta({
      description: 'The type of the record.',
      examples: ['TXT'],
    }),
    name: z.string().meta({
      description: 'The full name of the record.',
      maxLength: 300,
      examples: ['_nameplate.jane.example'],
    }),
    value: z.string().meta({
      description: 'The value of the record.',
      maxLength: 300,
      examples: ['nameplate-domain=VYl0tjXyQ2C8mHn4sRbA1f'],
    }),
    found: z
      .boolean()
      .nullable()
      .meta({
        description: 'Whether the last check found it; null if that is unknown.',
        examples: [true],
      }),
  })
  .meta({ id: 'DomainRecord', description: 'A DNS record to set.' });

const Domain = z
  .object({
    domain,
    state: z.enum(['waiting', 'verified', 'failing']).meta({
      description:
        'The page is at a domain that is `verified`, and for some days at one that is `failing`: its proof is gone. `waiting`: there is no proof yet.',
      examples: ['verified'],
    }),
    problem: z
      .string()
      .nullable()
      .meta({
        description: 'A sentence about what is wrong; null if nothing is.',
        maxLength: 500,
        examples: [null],
      }),
    records: z.array(DomainRecord).meta({ description: 'The DNS records to set.', maxItems: 20 }),
    redirect: z.boolean().meta({
      description: 'Whether the page at the server redirects there once the domain works.',
      examples: [false],
    }),
    created_at: timeField('When the domain was added', '2026-01-31T09:30:00.000Z'),
    checked_at: timeField(
      'When its records were checked last',
      '2026-01-31T09:30:00.000Z',
    ).nullable(),
    verified_at: timeField('When it was verified', '2026-01-31T09:30:00.000Z').nullable(),
    stops_at: timeField(
      'When the page stops being there, because the proof is gone',
      '2026-02-03T09:30:00.000Z',
    ).nullable(),
  })
  .meta({ id: 'Domain', description: 'A custom domain of the page.' });

const DomainRequest = z.object({ domain }).meta({ id: 'DomainRequest', description: 'A domain.' });

const UpdateDomainRequest = z
  .object({
    domain,
    redirect: z.boolean(REDIRECT).meta({
      description:
        'Whether the page at the server redirects there; of all domains at most one is so.',
      examples: [true],
    }),
  })
  .meta({ id: 'UpdateDomainRequest', description: 'A domain, and how it is used.' });

const DomainResponse = z
  .object({ domain: Domain })
  .meta({ id: 'DomainResponse', description: 'The domain as it is now.' });

const DomainsResponse = z
  .object({
    domains: z
      .array(Domain)
      .meta({ description: 'The domains, oldest first.', maxItems: LIMITS.domains }),
    target: z
      .string()
      .nullable()
      .meta({
        description:
          'The host that domains lead to (`CUSTOM_DOMAIN_TARGET`); null if the server serves no custom domains.',
        maxLength: CHARACTERS,
        examples: ['domains.nameplate.example'],
      }),
  })
  .meta({ id: 'DomainsResponse', description: 'The custom domains of the account.' });

const RemovedResponse = z
  .object({ success })
  .meta({ id: 'RemoveDomainResponse', description: 'The domain was removed.' });

const domainInvalid = invalidField('domain', 'The domain is missing or not a domain name.', DOMAIN);
const domainNotFound = forField(
  'domain',
  refusal(404, 'The account has no such domain.', 'You have not added this domain.'),
);

/** Why a domain is not added. */
export const ADD_DOMAIN_REFUSALS = {
  domainInvalid,
  domainReserved: forField(
    'domain',
    refusal(
      400,
      'The domain is one of the server, below one of them, a public suffix such as co.uk, or a local name.',
      'domain must be one that you own, not a local name, a public suffix or one of this server.',
    ),
  ),
  domainLimitReached: refusal(
    400,
    `The account has ${LIMITS.domains} domains.`,
    `This account has reached its limit of ${LIMITS.domains} domains. Remove one first.`,
  ),
  domainTaken: forField(
    'domain',
    refusal(
      409,
      'Another account of this server has the domain, and its proof is in place.',
      'Another account uses this domain.',
    ),
  ),
  domainsUnavailable: refusal(
    409,
    'The server serves no custom domains: `CUSTOM_DOMAIN_TARGET` is not set.',
    'This server does not serve custom domains.',
  ),
};

/** Why a domain with a correct TXT record is not verified. */
export const CHECK_DOMAIN_REFUSALS = {
  domainRateLimited: refusal(
    429,
    'Too many domains were verified: 5 of an account or 10 below one registered domain in a day, or 50 on the server in an hour. Removed ones count, too.',
    'Too many domains were verified lately: an account can verify 5 a day, 10 a day can be below one registered domain, and the server verifies 50 an hour. The next check is in {wait}.',
    { wait: '9 hours' },
  ),
};

/** The custom domains of the page. */
export const domains = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  listDomains: {
    method: 'GET',
    path: '/owner/domains/list-domains',
    summary: 'List the custom domains',
    description: 'Returns the domains of the account with the DNS records that each needs.',
    responses: { 200: DomainsResponse },
    metadata: { list: 'domains', failure: 'The domains could not be fetched.' },
  },
  addDomain: {
    method: 'POST',
    path: '/owner/domains/add-domain',
    summary: 'Add a custom domain',
    description: `Claims a domain for the page. Set the records of the answer at your DNS provider; the server looks for them, often at first, then less often. The page is at \`https://<domain>/\` as soon as the TXT record proves that the domain is yours. Adding a domain again returns it as it is. An account can have ${LIMITS.domains}. ${RECENT_LOGIN}`,
    body: DomainRequest,
    responses: { 200: DomainResponse },
    metadata: {
      failure: 'The domain could not be added.',
      refusals: { ...ADD_DOMAIN_REFUSALS, ...RECENT_LOGIN_REFUSALS },
      idempotent: true,
    },
  },
  updateDomain: {
    method: 'POST',
    path: '/owner/domains/update-domain',
    summary: 'Redirect the page to a custom domain',
    description: `Chooses whether the page at the server redirects to the domain. It does so only while the domain is verified and leads to the server. ${RECENT_LOGIN}`,
    body: UpdateDomainRequest,
    responses: { 200: DomainResponse },
    metadata: {
      failure: 'The domain could not be changed.',
      idempotent: true,
      refusals: {
        domainInvalid,
        domainNotFound,
        redirectInvalid: invalidField('redirect', 'The choice is missing.', REDIRECT),
        ...RECENT_LOGIN_REFUSALS,
      },
    },
  },
  removeDomain: {
    method: 'POST',
    path: '/owner/domains/remove-domain',
    summary: 'Remove a custom domain',
    description: `The page is no longer at the domain. Adding it again gives another proof. ${RECENT_LOGIN}`,
    body: DomainRequest,
    responses: { 200: RemovedResponse },
    metadata: {
      failure: 'The domain could not be removed.',
      destructive: true,
      idempotent: true,
      refusals: { domainInvalid, domainNotFound, ...RECENT_LOGIN_REFUSALS },
    },
  },
});

/** Checks of domains, which can be repeated. */
export const domainCheck = defineEndpoints(QUERY_DEFAULTS, {
  checkDomain: {
    method: 'POST',
    path: '/owner/domains/check-domain',
    summary: 'Check a custom domain now',
    description:
      'Looks for the DNS records of a domain and returns what was found. Within ten seconds of a check its result is returned again. A domain that is refused because too many were verified is checked again by itself.',
    body: DomainRequest,
    responses: { 200: DomainResponse },
    metadata: {
      failure: 'The domain could not be checked.',
      idempotent: true,
      refusals: {
        domainInvalid,
        domainNotFound,
        domainsUnavailable: ADD_DOMAIN_REFUSALS.domainsUnavailable,
        ...CHECK_DOMAIN_REFUSALS,
      },
    },
  },
});

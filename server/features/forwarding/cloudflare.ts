import { z } from 'zod';
import { ForwardingProviderClient } from './forwarding-provider-client.ts';
import {
  type Finding,
  type ForwardingProvider,
  ForwardingProviderError,
  assertStored,
} from './forwarding-provider.ts';

const PAGE_SIZE = 50;
/** Cloudflare's limit for rules per zone, and for destination addresses per account. */
const MAX_ENTRIES = 200;
const WARNING_THRESHOLD = 180;
const CONFIRMATION_POLL_MS = 60_000;

const Rule = z.object({
  id: z.string(),
  enabled: z.boolean().optional(),
  matchers: z
    .array(z.object({ type: z.string(), field: z.string().nullish(), value: z.string().nullish() }))
    .default([]),
  actions: z
    .array(z.object({ type: z.string(), value: z.array(z.string()).nullish() }))
    .default([]),
});
type Rule = z.infer<typeof Rule>;

const CatchAll = Rule.pick({ enabled: true, actions: true });
type CatchAll = z.infer<typeof CatchAll>;

/** `verified` is the time when the owner confirmed the address. */
const Destination = z.object({
  id: z.string(),
  email: z.string().toLowerCase(),
  verified: z.string().nullish(),
});

function unwrapResult<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z
    .object({ result: z.unknown() })
    .transform((envelope) => envelope.result)
    .pipe(schema);
}

/** Cloudflare Email Routing, with one rule per display name. */
export function createCloudflareProvider(options: {
  apiToken: string;
  zoneId: string;
  accountId: string;
  baseUrl?: string | undefined;
  mailDomain: string;
  recordDestination: (email: string) => Promise<void>;
}): ForwardingProvider {
  const { apiToken, zoneId, accountId, baseUrl, mailDomain, recordDestination } = options;
  const client = new ForwardingProviderClient({
    baseUrl: baseUrl ?? 'https://api.cloudflare.com/client/v4',
    authorization: `Bearer ${apiToken}`,
    secret: apiToken,
  });
  const rulesPath = `/zones/${zoneId}/email/routing/rules`;
  const addressesPath = `/accounts/${accountId}/email/routing/addresses`;

  async function listAll<T>(path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T[]> {
    const rows: T[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await client.call(
        { path: `${path}?page=${page}&per_page=${PAGE_SIZE}`, signal },
        unwrapResult(z.array(schema)),
      );
      rows.push(...body);
      if (body.length < PAGE_SIZE) return rows;
    }
  }

  // Lists all rules, because the API cannot search by address, and the id of a new rule is unknown
  // if the response was lost.
  async function listRulesFor(name: string, signal: AbortSignal): Promise<Rule[]> {
    const rules = await listAll(rulesPath, Rule, signal);
    return rules.filter((rule) => nameOf(rule, mailDomain) === name);
  }

  async function removeRules(rulesToRemove: readonly Rule[], signal: AbortSignal): Promise<void> {
    for (const { id } of rulesToRemove)
      await client.callAllowingStatuses(
        { method: 'DELETE', path: `${rulesPath}/${id}`, signal },
        z.unknown(),
        [404],
      );
  }

  /**
   * Resolves to whether the address is confirmed. If Cloudflare does not have the address, adds it;
   * Cloudflare then emails a confirmation link.
   */
  async function ensureConfirmed(email: string, signal: AbortSignal): Promise<boolean> {
    const addresses = await listAll(addressesPath, Destination, signal);
    const existing = addresses.find((address) => address.email === email.toLowerCase());
    if (existing) return Boolean(existing.verified);
    await recordDestination(email);
    const { body } = await client.call(
      { method: 'POST', path: addressesPath, body: { email }, signal },
      unwrapResult(Destination),
    );
    return Boolean(body.verified);
  }

  return {
    put: async ({ name, destination }, signal) => {
      const [existing, ...duplicates] = await listRulesFor(name, signal);
      await removeRules(duplicates, signal);
      if (existing && destinationOf(existing) === destination) return;
      if (!(await ensureConfirmed(destination, signal))) {
        if (existing) await removeRules([existing], signal);
        throw new ForwardingProviderError(
          'UNCONFIRMED',
          { code: 'unconfirmed', values: { destination } },
          { retryAt: new Date(Date.now() + CONFIRMATION_POLL_MS) },
        );
      }
      const rule = {
        name: `Nameplate: ${name}`,
        enabled: true,
        matchers: [{ type: 'literal', field: 'to', value: `${name}@${mailDomain}` }],
        actions: [{ type: 'forward', value: [destination] }],
      };
      const { body } = await client.call(
        existing
          ? { method: 'PUT', path: `${rulesPath}/${existing.id}`, body: rule, signal }
          : { method: 'POST', path: rulesPath, body: rule, signal },
        unwrapResult(Rule),
      );
      assertStored(destinationOf(body) === destination, name);
    },

    remove: async (name, signal) => removeRules(await listRulesFor(name, signal), signal),

    list: async (signal) => {
      const rules = await listAll(rulesPath, Rule, signal);
      return rules.flatMap((rule) => {
        const [name, destination] = [nameOf(rule, mailDomain), destinationOf(rule)];
        return name && destination ? [{ name, destination }] : [];
      });
    },

    check: async (signal) => {
      const { body } = await client.call(
        { path: `${rulesPath}/catch_all`, signal },
        unwrapResult(CatchAll),
      );
      const ruleCount = (await listAll(rulesPath, Rule, signal)).length;
      const destinations = await listAll(addressesPath, Destination, signal);
      return [
        ...catchAllFindings(body),
        ...limitFindings('rules of the zone', ruleCount),
        ...limitFindings('destination addresses of the account', destinations.length),
        ...unconfirmedFindings(destinations.filter(({ verified }) => !verified).length),
      ];
    },

    deleteDestinations: async (emails, signal) => {
      const destinations = await listAll(addressesPath, Destination, signal);
      const usedEmails = new Set((await listAll(rulesPath, Rule, signal)).flatMap(recipientsOf));
      for (const { id, email } of destinations)
        if (emails.includes(email) && !usedEmails.has(email))
          await client.callAllowingStatuses(
            { method: 'DELETE', path: `${addressesPath}/${id}`, signal },
            z.unknown(),
            [404],
          );
      return emails.filter((email) => !usedEmails.has(email));
    },

    advice:
      'Check CLOUDFLARE_API_TOKEN (it needs Email Routing Rules: Edit for the zone and Email Routing Addresses: Edit for the account), CLOUDFLARE_ZONE_ID and CLOUDFLARE_ACCOUNT_ID.',
  };
}

function catchAllFindings({ enabled, actions }: CatchAll): Finding[] {
  if (!enabled || actions.every(({ type }) => type === 'drop')) return [];
  return [
    {
      level: 'error',
      problem: 'The catch-all rule forwards mail for unassigned names.',
      fix: 'Disable it, or set its action to Drop.',
    },
  ];
}

function limitFindings(label: string, count: number): Finding[] {
  if (count < WARNING_THRESHOLD) return [];
  return [
    {
      level: count < MAX_ENTRIES ? 'warning' : 'error',
      problem: `${count} of the ${MAX_ENTRIES} ${label} are in use.`,
      fix: 'Delete unused ones, or use another provider.',
    },
  ];
}

function unconfirmedFindings(count: number): Finding[] {
  if (count === 0) return [];
  return [
    {
      level: 'warning',
      problem: `${count} destination ${count === 1 ? 'address waits' : 'addresses wait'} for confirmation.`,
      fix: 'Ask their owners to follow the link in the email from Cloudflare.',
    },
  ];
}

function nameOf({ matchers }: Rule, mailDomain: string): string | undefined {
  const address = matchers.find(({ type, field }) => type === 'literal' && field === 'to')?.value;
  const [name, domain] = address?.toLowerCase().split('@') ?? [];
  return domain === mailDomain ? name : undefined;
}

/** Also returns the recipients of disabled rules and of rules for other domains. */
function recipientsOf({ actions }: Rule): string[] {
  return actions
    .filter(({ type }) => type === 'forward')
    .flatMap(({ value }) => (value ?? []).map((email) => email.toLowerCase()));
}

function destinationOf({ enabled, actions }: Rule): string | undefined {
  const forward = actions.find(({ type }) => type === 'forward');
  return enabled ? forward?.value?.join(',') : undefined;
}

import { z } from 'zod';
import { ProviderClient } from './provider-client.ts';
import { type Finding, type Provider, ProviderError, confirm } from './provider.ts';

const PAGE_SIZE = 50;
/** Cloudflare's limit of rules in a zone and of destination addresses in an account. */
const LIMIT = 200;
const NEARLY_FULL = 180;
/** How often to look whether the owner of an address has confirmed it. */
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

/** `verified` is when its owner confirmed it. */
const Destination = z.object({
  id: z.string(),
  email: z.string().toLowerCase(),
  verified: z.string().nullish(),
});

/** Every answer comes in this envelope. */
function inEnvelope<T>(result: z.ZodType<T>): z.ZodType<T> {
  return z
    .object({ result: z.unknown() })
    .transform((envelope) => envelope.result)
    .pipe(result);
}

/** Cloudflare Email Routing: one rule for each name. */
export function cloudflare(options: {
  apiToken: string;
  zoneId: string;
  accountId: string;
  /** The public API unless it is set. */
  baseUrl?: string | undefined;
  mailDomain: string;
  /** Called before a destination address is made. */
  noteDestination: (email: string) => Promise<void>;
}): Provider {
  const { apiToken, zoneId, accountId, baseUrl, mailDomain, noteDestination } = options;
  const client = new ProviderClient({
    baseUrl: baseUrl ?? 'https://api.cloudflare.com/client/v4',
    authorization: `Bearer ${apiToken}`,
    secret: apiToken,
  });
  const rules = `/zones/${zoneId}/email/routing/rules`;
  const addresses = `/accounts/${accountId}/email/routing/addresses`;

  async function listPages<T>(path: string, row: z.ZodType<T>, signal: AbortSignal): Promise<T[]> {
    const found: T[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await client.call(
        { path: `${path}?page=${page}&per_page=${PAGE_SIZE}`, signal },
        inEnvelope(z.array(row)),
      );
      found.push(...body);
      if (body.length < PAGE_SIZE) return found;
    }
  }

  // The interface cannot look for a rule by its address, and a rule made by a call whose answer was
  // lost has an id that nobody knows; so the whole list, which is short, is read.
  async function rulesOf(name: string, signal: AbortSignal): Promise<Rule[]> {
    const all = await listPages(rules, Rule, signal);
    return all.filter((rule) => nameOf(rule, mailDomain) === name);
  }

  async function removeRules(found: readonly Rule[], signal: AbortSignal): Promise<void> {
    for (const { id } of found)
      await client.attempt(
        { method: 'DELETE', path: `${rules}/${id}`, signal },
        z.unknown(),
        [404],
      );
  }

  /** Whether the address may be forwarded to; one that is not known is asked to confirm. */
  async function isConfirmed(email: string, signal: AbortSignal): Promise<boolean> {
    const all = await listPages(addresses, Destination, signal);
    const known = all.find((address) => address.email === email.toLowerCase());
    if (known) return Boolean(known.verified);
    await noteDestination(email);
    const { body } = await client.call(
      { method: 'POST', path: addresses, body: { email }, signal },
      inEnvelope(Destination),
    );
    return Boolean(body.verified);
  }

  return {
    put: async ({ name, destination }, signal) => {
      const [kept, ...surplus] = await rulesOf(name, signal);
      await removeRules(surplus, signal);
      if (kept && destinationOf(kept) === destination) return;
      if (!(await isConfirmed(destination, signal))) {
        if (kept) await removeRules([kept], signal);
        throw new ProviderError(
          'UNCONFIRMED',
          `Waiting for ${destination} to confirm the message that Cloudflare sent there.`,
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
        kept
          ? { method: 'PUT', path: `${rules}/${kept.id}`, body: rule, signal }
          : { method: 'POST', path: rules, body: rule, signal },
        inEnvelope(Rule),
      );
      confirm(destinationOf(body) === destination, name);
    },

    remove: async (name, signal) => removeRules(await rulesOf(name, signal), signal),

    list: async (signal) => {
      const all = await listPages(rules, Rule, signal);
      return all.flatMap((rule) => {
        const [name, destination] = [nameOf(rule, mailDomain), destinationOf(rule)];
        return name && destination ? [{ name, destination }] : [];
      });
    },

    check: async (signal) => {
      const { body } = await client.call(
        { path: `${rules}/catch_all`, signal },
        inEnvelope(CatchAll),
      );
      const inUse = (await listPages(rules, Rule, signal)).length;
      const known = await listPages(addresses, Destination, signal);
      return [
        ...catchAllFindings(body),
        ...limitFindings('rules of the zone', inUse),
        ...limitFindings('destination addresses of the account', known.length),
        ...unconfirmedFindings(known.filter(({ verified }) => !verified).length),
      ];
    },

    discard: async (emails, signal) => {
      const known = await listPages(addresses, Destination, signal);
      const used = new Set((await listPages(rules, Rule, signal)).flatMap(recipientsOf));
      for (const { id, email } of known)
        if (emails.includes(email) && !used.has(email))
          await client.attempt(
            { method: 'DELETE', path: `${addresses}/${id}`, signal },
            z.unknown(),
            [404],
          );
      return emails.filter((email) => !used.has(email));
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
      problem: 'The catch-all rule takes the mail of names that nobody has.',
      fix: 'Disable it, or set its action to Drop.',
    },
  ];
}

function limitFindings(what: string, count: number): Finding[] {
  if (count < NEARLY_FULL) return [];
  return [
    {
      level: count < LIMIT ? 'warning' : 'error',
      problem: `${count} of the ${LIMIT} ${what} are in use.`,
      fix: 'Delete those that nobody needs, or use another provider.',
    },
  ];
}

function unconfirmedFindings(count: number): Finding[] {
  if (count === 0) return [];
  return [
    {
      level: 'warning',
      problem: `${count} destination ${count === 1 ? 'address waits' : 'addresses wait'} for confirmation.`,
      fix: 'Their owners follow the link in the message that Cloudflare sent them.',
    },
  ];
}

/** The name whose mail a rule takes; undefined if it is about something else. */
function nameOf({ matchers }: Rule, mailDomain: string): string | undefined {
  const address = matchers.find(({ type, field }) => type === 'literal' && field === 'to')?.value;
  const [name, domain] = address?.toLowerCase().split('@') ?? [];
  return domain === mailDomain ? name : undefined;
}

/** Where a rule forwards mail to, also one that is not enabled or about something else. */
function recipientsOf({ actions }: Rule): string[] {
  return actions
    .filter(({ type }) => type === 'forward')
    .flatMap(({ value }) => (value ?? []).map((email) => email.toLowerCase()));
}

function destinationOf({ enabled, actions }: Rule): string | undefined {
  const forward = actions.find(({ type }) => type === 'forward');
  return enabled ? forward?.value?.join(',') : undefined;
}

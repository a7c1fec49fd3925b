import { HttpJson } from './http-json.ts';
import { type Finding, type Provider, ProviderError, confirm } from './provider.ts';

const PAGE_SIZE = 50;
/** Cloudflare's limit of rules in a zone and of destination addresses in an account. */
const LIMIT = 200;
const NEARLY_FULL = 180;
/** How often to look whether the owner of an address has confirmed it. */
const CONFIRMATION_POLL_MS = 60_000;

interface Rule {
  id: string;
  enabled: boolean;
  matchers: { type: string; field?: string; value?: string }[];
  actions: { type: string; value?: string[] }[];
}

interface DestinationAddress {
  email: string;
  /** When its owner confirmed it. */
  verified: string | null;
}

/** Cloudflare Email Routing: one rule for each name. */
export function cloudflare(options: {
  apiToken: string;
  zoneId: string;
  accountId: string;
  baseUrl: string;
  mailDomain: string;
}): Provider {
  const { apiToken, zoneId, accountId, baseUrl, mailDomain } = options;
  const http = new HttpJson({
    baseUrl,
    authorization: `Bearer ${apiToken}`,
    secret: apiToken,
  });
  const rules = `/zones/${zoneId}/email/routing/rules`;
  const addresses = `/accounts/${accountId}/email/routing/addresses`;

  async function listPages<T>(path: string, signal: AbortSignal): Promise<T[]> {
    const found: T[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await http.call({
        path: `${path}?page=${page}&per_page=${PAGE_SIZE}`,
        signal,
      });
      const rows = body.result as T[];
      found.push(...rows);
      if (rows.length < PAGE_SIZE) return found;
    }
  }

  // The interface cannot look for a rule by its address, and a rule made by a call whose answer was
  // lost has an id that nobody knows; so the whole list, which is short, is read.
  async function rulesOf(name: string, signal: AbortSignal): Promise<Rule[]> {
    const all = await listPages<Rule>(rules, signal);
    return all.filter((rule) => nameOf(rule, mailDomain) === name);
  }

  async function removeRules(found: readonly Rule[], signal: AbortSignal): Promise<void> {
    for (const { id } of found)
      await http.call({ method: 'DELETE', path: `${rules}/${id}`, signal }, [404]);
  }

  /** Whether the address may be forwarded to; one that is not known is asked to confirm. */
  async function isConfirmed(email: string, signal: AbortSignal): Promise<boolean> {
    const all = await listPages<DestinationAddress>(addresses, signal);
    const known = all.find((address) => address.email.toLowerCase() === email.toLowerCase());
    if (known) return known.verified !== null;
    const { body } = await http.call({ method: 'POST', path: addresses, body: { email }, signal });
    return (body.result as DestinationAddress).verified !== null;
  }

  return {
    put: async ({ name, destination }, signal) => {
      const [kept, ...surplus] = await rulesOf(name, signal);
      await removeRules(surplus, signal);
      if (kept && destinationOf(kept) === destination) return;
      if (!(await isConfirmed(destination, signal))) {
        if (kept) await removeRules([kept], signal);
        throw new ProviderError(
          `Waiting for ${destination} to confirm the message that Cloudflare sent there.`,
          { retryAt: new Date(Date.now() + CONFIRMATION_POLL_MS) },
        );
      }
      const { body } = await http.call({
        method: kept ? 'PUT' : 'POST',
        path: kept ? `${rules}/${kept.id}` : rules,
        body: {
          name: `Nameplate: ${name}`,
          enabled: true,
          matchers: [{ type: 'literal', field: 'to', value: `${name}@${mailDomain}` }],
          actions: [{ type: 'forward', value: [destination] }],
        },
        signal,
      });
      confirm(destinationOf(body.result as Rule) === destination, name);
    },

    remove: async (name, signal) => removeRules(await rulesOf(name, signal), signal),

    find: async (name, signal) =>
      (await rulesOf(name, signal)).map(destinationOf).find((destination) => destination),

    list: async (signal) => {
      const all = await listPages<Rule>(rules, signal);
      return all.flatMap((rule) => {
        const [name, destination] = [nameOf(rule, mailDomain), destinationOf(rule)];
        return name && destination ? [{ name, destination }] : [];
      });
    },

    check: async (signal) => {
      const { body } = await http.call({ path: `${rules}/catch_all`, signal });
      const inUse = (await listPages<Rule>(rules, signal)).length;
      const known = (await listPages<DestinationAddress>(addresses, signal)).length;
      return [
        ...catchAllFindings(body.result as Rule),
        ...limitFindings('rules of the zone', inUse),
        ...limitFindings('destination addresses of the account', known),
      ];
    },

    advice:
      'Check CLOUDFLARE_API_TOKEN (it needs Email Routing Rules: Edit for the zone and Email Routing Addresses: Edit for the account), CLOUDFLARE_ZONE_ID and CLOUDFLARE_ACCOUNT_ID.',
  };
}

function catchAllFindings({ enabled, actions }: Rule): Finding[] {
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

/** The name whose mail a rule takes; undefined if it is about something else. */
function nameOf({ matchers }: Rule, mailDomain: string): string | undefined {
  const address = matchers.find(({ type, field }) => type === 'literal' && field === 'to')?.value;
  const [name, domain] = address?.toLowerCase().split('@') ?? [];
  return domain === mailDomain ? name : undefined;
}

function destinationOf({ enabled, actions }: Rule): string | undefined {
  const forward = actions.find(({ type }) => type === 'forward');
  return enabled ? forward?.value?.join(',') : undefined;
}

import { type Problem, toProblems } from '#server/platform/text/problem.ts';
import { CloudflareApi, type CloudflareOptions, type Rule } from './cloudflare-api.ts';
import {
  type ForwardingProvider,
  ForwardingProviderError,
  assertStored,
  isSameDestination,
} from './forwarding-provider.ts';

/** Cloudflare's limit for rules per zone, and for destination addresses per account. */
const MAX_ENTRIES = 200;
const WARNING_THRESHOLD = 180;
const CONFIRMATION_POLL_MS = 60_000;

/** Cloudflare Email Routing, with one rule per display name. */
export function createCloudflareProvider({
  mailDomain,
  recordDestination,
  ...options
}: CloudflareOptions & {
  mailDomain: string;
  recordDestination: (email: string) => Promise<void>;
}): ForwardingProvider {
  const api = new CloudflareApi(options);

  // Lists all rules, because the API cannot search by address, and the id of a new rule is unknown
  // if the response was lost.
  async function listRulesFor(name: string, signal: AbortSignal): Promise<Rule[]> {
    return (await api.listRules(signal)).filter((rule) => nameOf(rule, mailDomain) === name);
  }

  /** Resolves to whether the address is confirmed. Adds it if Cloudflare does not have it. */
  async function ensureConfirmed(email: string, signal: AbortSignal): Promise<boolean> {
    const addresses = await api.listDestinations(signal);
    const existing = addresses.find((address) => isSameDestination(address.email, email));
    if (existing) return Boolean(existing.verified);
    await recordDestination(email);
    return Boolean((await api.addDestination(email, signal)).verified);
  }

  return {
    forwardsToOne: true,
    put: async ({ name, destination }, signal) => {
      if (destination.includes(','))
        throw new ForwardingProviderError('ONE_DESTINATION', { code: 'oneDestination' });
      const [existing, ...duplicates] = await listRulesFor(name, signal);
      await api.deleteRules(duplicates, signal);
      if (existing && isSameDestination(destinationOf(existing), destination)) return;
      // Until then, an existing rule forwards to the former address.
      if (!(await ensureConfirmed(destination, signal))) throw unconfirmedError(destination);
      const rule = forwardingRule(name, mailDomain, destination);
      const stored = await api.saveRule(existing?.id, rule, signal);
      assertStored(isSameDestination(destinationOf(stored), destination), name);
    },

    remove: async (name, signal) => api.deleteRules(await listRulesFor(name, signal), signal),

    list: async (signal) => {
      const rules = await api.listRules(signal);
      return rules.flatMap((rule) => {
        const [name, destination] = [nameOf(rule, mailDomain), destinationOf(rule)];
        return name && destination ? [{ name, destination }] : [];
      });
    },

    check: (signal) => findProblems(api, signal),
    deleteDestinations: (emails, signal) => deleteUnusedDestinations(api, emails, signal),

    advice:
      'Check CLOUDFLARE_API_TOKEN (it needs Email Routing Rules: Edit for the zone and Email Routing Addresses: Edit for the account), CLOUDFLARE_ZONE_ID and CLOUDFLARE_ACCOUNT_ID.',
  };
}

async function findProblems(api: CloudflareApi, signal: AbortSignal): Promise<Problem[]> {
  const { enabled, actions } = await api.findCatchAll(signal);
  const rules = await api.listRules(signal);
  const destinations = await api.listDestinations(signal);
  const unconfirmed = destinations.filter(({ verified }) => !verified).length;
  return [
    ...toProblems('error', {
      'The catch-all rule forwards mail for unassigned names. Disable it, or set its action to Drop.':
        enabled === true && actions.some(({ type }) => type !== 'drop'),
    }),
    ...findFullList('rules of the zone', rules.length),
    ...findFullList('destination addresses of the account', destinations.length),
    ...toProblems('warning', {
      [`${unconfirmed} destination ${unconfirmed === 1 ? 'address waits' : 'addresses wait'} for confirmation. Ask their owners to follow the link in the email from Cloudflare.`]:
        unconfirmed > 0,
    }),
  ];
}

function findFullList(label: string, count: number): Problem[] {
  return toProblems(count < MAX_ENTRIES ? 'warning' : 'error', {
    [`${count} of the ${MAX_ENTRIES} ${label} are in use. Delete unused ones, or use another provider.`]:
      count >= WARNING_THRESHOLD,
  });
}

/** Resolves to the emails that are no longer destinations. */
async function deleteUnusedDestinations(
  api: CloudflareApi,
  emails: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const destinations = await api.listDestinations(signal);
  const usedEmails = new Set((await api.listRules(signal)).flatMap(recipientsOf));
  for (const { id, email } of destinations)
    if (emails.includes(email) && !usedEmails.has(email)) await api.deleteDestination(id, signal);
  return emails.filter((email) => !usedEmails.has(email));
}

function unconfirmedError(destination: string): ForwardingProviderError {
  return new ForwardingProviderError(
    'UNCONFIRMED',
    { code: 'unconfirmed', values: { destination } },
    { retryAt: new Date(Date.now() + CONFIRMATION_POLL_MS) },
  );
}

function forwardingRule(name: string, mailDomain: string, destination: string) {
  return {
    name: `Nameplate: ${name}`,
    enabled: true,
    matchers: [{ type: 'literal', field: 'to', value: `${name}@${mailDomain}` }],
    actions: [{ type: 'forward', value: [destination] }],
  };
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

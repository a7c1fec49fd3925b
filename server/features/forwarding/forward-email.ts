import { z } from 'zod';
import { ProviderClient, basicAuthorization } from './provider-client.ts';
import {
  type Alias,
  type Provider,
  ProviderError,
  confirm,
  isPattern,
  patternFindings,
} from './provider.ts';

const PAGE_SIZE = 50;
/** How a deletion is refused; anything else is a fault of ours or of the connection. */
const REFUSED = [400, 403, 409, 422];

const Stored = z.object({
  name: z.string(),
  recipients: z.array(z.string()),
  is_enabled: z.boolean(),
});
const Page = z.array(Stored);
const PageCount = z.coerce.number().int().catch(1);

/** Forward Email, API v1. */
export function forwardEmail(options: {
  apiKey: string;
  /** The public API unless it is set. */
  baseUrl?: string | undefined;
  mailDomain: string;
}): Provider {
  const { apiKey, baseUrl, mailDomain } = options;
  const client = new ProviderClient({
    baseUrl: baseUrl ?? 'https://api.forwardemail.net',
    authorization: basicAuthorization(apiKey, ''),
    secret: apiKey,
  });
  const aliases = `/v1/domains/${mailDomain}/aliases`;

  async function listEnabled(signal: AbortSignal): Promise<Alias[]> {
    const found: Alias[] = [];
    for (let page = 1; ; page += 1) {
      const path = `${aliases}?page=${page}&limit=${PAGE_SIZE}`;
      const { body, headers } = await client.call({ path, signal }, Page);
      for (const { name, recipients, is_enabled: enabled } of body)
        if (enabled) found.push({ name, destination: recipients.join(',') });
      if (page >= PageCount.parse(headers['x-page-count'])) return found;
    }
  }

  return {
    put: async ({ name, destination }, signal) => {
      const body = wholeAlias(name, [destination], true);
      const path = `${aliases}/${name}`;
      const updated = await client.attempt({ method: 'PUT', path, body, signal }, Stored, [404]);
      const { body: stored } =
        updated instanceof ProviderError
          ? await client.call({ method: 'POST', path: aliases, body, signal }, Stored)
          : updated;
      const [first, ...more] = stored.recipients;
      confirm(stored.is_enabled && first === destination && more.length === 0, name);
    },

    remove: async (name, signal) => {
      const path = `${aliases}/${name}`;
      const deleted = await client.attempt({ method: 'DELETE', path, signal }, z.unknown(), [
        404,
        ...REFUSED,
      ]);
      if (!(deleted instanceof ProviderError) || deleted.status === 404) return;
      const found = await client.attempt({ path, signal }, Stored, [404]);
      if (found instanceof ProviderError) return;
      const body = wholeAlias(name, found.body.recipients, false);
      const disabled = await client.call({ method: 'PUT', path, body, signal }, Stored);
      confirm(!disabled.body.is_enabled, name);
    },

    list: async (signal) => (await listEnabled(signal)).filter(({ name }) => !isPattern(name)),

    check: async (signal) => patternFindings(await listEnabled(signal)),

    advice: `Check FORWARD_EMAIL_API_KEY, that ${mailDomain} is among the account's domains, and that its plan is a paid one.`,
  };
}

/**
 * Every field, every time: what an update leaves out is reset, and missing recipients are replaced
 * by the address of the API key's owner.
 */
function wholeAlias(name: string, recipients: readonly string[], enabled: boolean) {
  return {
    name,
    recipients,
    description: 'Nameplate',
    labels: [],
    has_recipient_verification: false,
    is_enabled: enabled,
    error_code_if_disabled: 550,
  };
}

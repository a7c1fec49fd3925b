import { HttpJson, basicAuthorization } from './http-json.ts';
import { type Provider, confirm, isPattern, patternFindings } from './provider.ts';

const PAGE_SIZE = 50;
/** How a deletion is refused; anything else is a fault of ours or of the connection. */
const REFUSED = [400, 403, 409, 422];

interface ForwardEmailAlias {
  name: string;
  recipients: string[];
  is_enabled: boolean;
}

/** Forward Email, API v1. */
export function forwardEmail(options: {
  apiKey: string;
  baseUrl: string;
  mailDomain: string;
}): Provider {
  const { apiKey, baseUrl, mailDomain } = options;
  const http = new HttpJson({
    baseUrl,
    authorization: basicAuthorization(apiKey, ''),
    secret: apiKey,
  });
  const aliases = `/v1/domains/${mailDomain}/aliases`;

  async function findAlias(
    name: string,
    signal: AbortSignal,
  ): Promise<ForwardEmailAlias | undefined> {
    const { status, body } = await http.call({ path: `${aliases}/${name}`, signal }, [404]);
    return status === 404 ? undefined : body;
  }

  async function listEnabled(signal: AbortSignal): Promise<ForwardEmailAlias[]> {
    const found: ForwardEmailAlias[] = [];
    for (let page = 1; ; page += 1) {
      const { body, headers } = await http.call({
        path: `${aliases}?page=${page}&limit=${PAGE_SIZE}`,
        signal,
      });
      const rows = body as ForwardEmailAlias[];
      found.push(...rows.filter((alias) => alias.is_enabled));
      if (page >= Number(headers.get('x-page-count') ?? 1)) return found;
    }
  }

  return {
    put: async ({ name, destination }, signal) => {
      const body = wholeAlias(name, [destination], true);
      const path = `${aliases}/${name}`;
      let answer = await http.call({ method: 'PUT', path, body, signal }, [404]);
      if (answer.status === 404)
        answer = await http.call({ method: 'POST', path: aliases, body, signal });
      const { recipients, is_enabled: enabled } = answer.body as ForwardEmailAlias;
      confirm(enabled && recipients.length === 1 && recipients[0] === destination, name);
    },

    remove: async (name, signal) => {
      const path = `${aliases}/${name}`;
      const { status } = await http.call({ method: 'DELETE', path, signal }, [404, ...REFUSED]);
      if (status < 300 || status === 404) return;
      const alias = await findAlias(name, signal);
      if (!alias) return;
      const body = wholeAlias(name, alias.recipients, false);
      const answer = await http.call({ method: 'PUT', path, body, signal });
      confirm(!(answer.body as ForwardEmailAlias).is_enabled, name);
    },

    find: async (name, signal) => {
      const alias = await findAlias(name, signal);
      return alias?.is_enabled ? alias.recipients.join(',') : undefined;
    },

    list: async (signal) =>
      (await listEnabled(signal))
        .filter(({ name }) => !isPattern(name))
        .map(({ name, recipients }) => ({ name, destination: recipients.join(',') })),

    check: async (signal) =>
      patternFindings(
        (await listEnabled(signal)).map(({ name, recipients }) => ({
          name,
          destination: recipients.join(','),
        })),
      ),

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

/** The chat platform's two domains, with their subdomains that serve the same API. */
export const DEFAULT_WEBHOOK_HOSTS = ['discord.com', 'discordapp.com'].flatMap((domain) => [
  domain,
  `www.${domain}`,
  `ptb.${domain}`,
  `canary.${domain}`,
]);

/** A webhook as it is called: nothing else of the caller's URL survives. The token is a secret. */
export interface Webhook {
  /** `host` or `host:port`, one of the allowed ones. */
  host: string;
  id: string;
  token: string;
  threadId?: string;
}

const URL_FORM =
  /^https:\/\/(?<host>[a-z0-9.-]+(?::[0-9]{1,5})?)\/api(?:\/v[0-9]{1,2})?\/webhooks\/(?<id>[0-9]{1,20})\/(?<token>[A-Za-z0-9_-]{1,200})\/?(?:\?(?<query>[^#\s\\]*))?(?:#[^\s\\]*)?$/;
const SCHEME_AND_HOST = /^[^/]*\/\/[^/]*/;

/** Reads a webhook URL; undefined unless it has exactly the accepted form and one of the hosts. */
export function parseWebhookUrl(url: string, hosts: readonly string[]): Webhook | undefined {
  const lowered = url.replace(SCHEME_AND_HOST, (part) => part.toLowerCase());
  const { host, id, token, query } = URL_FORM.exec(lowered)?.groups ?? {};
  if (!host || !id || !token || !hosts.includes(host)) return undefined;
  const threadId = new URLSearchParams(query).get('thread_id');
  return { host, id, token, ...(threadId && /^[0-9]{1,20}$/.test(threadId) && { threadId }) };
}

import type { IncomingHttpHeaders } from 'node:http';
import type { ChatMessage } from '#contract/chat-message.ts';
import type { OutboundClient } from '#server/platform/outbound/client.ts';
import {
  createPublicClient,
  type PublicClientOptions,
} from '#server/platform/outbound/public-client.ts';
import { parseJson } from '#server/platform/outbound/read-response.ts';
import type { Config } from '#server/platform/settings/config.ts';
import packageJson from '../../../package.json' with { type: 'json' };

const MAX_RESPONSE_BYTES = 1_048_576;
/** Discord requires this format, and may block other clients. */
const USER_AGENT = `DiscordBot (https://nameplate.example, ${packageJson.version})`;

export interface ChatClientOptions extends Pick<PublicClientOptions, 'ca' | 'lookup'> {
  /** Allowed hosts: `host` or `host:port`. */
  hosts: readonly string[];
}

export function createChatClient({ hosts, ca, lookup }: ChatClientOptions): OutboundClient {
  const allowedHosts = new Set(hosts.map((host) => host.replace(/:443$/, '')));
  // A host that the operator added may resolve to a loopback address.
  const addedHosts = new Set(
    hosts
      .map((host) => host.replace(/:\d+$/, ''))
      .filter((name) => !DEFAULT_WEBHOOK_HOSTS.includes(name)),
  );
  return createPublicClient({
    maxResponseBytes: MAX_RESPONSE_BYTES,
    isHostAllowed: (host) => allowedHosts.has(host),
    isLoopbackAllowed: (name) => addedHosts.has(name),
    ca,
    lookup,
  });
}

export interface ChatRequest {
  webhook: Webhook;
  /** Edits this message. Default: sends a new one. */
  messageId?: string;
  message: ChatMessage;
}

export interface ChatResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: unknown;
}

export async function callChat(
  client: OutboundClient,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatResponse> {
  const { status, headers, text } = await client.call({
    method: request.messageId === undefined ? 'POST' : 'PATCH',
    url: `https://${request.webhook.host}${webhookPath(request)}`,
    headers: { 'user-agent': USER_AGENT },
    body: request.message,
    signal,
  });
  return { status, headers, body: parseJson(text) };
}

function webhookPath({ webhook: { id, token, query }, messageId, message }: ChatRequest): string {
  const path = messageId === undefined ? '' : `/messages/${messageId}`;
  const { components } = message;
  // Discord silently drops components without this parameter.
  const hasComponents = Array.isArray(components) && components.length > 0;
  const parameters = { wait: 'true', ...(hasComponents && { with_components: 'true' }), ...query };
  return `/api/v10/webhooks/${id}/${token}${path}?${new URLSearchParams(parameters).toString()}`;
}

/** Both Discord domains, and their subdomains that serve the same API. */
export const DEFAULT_WEBHOOK_HOSTS = ['discord.com', 'discordapp.com'].flatMap((domain) => [
  domain,
  `www.${domain}`,
  `ptb.${domain}`,
  `canary.${domain}`,
]);

export function webhookHostsOf({
  CHAT_WEBHOOK_HOSTS: hosts = DEFAULT_WEBHOOK_HOSTS,
}: Pick<Config, 'CHAT_WEBHOOK_HOSTS'>): readonly string[] {
  return hosts;
}

export interface Webhook {
  host: string;
  id: string;
  token: string;
  /** `thread_id` and `with_components`, if the URL has them. */
  query: Record<string, string>;
}

const WEBHOOK_URL_PATTERN =
  /^https:\/\/(?<host>[a-z0-9.-]+(?::[0-9]{1,5})?)\/api(?:\/v[0-9]{1,2})?\/webhooks\/(?<id>[0-9]{1,20})\/(?<token>[A-Za-z0-9_-]{1,200})\/?(?:\?(?<query>[^#\s\\]*))?(?:#[^\s\\]*)?$/;
export function describeHosts(hosts: readonly string[]): string {
  return hosts === DEFAULT_WEBHOOK_HOSTS ? 'discord.com' : hosts.join(', ');
}

export function formatWebhookUrl({ host, id, token, query }: Webhook): string {
  return `https://${host}/api/webhooks/${id}/${token}?${new URLSearchParams(query).toString()}`;
}

const SCHEME_AND_HOST = /^[^/]*\/\/[^/]*/;

export function parseWebhookUrl(url: string, hosts: readonly string[]): Webhook | undefined {
  const normalizedUrl = url.replace(SCHEME_AND_HOST, (match) => match.toLowerCase());
  const { host, id, token, query: text } = WEBHOOK_URL_PATTERN.exec(normalizedUrl)?.groups ?? {};
  const query = parseQuery(text);
  if (!host || !id || !token || !hosts.includes(host) || !query) return undefined;
  return { host, id, token, query };
}

/** Discord's forms of a boolean. */
const BOOLEAN = /^(?:[Tt]rue|1|[Ff]alse|0)$/;
/** The parameters that Discord documents for sending and editing a message. */
const QUERY_PARAMETERS = new Map([
  ['wait', BOOLEAN],
  ['thread_id', /^[0-9]{1,20}$/],
  ['with_components', BOOLEAN],
]);

/** Returns undefined if a parameter is unknown, invalid or repeated. */
function parseQuery(text: string | undefined): Record<string, string> | undefined {
  const parameters = [...new URLSearchParams(text)];
  const isValid = parameters.every(([name, value]) => QUERY_PARAMETERS.get(name)?.test(value));
  const names = new Set(parameters.map(([name]) => name));
  if (!isValid || names.size < parameters.length) return undefined;
  // Only the response to `wait=true` has the message id.
  return Object.fromEntries(parameters.filter(([name]) => name !== 'wait'));
}

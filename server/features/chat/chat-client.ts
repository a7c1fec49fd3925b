import type { IncomingHttpHeaders } from 'node:http';
import type { OutboundClient } from '#server/platform/outbound/client.ts';
import {
  createPublicClient,
  type PublicClientOptions,
} from '#server/platform/outbound/public-client.ts';
import type { ChatMessage } from '#contract/chat-message.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Config } from '#server/platform/settings/config.ts';
import { parseJson } from '#server/platform/outbound/read-response.ts';

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
  { webhook, messageId, message }: ChatRequest,
  signal: AbortSignal,
): Promise<ChatResponse> {
  const { status, headers, text } = await client.call({
    method: messageId === undefined ? 'POST' : 'PATCH',
    url: `https://${webhook.host}${webhookPath(webhook, messageId)}`,
    headers: { 'user-agent': USER_AGENT },
    body: message,
    signal,
  });
  return { status, headers, body: parseJson(text) };
}

function webhookPath({ id, token, threadId }: Webhook, messageId: string | undefined): string {
  const message = messageId === undefined ? '' : `/messages/${messageId}`;
  const thread = threadId === undefined ? '' : `&thread_id=${threadId}`;
  return `/api/v10/webhooks/${id}/${token}${message}?wait=true${thread}`;
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
  threadId?: string;
}

const WEBHOOK_URL_PATTERN =
  /^https:\/\/(?<host>[a-z0-9.-]+(?::[0-9]{1,5})?)\/api(?:\/v[0-9]{1,2})?\/webhooks\/(?<id>[0-9]{1,20})\/(?<token>[A-Za-z0-9_-]{1,200})\/?(?:\?(?<query>[^#\s\\]*))?(?:#[^\s\\]*)?$/;
export function describeHosts(hosts: readonly string[]): string {
  return hosts === DEFAULT_WEBHOOK_HOSTS ? 'discord.com' : hosts.join(', ');
}

const SCHEME_AND_HOST = /^[^/]*\/\/[^/]*/;

export function parseWebhookUrl(url: string, hosts: readonly string[]): Webhook | undefined {
  const normalizedUrl = url.replace(SCHEME_AND_HOST, (match) => match.toLowerCase());
  const { host, id, token, query } = WEBHOOK_URL_PATTERN.exec(normalizedUrl)?.groups ?? {};
  if (!host || !id || !token || !hosts.includes(host)) return undefined;
  const threadId = new URLSearchParams(query).get('thread_id');
  return { host, id, token, ...(threadId && /^[0-9]{1,20}$/.test(threadId) && { threadId }) };
}

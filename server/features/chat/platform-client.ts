import type { IncomingHttpHeaders } from 'node:http';
import type { OutboundClient } from '#server/outbound/client.ts';
import { createPublicClient, type PublicClientOptions } from '#server/outbound/public-client.ts';
import type { ChatMessage } from '#contract/chat-message.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { parseJson } from '#server/outbound/read-response.ts';

const MAX_ANSWER_BYTES = 1_048_576;
/** The platform may block clients that send another form. */
const USER_AGENT = `DiscordBot (https://nameplate.example, ${packageJson.version})`;

export interface PlatformClientOptions extends Pick<PublicClientOptions, 'ca' | 'lookup'> {
  /** Hosts that may be called, each `host` or `host:port`. */
  hosts: readonly string[];
}

/** Connects only to the given hosts, at public addresses. */
export function createPlatformClient({ hosts, ca, lookup }: PlatformClientOptions): OutboundClient {
  const listed = new Set(hosts.map((host) => host.replace(/:443$/, '')));
  // A host that the operator listed may be this machine.
  const ownHosts = new Set(hosts.map(hostname).filter((name) => !isDefault(name)));
  return createPublicClient({
    maxAnswerBytes: MAX_ANSWER_BYTES,
    isListed: (host) => listed.has(host),
    isLoopbackAllowed: (name) => ownHosts.has(name),
    ca,
    lookup,
  });
}

function isDefault(name: string): boolean {
  return DEFAULT_WEBHOOK_HOSTS.includes(name);
}

function hostname(host: string): string {
  return host.replace(/:\d+$/, '');
}

export interface ChatRequest {
  webhook: Webhook;
  /** The message to edit; without it a new one is sent. */
  messageId?: string;
  message: ChatMessage;
}

export interface PlatformAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined if it is not JSON. */
  body: unknown;
}

/** Calls the platform; every failure is a `CallError`. */
export async function callPlatform(
  client: OutboundClient,
  { webhook, messageId, message }: ChatRequest,
  signal: AbortSignal,
): Promise<PlatformAnswer> {
  const { status, headers, text } = await client.call({
    method: messageId === undefined ? 'POST' : 'PATCH',
    url: `https://${webhook.host}${pathOf(webhook, messageId)}`,
    headers: { 'user-agent': USER_AGENT },
    body: message,
    signal,
  });
  return { status, headers, body: parseJson(text) };
}

function pathOf({ id, token, threadId }: Webhook, messageId: string | undefined): string {
  const message = messageId === undefined ? '' : `/messages/${messageId}`;
  const thread = threadId === undefined ? '' : `&thread_id=${threadId}`;
  return `/api/v10/webhooks/${id}/${token}${message}?wait=true${thread}`;
}

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

import type { IncomingHttpHeaders } from 'node:http';
import type { ChatMessage } from '../../../contract/chat-message.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { OutboundClient } from '../outbound/client.ts';
import { parseJson } from '../outbound/explain.ts';
import type { Webhook } from './webhook-url.ts';

/** The form that the platform asks of every client; others may be blocked. */
const USER_AGENT = `DiscordBot (https://nameplate.example, ${packageJson.version})`;

/** One request to the chat platform. */
export interface ChatRequest {
  webhook: Webhook;
  /** The message to edit; without it a new one is sent. */
  messageId?: string;
  message: ChatMessage;
}

/** Answer of the platform; the body is undefined unless it is JSON. */
export interface PlatformAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** Makes one call and reads its answer. Throws a `CallError` alone. */
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

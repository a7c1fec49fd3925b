import type { IncomingHttpHeaders } from 'node:http';
import type { Agent } from 'undici';
import type { ChatMessage } from '../../../contract/chat-message.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Webhook } from './webhook-url.ts';
import { codeOf, ConnectError } from './agent.ts';

/** The form that the platform asks of every client; others may be blocked. */
const USER_AGENT = `DiscordBot (https://nameplate.example, ${packageJson.version})`;

/** One request to the chat platform. */
export interface ChatRequest {
  webhook: Webhook;
  /** The message to edit; without it a new one is sent. */
  messageId?: string;
  message: ChatMessage;
}

/** What the platform answered; the body is undefined unless it is JSON. */
export interface PlatformAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** No whole answer came. Names what happened and nothing of the request. */
export class CallError extends Error {
  /** Whether the platform may have got the request all the same. */
  readonly mayHaveArrived: boolean;

  constructor(code: string, mayHaveArrived: boolean) {
    super(`the call of the chat platform failed: ${code}`);
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** Makes one call and reads its answer. Redirects are not followed. Throws a `CallError` alone. */
export async function callPlatform(
  agent: Agent,
  { webhook, messageId, message }: ChatRequest,
  signal: AbortSignal,
): Promise<PlatformAnswer> {
  try {
    const { statusCode, headers, body } = await agent.request({
      origin: `https://${webhook.host}`,
      path: pathOf(webhook, messageId),
      method: messageId === undefined ? 'POST' : 'PATCH',
      headers: {
        'user-agent': USER_AGENT,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify(message),
      signal,
    });
    return { status: statusCode, headers, body: parse(await body.text()) };
  } catch (error) {
    throw new CallError(codeOf(error), !(error instanceof ConnectError));
  }
}

function pathOf({ id, token, threadId }: Webhook, messageId: string | undefined): string {
  const message = messageId === undefined ? '' : `/messages/${messageId}`;
  const thread = threadId === undefined ? '' : `&thread_id=${threadId}`;
  return `/api/v10/webhooks/${id}/${token}${message}?wait=true${thread}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

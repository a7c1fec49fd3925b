import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { startHttpsServer } from './https-server.ts';
import { respondJson } from './listen.ts';

export interface FakeDiscordRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  text: string;
}

export type WebhookHandler = (
  response: ServerResponse,
  request: FakeDiscordRequest,
  attempt: number,
) => unknown;

export interface TestWebhook {
  url: string;
  id: string;
  /** Contains `canary`, so that tests can search logs and the database for leaked tokens. */
  token: string;
  /** Requests the platform received for this webhook. */
  requests: FakeDiscordRequest[];
}

/** An HTTPS server on loopback that accepts messages for webhooks. */
export interface FakeDiscord {
  /** `localhost:port`, an entry for CHAT_WEBHOOK_HOSTS. */
  host: string;
  /** CA certificate that clients must trust. */
  ca: string;
  /** Number of requests without a response yet. */
  inFlight: { now: number; peak: number };
  /** The default handler accepts every message. */
  addWebhook: (handler?: WebhookHandler) => TestWebhook;
  close: () => Promise<void>;
}

let webhookCount = 0;

/** Starts the server. Clients reject its certificate if the name is not `localhost`. */
export async function startFakeDiscord(certificateName = 'localhost'): Promise<FakeDiscord> {
  const webhooks = new Map<string, { handler: WebhookHandler; requests: FakeDiscordRequest[] }>();
  const inFlight = { now: 0, peak: 0 };
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const webhook = webhooks.get(/\/webhooks\/([0-9]+)\//.exec(url)?.[1] ?? '');
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (!webhook) return void response.writeHead(404).end();
    const received = { method, url, headers, text };
    webhook.requests.push(received);
    webhook.handler(response, received, webhook.requests.length);
  }
  const { host, ca, close } = await startHttpsServer((request, response) => {
    inFlight.now += 1;
    inFlight.peak = Math.max(inFlight.peak, inFlight.now);
    response.on('close', () => {
      inFlight.now -= 1;
    });
    void receive(request, response);
  }, certificateName);
  return {
    host,
    ca,
    close,
    inFlight,
    addWebhook: (handler = acceptMessage) => {
      webhookCount += 1;
      const id = String(10_000 + webhookCount);
      const token = `canary-token-${id}`;
      const requests: FakeDiscordRequest[] = [];
      webhooks.set(id, { handler, requests });
      return { url: `https://${host}/api/webhooks/${id}/${token}`, id, token, requests };
    },
  };
}

export function acceptMessage(
  response: ServerResponse,
  { url }: FakeDiscordRequest,
  attempt: number,
  headers: Record<string, string> = {},
): void {
  const id = /\/webhooks\/([0-9]+)\//.exec(url)?.[1] ?? '';
  respondJson(response, 200, { id: messageId({ id }, attempt), content: 'hi' }, headers);
}

/** The id of the message that a webhook's request number `attempt` created. */
export function messageId({ id }: { id: string }, attempt = 1): string {
  return `${id}000${attempt}`;
}

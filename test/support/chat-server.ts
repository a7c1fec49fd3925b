import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

/** A request as the chat platform got it. */
export interface ChatServerRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  text: string;
}

/** How a webhook answers. */
export type Behaviour = (
  response: ServerResponse,
  request: ChatServerRequest,
  attempt: number,
) => unknown;

/** A webhook of a test's own. */
export interface TestWebhook {
  url: string;
  id: string;
  /** A canary: it must appear nowhere but in the request to the platform. */
  token: string;
  /** Requests that reached the platform for this webhook. */
  requests: ChatServerRequest[];
}

/** A chat platform of our own over HTTPS on loopback. */
export interface ChatServer {
  /** `localhost:port`, as CHAT_WEBHOOK_HOSTS lists it. */
  host: string;
  /** The certificate that makes it trusted. */
  ca: string;
  /** How many requests are unanswered at the moment, and how many were at most. */
  inFlight: { now: number; peak: number };
  /** Makes a webhook; without a behaviour every message is accepted. */
  webhook: (behaviour?: Behaviour) => TestWebhook;
  close: () => Promise<void>;
}

let webhooks = 0;

/** Starts one; its certificate names `localhost` unless another name is given. */
export async function startChatServer(certificateName = 'localhost'): Promise<ChatServer> {
  const certificate = await generate([{ name: 'commonName', value: certificateName }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: certificateName }] },
    ],
  });
  const known = new Map<string, { behaviour: Behaviour; requests: ChatServerRequest[] }>();
  const inFlight = { now: 0, peak: 0 };
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const webhook = known.get(/\/webhooks\/([0-9]+)\//.exec(url)?.[1] ?? '');
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (!webhook) return void response.writeHead(404).end();
    const received = { method, url, headers, text };
    webhook.requests.push(received);
    webhook.behaviour(response, received, webhook.requests.length);
  }
  const server = createServer(
    { key: certificate.private, cert: certificate.cert },
    (request, response) => {
      inFlight.now += 1;
      inFlight.peak = Math.max(inFlight.peak, inFlight.now);
      response.on('close', () => {
        inFlight.now -= 1;
      });
      void receive(request, response);
    },
  );
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  return {
    host,
    ca: certificate.cert,
    inFlight,
    webhook: (behaviour = accept) => {
      webhooks += 1;
      const id = String(10_000 + webhooks);
      const token = `canary-token-${id}`;
      const requests: ChatServerRequest[] = [];
      known.set(id, { behaviour, requests });
      return { url: `https://${host}/api/webhooks/${id}/${token}`, id, token, requests };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers as the platform does when it has taken a message. */
export function accept(
  response: ServerResponse,
  { url }: ChatServerRequest,
  attempt: number,
  headers: Record<string, string> = {},
): void {
  const id = /\/webhooks\/([0-9]+)\//.exec(url)?.[1] ?? '';
  answer(response, 200, { id: messageId({ id }, attempt), content: 'hi' }, headers);
}

/** The id of the message that a webhook took with its first, or a later, request. */
export function messageId({ id }: { id: string }, attempt = 1): string {
  return `${id}000${attempt}`;
}

/** Answers with JSON. */
export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));
}

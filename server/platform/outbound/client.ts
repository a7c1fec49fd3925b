import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { CallError, errorCode, ConnectError } from './errors.ts';

const CONNECT_TIMEOUT_MS = 4_000;

export interface OutboundOptions {
  maxResponseBytes: number;
  /** Returns an error code for hosts that must not be connected to. */
  findBlockReason?: (target: { host: string; hostname: string }) => string | undefined;
  lookup?: LookupFunction;
  ca?: string | undefined;
}

interface OutboundCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: unknown;
  /** Sent unchanged instead of `body`. `headers` must contain its content type. */
  text?: string;
  /** Limits the whole call. Besides it, only connecting has a time limit. */
  signal: AbortSignal;
}

export interface OutboundResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  readonly text: string;
}

/** Calls third-party APIs over verified connections. Does not follow redirects. */
export interface OutboundClient {
  call: (call: OutboundCall) => Promise<OutboundResponse>;
  close: () => Promise<void>;
}

export function createOutboundClient(options: OutboundOptions): OutboundClient {
  // undici is loaded with the first call, because most servers make none.
  let agent: Promise<Agent> | undefined;
  return {
    call: async ({ method, url, headers, body: json, text, signal }) => {
      if (!URL.canParse(url)) throw new CallError('ERR_INVALID_URL', false);
      const { origin, pathname, search } = new URL(url);
      const content = text ?? (json === undefined ? undefined : JSON.stringify(json));
      try {
        agent ??= createAgent(options);
        const {
          statusCode,
          headers: responseHeaders,
          body,
        } = await (
          await agent
        ).request({
          origin,
          path: pathname + search,
          method,
          headers: {
            accept: 'application/json',
            ...(json !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(content !== undefined && { body: content }),
          signal,
        });
        const bytes = Buffer.from(await body.arrayBuffer());
        return {
          status: statusCode,
          headers: responseHeaders,
          bytes,
          get text() {
            return new TextDecoder().decode(bytes);
          },
        };
      } catch (error) {
        throw new CallError(errorCode(error), !(error instanceof ConnectError));
      }
    },
    close: async () => (await agent)?.destroy(),
  };
}

async function createAgent(options: OutboundOptions): Promise<Agent> {
  const { maxResponseBytes, findBlockReason, lookup, ca } = options;
  const { Agent, buildConnector } = await import('undici');
  const connect = buildConnector({
    allowH2: false,
    rejectUnauthorized: true,
    timeout: CONNECT_TIMEOUT_MS,
    ...(lookup && { lookup }),
    ...(ca !== undefined && { ca }),
  });
  return new Agent({
    allowH2: false,
    maxResponseSize: maxResponseBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) => {
      const { host = target.hostname, hostname } = target;
      const reason = findBlockReason?.({ host, hostname });
      if (reason !== undefined) return callback(new ConnectError(reason), null);
      connect(target, (error, socket) =>
        error ? callback(new ConnectError(errorCode(error)), null) : callback(null, socket),
      );
    },
  });
}

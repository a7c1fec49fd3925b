import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { CallError, codeOf, ConnectError } from './errors.ts';

const CONNECT_TIMEOUT_MS = 4_000;

export interface OutboundOptions {
  /** A longer answer ends the call. */
  maxAnswerBytes: number;
  /** Names what is wrong with a place that must not be connected to. */
  refuse?: (place: { host: string; hostname: string }) => string | undefined;
  /** Resolves host names; the system's resolver unless given. */
  lookup?: LookupFunction;
  /** Certificate authority to trust instead of the usual ones. */
  ca?: string | undefined;
}

interface OutboundCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON; undefined for none. */
  body?: unknown;
  /** Sent in its place as it is, with the type that `headers` say. */
  text?: string;
  /** The one time limit of the whole call. */
  signal: AbortSignal;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Calls strangers' JSON interfaces over verified connections; redirects are answers like any other. */
export interface OutboundClient {
  /** Throws a `CallError` alone. */
  call: (call: OutboundCall) => Promise<OutboundAnswer>;
  /** Breaks off the calls that are under way. */
  close: () => Promise<void>;
}

export function createOutboundClient(options: OutboundOptions): OutboundClient {
  // Loaded with the first call: most servers make none.
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
          headers: answered,
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
        return { status: statusCode, headers: answered, text: await body.text() };
      } catch (error) {
        throw new CallError(codeOf(error), !(error instanceof ConnectError));
      }
    },
    close: async () => (await agent)?.destroy(),
  };
}

async function createAgent(options: OutboundOptions): Promise<Agent> {
  const { maxAnswerBytes, refuse, lookup, ca } = options;
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
    maxResponseSize: maxAnswerBytes,
    // The whole call has one time limit, the caller's signal.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (place, callback) => {
      const { host = place.hostname, hostname } = place;
      const reason = refuse?.({ host, hostname });
      if (reason !== undefined) return callback(new ConnectError(reason), null);
      connect(place, (error, socket) =>
        error ? callback(new ConnectError(codeOf(error)), null) : callback(null, socket),
      );
    },
  });
}

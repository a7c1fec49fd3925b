import type { FastifyInstance, InjectOptions } from 'fastify';
import { expectErrorBody, expectErrorCode, expectStandardHeaders } from './every-answer.ts';

/** A request as it goes over the wire, well formed or not; GET unless it says otherwise. */
export interface Call {
  method?: string;
  path: string;
  key?: string | undefined;
  /** A value that is sent as JSON. */
  json?: unknown;
  /** Any bytes in its place, as JSON unless `headers` say otherwise. */
  payload?: string | Buffer | undefined;
  headers?: Record<string, string | string[]>;
  /** Where it comes from; from this machine if it is not said. */
  remoteAddress?: string;
}

/** An answer; the body is undefined if there is none, or it is no JSON. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
  body: unknown;
}

/** Calls an application in this process, and holds the answer to what every answer promises. */
export async function call(app: FastifyInstance, request: Call): Promise<Reply> {
  const { method = 'GET', path, key, json, headers, remoteAddress } = request;
  const payload = json === undefined ? request.payload : JSON.stringify(json);
  const answer = await app.inject({
    method,
    url: path,
    headers: {
      ...(key !== undefined && { 'x-api-key': key }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { payload }),
    ...(remoteAddress !== undefined && { remoteAddress }),
  } as InjectOptions);
  const type = String(answer.headers['content-type']);
  const isJson = answer.payload !== '' && /^application\/json\b/.test(type);
  const reply = {
    status: answer.statusCode,
    headers: Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
    ),
    text: answer.payload,
    body: isJson ? (JSON.parse(answer.payload) as unknown) : undefined,
  };
  const isFile = reply.status === 200 && 'content-disposition' in reply.headers;
  expectStandardHeaders(reply.headers, isFile ? type : undefined);
  if (reply.status >= 400) expectErrorCode(reply.status, reply.headers['x-error-code']);
  if (reply.status >= 400 && method !== 'HEAD') expectErrorBody(reply.body);
  return reply;
}

/** Calls an endpoint, written `METHOD /path`, for an account. */
export function send(
  { app }: { app: FastifyInstance },
  { key }: { key: string },
  endpoint: `${'GET' | 'POST' | 'PATCH'} /${string}`,
  json?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const [method, path] = endpoint.split(' ') as [string, string];
  return call(app, { method, path, key, json, headers });
}

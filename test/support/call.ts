import type { FastifyInstance, InjectOptions } from 'fastify';
import {
  expectErrorBody,
  expectErrorCode,
  expectStandardHeaders,
} from './response-expectations.ts';

/** A request, valid or not. `method` defaults to GET. */
export interface TestRequest {
  method?: string;
  path: string;
  key?: string | undefined;
  /** Body to serialize as JSON. */
  json?: unknown;
  /** Raw body, used if `json` is undefined. The content type is JSON unless `headers` set another. */
  payload?: string | Buffer | undefined;
  headers?: Record<string, string | string[]>;
  /** Client IP address. Defaults to loopback. */
  remoteAddress?: string;
}

/** `body` is undefined if the response has no JSON body. */
export interface TestResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  body: unknown;
}

/** Sends a request to an in-process app, and checks the response's standard headers and error format. */
export async function call(app: FastifyInstance, request: TestRequest): Promise<TestResponse> {
  const { method = 'GET', path, key, json, headers, remoteAddress } = request;
  const payload = json === undefined ? request.payload : JSON.stringify(json);
  const response = await app.inject({
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
  const type = String(response.headers['content-type']);
  const isJson = response.payload !== '' && /^application\/json\b/.test(type);
  const result = {
    status: response.statusCode,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    ),
    text: response.payload,
    body: isJson ? (JSON.parse(response.payload) as unknown) : undefined,
  };
  const isFile = result.status === 200 && 'content-disposition' in result.headers;
  expectStandardHeaders(result.headers, isFile ? type : undefined);
  if (result.status >= 400) expectErrorCode(result.status, result.headers);
  if (result.status >= 400 && method !== 'HEAD') expectErrorBody(result.body);
  return result;
}

/** Calls an endpoint, such as `POST /path`, with an account's API key. */
export function send(
  { app }: { app: FastifyInstance },
  { key }: { key: string },
  endpoint: `${'GET' | 'POST' | 'PATCH'} /${string}`,
  json?: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const [method, path] = endpoint.split(' ') as [string, string];
  return call(app, { method, path, key, json, headers });
}

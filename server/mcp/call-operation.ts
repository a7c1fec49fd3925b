import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Route } from '#contract/define-endpoints.ts';
import { ERROR_CODE, ERROR_FIELD } from '../http/answers/headers.ts';

/** Headers of a request that say who sends it and from where; its operation gets them, too. */
const PASSED_ON = new Set([
  'authorization',
  'forwarded',
  'host',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-api-key',
  'x-request-id',
]);

/** Answer of an operation: its status, and what it says in JSON. */
export interface OperationAnswer {
  status: number;
  /** The name of the error, if it is one. */
  code: string | undefined;
  /** The path of the field that the error is about, if it is about one. */
  field: string | undefined;
  /** How many seconds to wait before a repeat, where that is known. */
  retryAfter: number | undefined;
  text: string;
}

/**
 * Runs an operation as the HTTP request that it is, within this process, so that key, scope, limits,
 * idempotency and events are those of every request. `sender` is the request that asked for it.
 */
export async function callOperation(
  app: FastifyInstance,
  sender: FastifyRequest,
  { method, path }: Pick<Route, 'method' | 'path'>,
  { idempotencyKey, ...fields }: Record<string, unknown> = {},
): Promise<OperationAnswer> {
  const isQuery = method === 'GET';
  const passedOn = Object.entries(sender.headers).filter(
    ([name]) => PASSED_ON.has(name) || name.startsWith('x-forwarded-'),
  );
  const { remoteAddress } = sender.socket;
  const { statusCode, headers, payload } = await app.inject({
    method: method as 'GET',
    url: isQuery ? `${path}${search(fields)}` : path,
    headers: {
      ...Object.fromEntries(passedOn),
      ...(!isQuery && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': written(idempotencyKey) }),
    },
    ...(!isQuery && { payload: JSON.stringify(fields) }),
    ...(remoteAddress !== undefined && { remoteAddress }),
  });
  const wait = headers['retry-after'];
  const field = headers[ERROR_FIELD];
  return {
    status: statusCode,
    code: headers[ERROR_CODE]?.toString(),
    field: field === undefined ? undefined : decodeURIComponent(field.toString()),
    retryAfter: wait === undefined ? undefined : Number(wait),
    text: payload,
  };
}

/** The result of a tool: the answer in JSON, or the error with its name. */
export function resultOf({
  status,
  code,
  field,
  retryAfter,
  text,
}: OperationAnswer): CallToolResult {
  const answer = JSON.parse(text) as Record<string, unknown>;
  if (status === 200) return { content: [{ type: 'text', text }], structuredContent: answer };
  const error = JSON.stringify({ ...answer, code, field, status, retry_after_seconds: retryAfter });
  return { isError: true, content: [{ type: 'text', text: error }] };
}

function search(fields: Record<string, unknown>): string {
  const entries = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    written(value),
  ]);
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`;
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { call, type Call, type Reply } from './call.ts';

/** Sends a request, well formed or not, and holds the answer to what every answer promises. */
export async function checkedCall(app: FastifyInstance, request: Call): Promise<Reply> {
  const reply = await call(app, request);
  expectStandardHeaders(reply.headers);
  if (reply.status >= 400 && request.method !== 'HEAD') expectErrorBody(reply.body);
  return reply;
}

/** Posts a value as JSON, or no body, and returns what most tests ask for. */
export async function post(
  app: FastifyInstance,
  { json, ...request }: Omit<Call, 'payload'> & { json?: unknown },
): Promise<{ status: number; body: unknown }> {
  const payload = json === undefined ? undefined : JSON.stringify(json);
  const { status, body } = await checkedCall(app, { method: 'POST', ...request, payload });
  return { status, body };
}

/** The headers of every answer. */
export function expectStandardHeaders(headers: Reply['headers']): void {
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[A-Za-z0-9_-]{1,128}$/),
  });
}

const INSIDES =
  /\bat \S+ \(|\.ts\b|node_modules|\b(?:SELECT|INSERT INTO|DELETE FROM|duplicate key|relation|syntax error)\b|\bnp_[A-Za-z0-9]|SQLSTATE/;

/** One sentence, and nothing of the insides. */
export function expectErrorBody(body: unknown): void {
  expect(body).toEqual({ error: expect.stringMatching(/\S/) });
  const { error } = body as { error: string };
  expect(error).not.toMatch(INSIDES);
  expect(error).not.toContain(process.cwd());
}

import { expect } from 'vitest';
import { listErrors } from '#server/entry/api/docs/list-errors.ts';

const STANDARD_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

export function expectStandardHeaders(
  headers: Record<string, string>,
  contentType = 'application/json; charset=utf-8',
): void {
  // Compare first: `expect` is slow, and tests check tens of thousands of responses.
  const expected = { ...STANDARD_HEADERS, 'content-type': contentType };
  for (const [name, value] of Object.entries(expected))
    if (headers[name] !== value) expect(headers).toMatchObject(expected);
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(headers['x-request-id'] ?? ''))
    expect.fail(`x-request-id is ${headers['x-request-id']}`);
}

const INTERNALS =
  /\bat \S+ \(|\.ts\b|node_modules|\b(?:SELECT|INSERT INTO|DELETE FROM|duplicate key|relation|syntax error)\b|\bnp_[A-Za-z0-9]|SQLSTATE/;

/** Expects an error message that reveals no SQL, stack traces or other internals. */
export function expectErrorBody(body: unknown): void {
  const { jsonrpc, ...plain } = (body ?? {}) as { jsonrpc?: string; error?: unknown };
  if (jsonrpc !== undefined) {
    const {
      error: rpcError,
      id: _id,
      ...others
    } = plain as { error: { message: string }; id: unknown };
    return expectErrorBody({ error: rpcError.message, ...others });
  }
  const { error, ...rest } = plain;
  if (typeof error !== 'string' || !/\S/.test(error) || Object.keys(rest).length > 0)
    expect.fail(`this error body is not valid: ${JSON.stringify(body)}`);
  if (INTERNALS.test(error) || error.includes(process.cwd()))
    expect.fail(`an error message reveals internals: ${error}`);
}

/** Status and code of every error at /docs/errors, such as `404 pathNotFound`. */
export const DOCUMENTED_ERRORS = new Set(
  listErrors().map(({ status, code }) => `${status} ${code}`),
);

export function expectErrorCode(status: number, headers: Record<string, string>): void {
  const { 'x-error-code': code, link } = headers;
  if (!link?.endsWith(`/docs/errors#${code}>; rel="help"`))
    expect.fail(`the link of ${status} ${code} is ${link}`);
  if (!DOCUMENTED_ERRORS.has(`${status} ${code}`))
    expect.fail(`/docs/errors does not list ${status} ${code}`);
}

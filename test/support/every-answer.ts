import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** The headers of every answer; of a file with the type that it has. */
export function expectStandardHeaders(
  headers: Record<string, string>,
  type = 'application/json; charset=utf-8',
): void {
  expect(headers).toMatchObject({
    'content-type': type,
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

/** Status and name of every error in docs/errors.md. */
export const LISTED_ERRORS = new Set(
  Array.from(
    readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8').matchAll(
      /^- \*\*(\d{3})\*\* `(\w+)`/gm,
    ),
    ([, status, code]) => `${status} ${code}`,
  ),
);

/** A name that docs/errors.md has for the status. */
export function expectErrorCode(status: number, code: string | undefined): void {
  expect(LISTED_ERRORS).toContain(`${status} ${code}`);
}

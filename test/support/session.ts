import { createLoginLink } from '#server/features/sessions/login-link.ts';
import { call, type TestResponse } from './call.ts';
import type { TestApp } from './test-app.ts';

export const SAME_ORIGIN_HEADERS = { 'sec-fetch-site': 'same-origin' };

export async function createLoginLinkToken({ db }: TestApp, accountId: string): Promise<string> {
  return (await createLoginLink(db, accountId, '')).split('#')[1]!;
}

/** Logs in with credentials, such as `{ login_url }` or `{ api_key }`. */
export function createSession(
  { app }: TestApp,
  json: unknown,
  headers: Record<string, string> = SAME_ORIGIN_HEADERS,
): Promise<TestResponse> {
  return call(app, { method: 'POST', path: '/owner/sessions/create-session', json, headers });
}

/** Logs in with a link, and returns the headers for requests with the session. */
export async function logIn(server: TestApp, accountId: string): Promise<Record<string, string>> {
  const link = await createLoginLinkToken(server, accountId);
  return sessionHeaders(await createSession(server, { login_url: link }));
}

export function sessionHeaders({ headers }: TestResponse): Record<string, string> {
  return { ...SAME_ORIGIN_HEADERS, cookie: cookieHeader(headers) };
}

export function cookieHeader(headers: Record<string, string>): string {
  return headers['set-cookie']!.split(';')[0]!;
}

/** Sends a POST request like a page of the server, with the cookie of `headers`, if any. */
export function postFromPage(
  { app }: Pick<TestApp, 'app'>,
  path: string,
  json?: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return call(app, { method: 'POST', path, json, headers: { ...SAME_ORIGIN_HEADERS, ...headers } });
}

interface FormOptions {
  headers?: Record<string, string> | undefined;
  remoteAddress?: string | undefined;
}

/** Submits a form like a page of the server. */
export function postForm(
  { app }: Pick<TestApp, 'app'>,
  url: string,
  fields: Record<string, string> | string,
  { headers = SAME_ORIGIN_HEADERS, remoteAddress = '127.0.0.1' }: FormOptions = {},
) {
  return app.inject({
    method: 'POST',
    url,
    payload: typeof fields === 'string' ? fields : String(new URLSearchParams(fields)),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    remoteAddress,
  });
}

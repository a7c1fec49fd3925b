import { createLoginLink } from '#server/features/sessions/login-link.ts';
import { call, type Reply } from './call.ts';
import type { TestApp } from './test-app.ts';

/** Headers that a browser sends from a page of the server itself. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

/** The token of a new login link of an account. */
export async function linkOf({ database }: TestApp, accountId: string): Promise<string> {
  return (await createLoginLink(database.db, accountId, '')).split('#')[1]!;
}

/** Sends a proof to log in with, as a page of the server does it. */
export function createSession(
  { app }: TestApp,
  json: unknown,
  headers: Record<string, string> = OWN_PAGE,
): Promise<Reply> {
  return call(app, { method: 'POST', path: '/owner/session/create-session', json, headers });
}

/** Logs an account in and returns the headers that a page of the server then sends. */
export async function logIn(server: TestApp, accountId: string): Promise<Record<string, string>> {
  const { headers } = await createSession(server, { link: await linkOf(server, accountId) });
  return { ...OWN_PAGE, cookie: cookieOf(headers) };
}

/** The cookie that an answer gives, as it is sent back. */
export function cookieOf(headers: Record<string, string>): string {
  return headers['set-cookie']!.split(';')[0]!;
}

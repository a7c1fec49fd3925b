import type { TestApp } from './test-app.ts';

/** An answer as a caller sees it. */
export interface Answered {
  status: number;
  body: unknown;
  headers: Record<string, unknown>;
}

/** Calls an endpoint, written `METHOD /path`, of an application in this process. */
export async function send(
  { app }: Pick<TestApp, 'app'>,
  account: { key: string },
  endpoint: `${'GET' | 'POST'} /${string}`,
  payload?: object,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const [method, url] = endpoint.split(' ') as ['GET' | 'POST', string];
  const answer = await app.inject({
    method,
    url,
    headers: { 'x-api-key': account.key, ...headers },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.json<unknown>(), headers: answer.headers };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { insertTestAccount } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

/** Paths that a user's browser and API client request at about the same time. */
const PATHS = [
  '/',
  '/examples/paper-en.webp',
  '/examples/ember-en.webp',
  '/examples/daylight-en.webp',
  '/@jane-doe',
  '/dashboard/',
  '/dashboard/login',
  '/account/get-display-name',
  '/site/get-site-status',
  '/openapi.json',
];

it('a user gets every response from a server that was paused', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const { db, close } = connectPostgresDatabase(DATABASE_URL);
  onTestFinished(close);
  const { key } = await insertTestAccount(db);
  const server = await startServer({ DATABASE_URL });
  const headers = { 'x-api-key': key };
  const post = async (path: string, body: object) =>
    (
      await fetch(server.url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status;
  expect(await post('/account/update-display-name', { display_name: 'jane-doe' })).toBe(200);
  expect(await post('/site/toggle-site-visibility', {})).toBe(200);
  for (const pauseMs of [300, 700, 1_500]) {
    const responses = await sendWhilePaused(server, pauseMs, () =>
      PATHS.map(async (path) => [path, (await fetch(server.url + path, { headers })).status]),
    );
    expect([pauseMs, responses]).toEqual([pauseMs, PATHS.map((path) => [path, 200])]);
  }
});

/** Pauses the server process, sends requests, and resumes the process after `pauseMs`. */
async function sendWhilePaused<Result>(
  { pid }: ServerProcess,
  pauseMs: number,
  send: () => Promise<Result>[],
): Promise<Result[]> {
  process.kill(pid, 'SIGSTOP');
  const responses = Promise.all(send());
  await sleep(pauseMs);
  process.kill(pid, 'SIGCONT');
  return responses;
}

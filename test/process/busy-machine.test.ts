import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { insertTestAccount } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

/** Requests that a user's browser and program send at about the same time. */
const PATHS = [
  '/',
  '/examples/paper.webp',
  '/examples/ember.webp',
  '/examples/daylight.webp',
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
  const write = async (path: string, body: object) =>
    (
      await fetch(server.url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status;
  expect(await write('/account/update-display-name', { display_name: 'jane-doe' })).toBe(200);
  expect(await write('/site/toggle-site-visibility', {})).toBe(200);
  for (const milliseconds of [300, 700, 1_500]) {
    const responses = await whilePaused(server, milliseconds, () =>
      PATHS.map(async (path) => [path, (await fetch(server.url + path, { headers })).status]),
    );
    expect([milliseconds, responses]).toEqual([milliseconds, PATHS.map((path) => [path, 200])]);
  }
});

/** Sends requests while the process is stopped. */
async function whilePaused<Answer>(
  { pid }: ServerProcess,
  milliseconds: number,
  send: () => Promise<Answer>[],
): Promise<Answer[]> {
  process.kill(pid, 'SIGSTOP');
  const responses = Promise.all(send());
  await sleep(milliseconds);
  process.kill(pid, 'SIGCONT');
  return responses;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { fetchJson, startServerWithAccount } from '../support/server-process.ts';

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
  const { server, key } = await startServerWithAccount();
  const headers = { 'x-api-key': key };
  for (const [path, json] of [
    ['/account/update-display-name', { display_name: 'jane-doe' }],
    ['/site/toggle-site-visibility', {}],
  ] as const)
    expect(await fetchJson(server.url + path, { key, method: 'POST', json })).toMatchObject({
      status: 200,
    });
  for (const pauseMs of [300, 700, 1_500]) {
    process.kill(server.pid, 'SIGSTOP');
    const responses = PATHS.map(async (path) => [
      path,
      (await fetch(server.url + path, { headers })).status,
    ]);
    await sleep(pauseMs);
    process.kill(server.pid, 'SIGCONT');
    expect([pauseMs, await Promise.all(responses)]).toEqual([
      pauseMs,
      PATHS.map((path) => [path, 200]),
    ]);
  }
});

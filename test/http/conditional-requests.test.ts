import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { useServer } from '../support/use-server.ts';

let origin: string;
const { server } = useServer();
beforeAll(async () => {
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
  const { client } = await server.createAccount();
  await client.account.updateDisplayName({ display_name: 'jane' });
  await client.site.toggleSiteVisibility();
});

it.each(['GET', 'HEAD'])('%s with fetch gets a 304 for a cached page', async (method) => {
  const url = `${origin}/@jane`;
  const tag = (await fetch(url)).headers.get('etag')!;
  const read = (ifNoneMatch: string) =>
    fetch(url, { method, headers: { 'if-none-match': ifNoneMatch, 'cache-control': 'no-cache' } });
  for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*'])
    expect([known, (await read(known)).status]).toEqual([known, 304]);
  for (const other of ['"other"', 'W/"other"', '']) expect((await read(other)).status).toBe(200);
});

it('/favicon.ico exists', async () => {
  const answer = await fetch(`${origin}/favicon.ico`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('image/svg+xml');
  expect(await answer.text()).toMatch(/^<svg /);
});

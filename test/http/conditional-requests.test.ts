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
  const etag = (await fetch(url)).headers.get('etag')!;
  const requestPage = (ifNoneMatch: string) =>
    fetch(url, { method, headers: { 'if-none-match': ifNoneMatch, 'cache-control': 'no-cache' } });
  for (const header of [etag, etag.slice(2), `"other", ${etag}`, '*'])
    expect([header, (await requestPage(header)).status]).toEqual([header, 304]);
  for (const header of ['"other"', 'W/"other"', ''])
    expect((await requestPage(header)).status).toBe(200);
});

it('GET /favicon.ico returns an SVG icon', async () => {
  const response = await fetch(`${origin}/favicon.ico`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/svg+xml');
  expect(await response.text()).toMatch(/^<svg /);
});

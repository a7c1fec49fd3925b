import { hash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { qrPng } from '#page/files/qr-png.ts';
import { createPage } from '../support/publish-page.ts';
import { postForm } from '../support/session.ts';
import { useServer } from '../support/use-server.ts';
import { renderPage, renderSharePage } from './support/site.ts';

const { server } = useServer();

it('the share page has one script of less than 500 bytes, whose hash its policy allows, and the page has none', async () => {
  const { name } = await createPage(server, { bio: 'Potter' });
  const { headers, payload } = await server.app.inject({ url: `/@${name}/share` });
  const [script = '', ...others] = [...payload.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, text]) => text!,
  );
  expect(others).toEqual([]);
  expect(Buffer.byteLength(script)).toBeLessThan(500);
  const source = `'sha256-${hash('sha256', script, 'base64')}'`;
  expect(headers['content-security-policy']).toContain(`script-src ${source};`);
  expect(headers['x-robots-tag']).toBe('noindex');
  const page = await server.app.inject({ url: `/@${name}` });
  expect(page.headers['content-security-policy']).not.toContain('script-src');
  expect(page.payload).toContain(`href="/@${name}/share" rel="nofollow"`);
});

it('the share page leads to the Mastodon server that a visitor names, only after its own form', async () => {
  const { name } = await createPage(server, { bio: 'Potter' });
  const send = (text: string) => postForm(server, `/@${name}/share`, { server: text });
  const page = new URL(`/@${name}`, server.nameplate.pagesOrigin()).href;
  for (const text of ['mastodon.social', 'https://Mastodon.social/home', '@jane@mastodon.social'])
    expect((await send(text)).headers.location).toBe(
      `https://mastodon.social/share?text=${encodeURIComponent(page)}`,
    );
  for (const text of ['', 'localhost', 'a b.example', 'evil.example:80', '-.example'])
    expect((await send(text)).headers.location).toBe(`/@${name}/share#mastodon`);
  const { statusCode, headers } = await server.app.inject({
    url: `/@${name}/share?server=evil.example`,
  });
  expect([statusCode, headers.location]).toEqual([200, undefined]);
});

it('the share page shows initials if there is no picture, and no picture if the owner wants none', () => {
  expect(renderSharePage({ display_name: 'Jane Doe' }).html).toMatch(/class="face"[^]*>JD</);
  const link = renderPage({})
    .findAll('link')
    .find(({ attrs }) => attrs.some(({ value }) => value === 'expect'));
  expect(link!.attrs).toContainEqual({ name: 'href', value: '#end' });
});

it('the QR code as PNG has a pixel for each module, in the size of a print', () => {
  const png = qrPng('https://example.org/@jane-doe');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  const width = png.readUInt32BE(16);
  expect(width).toBeGreaterThan(700);
  const length = png.readUInt32BE(33);
  const rows = inflateSync(png.subarray(41, 41 + length));
  expect(rows.length).toBe(width * (width / 8 + 1));
});

import { beforeAll, describe, expect, it } from 'vitest';
import { logIn } from '../support/session.ts';
import { useServer } from '../support/use-server.ts';

let headers: Record<string, string>;
const { server, account } = useServer({ account: true });
beforeAll(async () => {
  await account.client.account.updateDisplayName({ display_name: 'jane-doe' });
  await account.client.site.updateSiteConfiguration({ bio: 'Potter in Lisbon.' });
  headers = { ...(await logIn(server, account.id)), 'content-type': 'text/plain' };
});

/** Submits the dashboard's preview form. */
function preview(site: unknown, other: Record<string, string | undefined> = {}) {
  const payload = `site=${typeof site === 'string' ? site : JSON.stringify(site)}\r\n`;
  const sent = Object.entries({ ...headers, ...other }).filter(([, value]) => value !== undefined);
  return server.app.inject({
    method: 'POST',
    url: '/dashboard/preview',
    headers: Object.fromEntries(sent) as Record<string, string>,
    payload,
  });
}

const bodyOf = (html: string) =>
  html.slice(html.indexOf('<body')).replace(/ data-block="[^"]*"/, '');

describe('the preview of the dashboard', () => {
  it('is the page after the change, with links that open in a new tab', async () => {
    const change = { bio: 'Baker in Porto.\n"<b>"', blocks: [] };
    const { statusCode, payload } = await preview(change);
    const answer = await server.app.inject({
      method: 'POST',
      url: '/owner/page/preview',
      headers: { 'x-api-key': account.key },
      payload: change,
    });
    const { html } = answer.json<{ html: string }>();
    expect(statusCode).toBe(200);
    expect(payload).toContain('Baker in Porto.');
    expect(payload).toContain('<head>\n<meta charset="utf-8" />');
    expect(payload).toContain('<base target="_blank" />');
    expect(html).not.toContain('<base');
    // The preview is not printed, so it has no QR code for print.
    const printed = /\n<div class="print">[^]*?<\/div>\n/;
    expect(html).toMatch(printed);
    // Frames without scripts load lazy images immediately, so the share menu has no QR code.
    const code = /<a href="[^"]*qr\.svg"[^]*?<\/a>/;
    expect(html).toMatch(code);
    expect(bodyOf(payload)).toBe(bodyOf(html.replace(printed, '\n\n').replace(code, '')));
    const { bio } = (await account.client.site.getSiteConfiguration()).site;
    expect(bio).toBe('Potter in Lisbon.');
  });

  it('marks each element with its block, which the page itself does not', async () => {
    const id = '00000000-0000-4000-8000-000000000007';
    const link = { id, type: 'link', url: 'https://example.com', title: 'Shop' };
    const text = { id: `${id.slice(0, -1)}8`, type: 'heading', content: 'About' };
    const { payload } = await preview({ blocks: [link, text] });
    const marks = [...payload.matchAll(/<(\w+)[^>]* data-block="([^"]+)"/g)];
    expect(marks.map(([, name, marked]) => [name, marked])).toEqual([
      ['header', 'profile'],
      ['li', id],
      ['h2', text.id],
    ]);
    const answer = await server.app.inject({
      method: 'POST',
      url: '/owner/page/preview',
      headers: { 'x-api-key': account.key },
      payload: { blocks: [link, text] },
    });
    expect(answer.json<{ html: string }>().html).not.toContain('data-block');
  });

  it('can be framed only by the dashboard, and runs no scripts', async () => {
    const { headers: got } = await preview({});
    expect(got).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
    });
    expect(String(got['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      expect.stringMatching(/^style-src 'sha256-[^']+'$/),
      "img-src 'self' https: data:",
      "font-src 'self'",
      'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
      "frame-ancestors 'self'",
    ]);
  });

  it.each([
    ['a field that is not valid', { bio: 1 }, {}, 400, 'bio must be a string'],
    [
      'a block that is not valid',
      { blocks: [{ type: 'link' }] },
      {},
      400,
      'blocks.0.url is required',
    ],
    ['what is no JSON', '{', {}, 400, 'The request body is not valid JSON.'],
    [
      'a form of another kind',
      {},
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      '',
    ],
    ['nobody who is logged in', {}, { cookie: undefined }, 401, 'is required'],
    ['another site', {}, { 'sec-fetch-site': 'cross-site' }, 403, 'did not come from a page'],
  ] as const)(
    'shows an error for %s inside the frame',
    async (_title, site, other, status, sentence) => {
      const { statusCode, headers: got, payload } = await preview(site, other);
      expect(statusCode).toBe(status);
      expect(payload).toContain('<h1>');
      expect(payload).toContain(sentence);
      expect(got['content-security-policy']).toContain("frame-ancestors 'self'");
    },
  );

  it('accepts no more than the API', async () => {
    const { statusCode } = await preview({ bio: 'x'.repeat(1_048_576) });
    expect(statusCode).toBe(413);
  });

  it('accepts only POST', async () => {
    const { statusCode, headers: got } = await server.app.inject({ url: '/dashboard/preview' });
    expect([statusCode, got.allow]).toEqual([405, 'POST']);
  });
});

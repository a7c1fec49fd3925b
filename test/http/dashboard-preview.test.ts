import { beforeAll, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { createOperator } from '../support/endpoints.ts';
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
function requestPreview(site: unknown, overrides: Record<string, string | undefined> = {}) {
  const payload = `site=${typeof site === 'string' ? site : JSON.stringify(site)}\r\n`;
  const requestHeaders = Object.entries({ ...headers, ...overrides }).filter(
    ([, value]) => value !== undefined,
  );
  return server.app.inject({
    method: 'POST',
    url: '/dashboard/preview',
    headers: Object.fromEntries(requestHeaders) as Record<string, string>,
    payload,
  });
}

/** Renders the same preview with the owner API. */
async function renderPreview(change: object): Promise<string> {
  const { body } = await send(server, account, 'POST /owner/page/preview-page', change);
  return (body as { html: string }).html;
}

it("the dashboard's preview shows the page with unsaved changes, and its links open in a new tab", async () => {
  const change = { bio: 'Baker in Porto.\n"<b>"', blocks: [] };
  const { statusCode, headers: responseHeaders, payload } = await requestPreview(change);
  const html = await renderPreview(change);
  expect([statusCode, responseHeaders['x-robots-tag']]).toEqual([200, 'noindex']);
  expect(payload).toContain('Baker in Porto.');
  expect(payload).toContain('<head><meta charset="utf-8" />');
  expect(payload).toContain('<base target="_blank" />');
  expect(html).not.toContain('<base');
  // The preview leaves out the QR code that is only printed.
  const printQrCode = /<div class="print">[^]*?<\/div>/;
  expect(html).toMatch(printQrCode);
  const compact = (text: string) =>
    text
      .slice(text.indexOf('<body'))
      .replace(/ data-block="[^"]*"/, '')
      .replaceAll(/\s/g, '');
  expect(compact(payload)).toBe(compact(html.replace(printQrCode, '')));
  const { bio } = (await account.client.site.getSiteConfiguration()).site;
  expect(bio).toBe('Potter in Lisbon.');
});

it("the dashboard's preview marks each element with its block id, and the public page does not", async () => {
  const id = '00000000-0000-4000-8000-000000000007';
  const link = { id, type: 'link', url: 'https://example.com', title: 'Shop' };
  const text = { id: `${id.slice(0, -1)}8`, type: 'heading', content: 'About' };
  const { payload } = await requestPreview({ blocks: [link, text] });
  const matches = [...payload.matchAll(/<(\w+)[^>]* data-block="([^"]+)"/g)];
  expect(matches.map(([, name, block]) => [name, block])).toEqual([
    ['header', 'profile'],
    ['li', id],
    ['h2', text.id],
  ]);
  expect(await renderPreview({ blocks: [link, text] })).not.toContain('data-block');
});

it.each([
  ['an invalid field', { bio: 1 }, {}, 400, 'bio must be a string'],
  ['an invalid block', { blocks: [{ type: 'link' }] }, {}, 400, 'blocks.0.url is required'],
  [
    'invalid JSON',
    '{',
    {},
    400,
    'is not valid JSON: Expected property name or &#39;}&#39; (line 2 column 1).',
  ],
  ['another form encoding', {}, { 'content-type': 'application/x-www-form-urlencoded' }, 415, ''],
  ['a request without a session', {}, { cookie: undefined }, 401, 'is required'],
  ['another site', {}, { 'sec-fetch-site': 'cross-site' }, 403, 'did not come from a page'],
] as const)(
  "the dashboard's preview shows an error for %s inside the frame",
  async (_title, site, overrides, status, message) => {
    const { statusCode, headers: responseHeaders, payload } = await requestPreview(site, overrides);
    expect(statusCode).toBe(status);
    expect(payload).toContain('<h1>');
    expect(payload).toContain(message);
    expect(responseHeaders['content-security-policy']).toContain("frame-ancestors 'self'");
  },
);

it("the dashboard's preview returns 413 for a body over the size limit of the API", async () => {
  const { statusCode } = await requestPreview({ bio: 'x'.repeat(1_048_576) });
  expect(statusCode).toBe(413);
});

it('a hidden page is shown to operators as long as they hide it and its owner publishes it', async () => {
  const operator = await createOperator(server);
  await account.client.site.toggleSiteVisibility();
  const view = async (viewer: string, id = account.id) => {
    const { statusCode, payload } = await server.app.inject({
      url: `/dashboard/hidden-page?account_id=${id}`,
      headers: await logIn(server, viewer),
    });
    return [statusCode, payload.includes('Potter in Lisbon.')];
  };
  const change = async (path: string, body: object) => {
    const { statusCode } = await server.app.inject({
      method: 'POST',
      url: `/owner/${path}`,
      headers: await logIn(server, operator.id),
      payload: { account_id: account.id, ...body },
    });
    expect(statusCode).toBe(200);
  };
  expect(await view(operator.id)).toEqual([404, false]);
  for (const page_only of [true, false]) {
    await change('members/suspend-member', { reason: 'Spam', page_only });
    expect(await view(operator.id)).toEqual([200, true]);
    await change('members/resume-member', {});
  }
  await change('members/suspend-member', { reason: 'Spam', page_only: true });
  expect(await view(account.id)).toEqual([404, false]);
  expect(await view(operator.id, 'x')).toEqual([400, false]);
  await account.owner.page.updatePageVisibility({ visible: false });
  expect(await view(operator.id)).toEqual([404, false]);
});

it('the preview of the front page is for operators, and saves nothing', async () => {
  const operator = await createOperator(server);
  const preview = async (viewer: string, change: object) => {
    const { statusCode, payload } = await server.app.inject({
      method: 'POST',
      url: '/dashboard/front-page',
      headers: { ...(await logIn(server, viewer)), 'content-type': 'text/plain' },
      payload: `instance=${JSON.stringify(change)}\r\n`,
    });
    return [statusCode, payload.includes('<span>Skerry &lt;Sailing&gt; Club</span></h1>')];
  };
  const change = { name: 'Skerry <Sailing> Club', color: '#4F9BD6' };
  expect(await preview(operator.id, change)).toEqual([200, true]);
  expect(await preview(operator.id, {})).toEqual([200, false]);
  expect(await preview(operator.id, { color: 'blue' })).toEqual([400, false]);
  expect(await preview(account.id, change)).toEqual([404, false]);
});

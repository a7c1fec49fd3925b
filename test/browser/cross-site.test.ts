import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLoginLinkToken } from '../support/session.ts';
import { useServer } from '../support/use-server.ts';
import { sharedChromium } from './support/chromium.ts';

const TOGGLE = '/site/toggle-site-visibility';
const LOGIN = '/owner/session/create-session';

let base: string;
let otherServer: Server;
let browser: Browser;
let page: Page;

const { server, account: victim } = useServer({ account: true });
beforeAll(async () => {
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  otherServer = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>x</title>');
  });
  await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve));
  browser = await sharedChromium();
  page = await browser.newPage();
  // This page may send requests to its own server.
  await page.goto(`${base}/dashboard/`);
  const link = await createLoginLinkToken(server, victim.id);
  await send('POST', LOGIN, { link });
});
afterAll(async () => {
  await page.close();
  otherServer.close();
});

/** Sends a request with cookies from the open page and returns the response. */
function send(method: string, path: string, body?: object) {
  return page.evaluate(
    async ([url, verb, json]) => {
      const response = await fetch(url, {
        method: verb,
        credentials: 'include',
        ...(json !== undefined && {
          body: json,
          headers: { 'content-type': 'application/json' },
        }),
      });
      return { status: response.status, body: (await response.json()) as unknown };
    },
    [`${base}${path}`, method, body && JSON.stringify(body)] as const,
  );
}

async function isVisible(): Promise<boolean> {
  return (await victim.client.site.getSiteStatus()).enabled;
}

it('a page of the server can use the session, but scripts cannot read its cookie', async () => {
  expect(await send('GET', '/owner/session/get-session')).toMatchObject({
    status: 200,
    body: { account_id: victim.id },
  });
  expect(await send('POST', TOGGLE)).toMatchObject({ status: 200 });
  expect(await send('POST', TOGGLE)).toMatchObject({ status: 200 });
  expect(await page.evaluate('document.cookie')).toBe('');
});

describe.each([
  // Another port is another origin on the same site, so requests include the cookie.
  ['another origin of the same site', '127.0.0.1'],
  ['another site', 'localhost'],
])('a page of %s', (_origin, host) => {
  beforeAll(async () => {
    await page.goto(`http://${host}:${(otherServer.address() as AddressInfo).port}/`);
  });

  it('cannot change or read anything with a script', async () => {
    const before = await isVisible();
    for (const [method, path, body] of [
      ['POST', TOGGLE],
      ['POST', TOGGLE, {}],
      ['GET', '/owner/session/get-session'],
      ['GET', '/owner/keys/list-keys'],
      ['POST', '/owner/session/revoke-all-sessions'],
    ] as const)
      await expect(send(method, path, body)).rejects.toThrow('Failed to fetch');
    // Simple requests have no preflight. Cross-Origin-Resource-Policy blocks their responses.
    for (const path of [TOGGLE, '/owner/session/revoke-all-sessions'])
      await expect(
        page.evaluate(
          (url) =>
            fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }),
          `${base}${path}`,
        ),
      ).rejects.toThrow('Failed to fetch');
    expect(await isVisible()).toBe(before);
  });

  it.each([
    ['a change', TOGGLE],
    ['a logout', '/owner/session/end-session'],
    ['a login as somebody else', LOGIN],
  ])('cannot submit %s with a form', async (_change, path) => {
    const attacker = await server.createAccount();
    const link = await createLoginLinkToken(server, attacker.id);
    const before = await isVisible();
    const startUrl = page.url();
    const responded = page.waitForResponse(`${base}${path}`);
    const name = `{"link":"${link}","x":"`;
    await page.setContent(`<form method="post" enctype="text/plain" action="${base}${path}">
      <input name='${name}' value='"}'><button>Win</button></form>`);
    await page.getByRole('button').click();
    const response = await responded;
    // Another site's requests carry no session cookie, so they may get 401 instead of 403.
    expect([401, 403]).toContain(response.status());
    expect(await response.headerValue('set-cookie')).toBeNull();
    expect(await isVisible()).toBe(before);
    await page.goto(startUrl);
  });
});

it('the session of the account is still valid afterwards', async () => {
  await page.goto(`${base}/dashboard/`);
  expect(await send('GET', '/owner/session/get-session')).toMatchObject({
    status: 200,
    body: { account_id: victim.id },
  });
});

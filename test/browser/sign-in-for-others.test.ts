import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { insertClient } from '#db/queries/oauth-clients.ts';
import { hashToken } from '#server/platform/secrets/token.ts';
import { listen } from '../support/listen.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { sharedChromium } from './support/chromium.ts';

let server: TestApp;
let base: string;
/** A website on another site: a browser takes 127.0.0.1 and localhost for two. */
let website: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  const { port, close } = await listen(createServer());
  await close();
  base = `http://localhost:${port}`;
  server = await startTestApp({ PUBLIC_URL: base });
  await server.app.listen({ port, host: '127.0.0.1' });
  website = await listen(
    createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        request.url === '/'
          ? `<a href="${startUrl('website', website.url)}">Log in</a>`
          : request.url,
      );
    }),
  );
  const redirect_uris = [`${website.url}/callback`];
  const secret_hash = hashToken('x');
  const name = 'Club wiki';
  await insertClient(server.db, {
    id: 'website',
    kind: 'website',
    name,
    redirect_uris,
    secret_hash,
  });
  const app = { id: 'app', kind: 'registered', name: 'Page Pilot' } as const;
  await insertClient(server.db, { ...app, redirect_uris });
});
afterAll(async () => {
  await website.close();
  await server.close();
});

function startUrl(client_id: string, site: string): string {
  const query = new URLSearchParams({
    client_id,
    redirect_uri: `${site}/callback`,
    response_type: 'code',
    scope: 'openid profile email groups',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  return `${base}/oauth/authorize?${query.toString()}`.replaceAll('&', '&amp;');
}

async function openWebsite(width = 1280): Promise<Page> {
  const context = await (await sharedChromium()).newContext({ viewport: { width, height: 844 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(website.url);
  return page;
}

it('a person signs in to a website on another site, on the sign-in page of the server', async () => {
  const account = await server.createNamedAccount('mira-sails');
  const page = await openWebsite();
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByText('Then you are back at Club wiki').waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByText('Other ways').click();
  await page.getByLabel('API key').fill(account.key);
  await page.getByLabel('API key').press('Enter');
  await page.getByRole('heading', { name: 'Sign in to Club wiki' }).waitFor();
  await page.getByText('@mira-sails').first().waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${website.url}/callback?code=*`);

  // The session cookie is `SameSite=Strict`, and the person was asked already.
  await page.goto(website.url);
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.waitForURL(`${website.url}/callback?code=*`);
  const cookies = await page.context().cookies(base);
  expect(cookies.map(({ name }) => name)).toEqual(['nameplate']);

  await page.goto(startUrl('app', website.url).replaceAll('&amp;', '&'));
  await page.getByRole('heading', { name: 'Connect a program on this computer?' }).waitFor();
  await page.getByRole('radio', { name: 'Read' }).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(`${website.url}/callback?code=*`);
});

it('a question fits on a phone', async () => {
  const account = await server.createNamedAccount('mira-phone');
  const page = await openWebsite(390);
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByText('Other ways').click();
  await page.getByLabel('API key').fill(account.key);
  await page.getByLabel('API key').press('Enter');
  await page.getByRole('heading', { name: 'Sign in to Club wiki' }).waitFor();
  const width = await page.evaluate('document.documentElement.scrollWidth');
  expect(width).toBe(390);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(`${website.url}/callback?error=access_denied*`);
});

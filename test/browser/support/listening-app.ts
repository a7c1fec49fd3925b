import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { listen } from '#test/support/listen.ts';
import type { RegisterCleanUp } from '#test/support/server-process.ts';
import { createLoginLinkToken } from '#test/support/session.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';
import { sharedChromium } from './chromium.ts';

export type ListeningApp = TestApp & { origin: string };

/** An app that other programs can call, with its public URL. Browsers take `localhost` and 127.0.0.1 for two sites. */
export async function startListeningApp(
  onFinished: RegisterCleanUp = onTestFinished,
  options: Parameters<typeof startTestApp>[0] = {},
  host = 'localhost',
): Promise<ListeningApp> {
  const { port, close } = await listen(createServer());
  await close();
  const origin = `http://${host}:${port}`;
  const server = await startTestApp({ PUBLIC_URL: origin, ...options });
  onFinished(() => server.close());
  await server.app.listen({ port, host: '127.0.0.1' });
  return Object.assign(server, { origin });
}

/** Opens a browser that is signed in. */
export async function openSignedIn(
  server: ListeningApp,
  accountId: string,
  onFinished: RegisterCleanUp = onTestFinished,
): Promise<Page> {
  const context = await (await sharedChromium()).newContext();
  onFinished(() => context.close());
  const page = await context.newPage();
  const token = await createLoginLinkToken(server, accountId);
  await page.goto(`${server.origin}/dashboard/login#${token}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${server.origin}/dashboard/`);
  return page;
}

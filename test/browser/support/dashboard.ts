import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { linkOf } from '../../support/session.ts';
import type { TestAccount, TestApp } from '../../support/test-app.ts';
import { launchChromium } from './chromium.ts';
import { type Visit, visit } from './visit.ts';

/** Heading of the first screen, which greets. */
export const HOME = /^(?:Good (?:morning|afternoon|evening)|Welcome to Nameplate)/;

/** A server whose dashboard the tests of a file try in a browser. */
export interface TriedDashboard<Server extends TestApp> {
  server: Server;
  /** Where it is found. */
  base: string;
  browser: Browser;
  /** The address of a new login link of an account. */
  linkFor: (account: TestAccount) => Promise<string>;
  /** Opens one of its pages, by the title of that, as an account that signs in for it. */
  open: (account: TestAccount, title?: string) => Promise<Visit>;
}

/**
 * Starts a server and a browser before the tests of a file, and stops them after those. One that knows
 * where people find it is tried there.
 */
export function tryDashboard<Server extends TestApp>(
  start: () => Promise<Server>,
  foundAt?: string,
): TriedDashboard<Server> {
  const linkFor = async ({ id }: TestAccount) =>
    `${tried.base}/dashboard/login#${await linkOf(tried.server, id)}`;
  const open = async (account: TestAccount, title = 'Home') => {
    const opened = await visit(tried.browser, await linkFor(account));
    const { page } = opened;
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: HOME, level: 1 }).waitFor();
    if (title === 'Home') return opened;
    await page.getByRole('link', { name: title, exact: true }).click();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    return opened;
  };
  const tried = { linkFor, open } as TriedDashboard<Server>;
  beforeAll(async () => {
    tried.server = await start();
    const port = foundAt === undefined ? 0 : Number(new URL(foundAt).port);
    const listensAt = await tried.server.app.listen({ port, host: '127.0.0.1' });
    tried.base = foundAt ?? listensAt;
    tried.browser = await launchChromium();
  });
  afterAll(async () => {
    await tried.browser.close();
    await tried.server.close();
  });
  return tried;
}

/** Signs out by the menu of the account. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account$/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL('**/dashboard/login');
}

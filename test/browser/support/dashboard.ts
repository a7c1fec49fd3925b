import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { makeOperator } from '#test/support/endpoints.ts';
import { createLoginLinkToken, SAME_ORIGIN_HEADERS } from '#test/support/session.ts';
import type { TestAccount, TestApp } from '#test/support/test-app.ts';
import { sharedChromium } from './chromium.ts';
import { openPage, visitUrl, type Visit } from './visit.ts';

export const HOME_HEADING =
  /today[.,]|(?:Your page is (?:live|hidden)|Members see your page)\.|Welcome to Nameplate|.+ is up$/;

/** Paths that are not the title of their screen. */
const PATHS: Readonly<Record<string, string>> = {
  Home: '',
  'Your server': 'operator',
  Members: 'operator/members',
  'Group addresses': 'operator/addresses',
  Reports: 'operator/reports',
  Websites: 'operator/websites',
  Appearance: 'operator/appearance',
  'Imprint and privacy': 'operator/legal',
};

export interface DashboardTest<Server extends TestApp> {
  server: Server;
  base: string;
  browser: Browser;
  createLoginLink: (account: TestAccount) => Promise<string>;
  /** Opens a path or URL in a new context, without an account. */
  visit: (url: string, options?: BrowserContextOptions) => Promise<Visit>;
  open: (account: TestAccount, title?: string, options?: BrowserContextOptions) => Promise<Visit>;
  openNew: (title?: string) => Promise<Visit & { account: TestAccount }>;
  openOperator: (title: string) => Promise<Visit & { account: TestAccount }>;
  /** Goes to the screen from Home, which moves the focus to its heading. */
  openFromHome: (account: TestAccount, title: string) => Promise<Visit>;
}

/** Starts a server for the tests of a file. `publicUrl` sets the base URL and the server's port. */
export function setUpDashboard<Server extends TestApp>(
  start: () => Promise<Server>,
  publicUrl?: string,
): DashboardTest<Server> {
  const createLoginLink = async ({ id }: TestAccount) =>
    `${dashboard.base}/dashboard/login#${await createLoginLinkToken(dashboard.server, id)}`;
  const open: DashboardTest<Server>['open'] = async (account, title = 'Home', options = {}) => {
    const { visit, page, context } = await openPage(dashboard.browser, options);
    // Stores the session cookie in the context.
    await context.request.post(`${dashboard.base}/owner/sessions/create-session`, {
      data: { login_url: await createLoginLinkToken(dashboard.server, account.id) },
      headers: SAME_ORIGIN_HEADERS,
    });
    await page.goto(`${dashboard.base}/dashboard/${PATHS[title] ?? title.toLowerCase()}`);
    const name = title === 'Home' ? HOME_HEADING : title;
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    return visit;
  };
  const openFromHome = async (account: TestAccount, title: string) => {
    const visit = await open(account);
    // Screens may link to others, too.
    await visit.page.getByRole('link', { name: title, exact: true }).first().click();
    await visit.page.getByRole('heading', { name: title, level: 1 }).waitFor();
    return visit;
  };
  const openNew = async (title?: string, prepare?: (account: TestAccount) => Promise<unknown>) => {
    const account = await dashboard.server.createAccount();
    await prepare?.(account);
    return { ...(await open(account, title)), account };
  };
  const openOperator = (title: string) =>
    openNew(title, (account) => makeOperator(dashboard.server, account));
  const dashboard = {
    createLoginLink,
    visit: (url, options) =>
      visitUrl(dashboard.browser, new URL(url, dashboard.base).href, options),
    open,
    openNew,
    openOperator,
    openFromHome,
  } as DashboardTest<Server>;
  beforeAll(async () => {
    dashboard.server = await start();
    const port = publicUrl === undefined ? 0 : Number(new URL(publicUrl).port);
    const url = await dashboard.server.app.listen({ port, host: '127.0.0.1' });
    dashboard.base = publicUrl ?? url;
    dashboard.browser = await sharedChromium();
  });
  afterAll(() => dashboard.server.close());
  return dashboard;
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account$/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL('**/dashboard/login');
}

export async function waitForDialogClosed(dialog: Locator): Promise<void> {
  await dialog.waitFor({ state: 'detached' });
  await waitUntilDialogsRemoved(dialog.page());
}

/**
 * Waits until the dashboard has removed the dialogs that are closed. Locators by role ignore these,
 * but a dialog can be opened again only after its removal, in a later task of the event loop.
 */
async function waitUntilDialogsRemoved(page: Page): Promise<void> {
  await page.locator('dialog:not([open])').first().waitFor({ state: 'detached' });
}

/**
 * Types a whole name at once, then Enter. Between single keys on a busy machine, the form would ask
 * whether the first letters are available, and the browser would report the refusal.
 */
export async function enterName({ keyboard }: Page, name: string): Promise<void> {
  await keyboard.insertText(name);
  await keyboard.press('Enter');
}

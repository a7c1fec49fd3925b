import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ALL_FEATURES } from '#server/features/call-features.ts';
import { settingNameOf } from '#server/platform/settings/feature-settings.ts';
import { makeOperator } from '../support/endpoints.ts';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const optional = ALL_FEATURES.filter((feature) => feature.optional);
const dashboard = setUpDashboard(() =>
  startTestApp({
    FEATURES_OFF: optional.map(({ name }) => settingNameOf(name)),
    REGISTRATION: 'closed',
  }),
);

/** An operator with a published page and a metric. */
async function createOperator(name: string): Promise<TestAccount> {
  const { server } = dashboard;
  const account = await server.createNamedAccount(name);
  await makeOperator(server, account);
  await account.client.site.updateSiteConfiguration({
    blocks: [
      { id: randomUUID(), type: 'link', title: 'Songs', url: 'https://example.com/' },
      { id: randomUUID(), type: 'contact_form', title: 'Write to me' },
    ],
  });
  await account.client.site.toggleSiteVisibility();
  const projectId = await server.createProject(account);
  await account.client.stats.ingestMetrics({ projectId, payload: { visitors: 3 } });
  return account;
}

/** Waits for the open screen, and returns the paths that it and the navigation link to. */
async function readLinks(page: Page): Promise<string[]> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
  const hrefs = await page.evaluate<string[]>(
    `Array.from(document.querySelectorAll('#app a[href^="/dashboard/"]:not([target])'),
      (link) => link.getAttribute('href'))`,
  );
  return hrefs.map((href) => href.replace(/[?#].*/, ''));
}

it('without optional features, every link works and nothing calls what is off', async () => {
  expect(optional.length).toBeGreaterThan(10);
  const visit = await dashboard.open(await createOperator('has-all-screens'));
  const { page } = visit;
  const missing: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 404) missing.push(`${page.url()}: ${response.url()}`);
  });
  const paths = new Set(await readLinks(page));
  // The set grows while it is read.
  for (const path of paths) {
    await page.goto(dashboard.base + path);
    for (const link of await readLinks(page)) paths.add(link);
    expect(await page.getByText(/No page here|does not offer this/).count()).toBe(0);
    await expectNoProblems(visit);
  }
  expect(missing).toEqual([]);
  const screens = [...paths].filter((path) => !/[\da-f]{8}-/.test(path));
  expect(screens.toSorted()).toEqual(
    [
      '',
      'activity',
      'keys',
      'mail',
      'metrics',
      'operator',
      'operator/appearance',
      'operator/legal',
      'operator/members',
      'page',
      'settings',
    ].map((path) => `/dashboard/${path}`),
  );
});

it('dialogs and forms do not call features that are off', async () => {
  await dashboard.server.createNamedAccount('to-be-suspended');
  const operator = await createOperator('opens-dialogs');
  const { page, messages } = await dashboard.open(operator, 'Members');
  await page.getByRole('button', { name: /^More for @to-be-suspended/ }).click();
  await page.getByRole('button', { name: 'Suspend account' }).click();
  await page.getByRole('dialog', { name: 'Suspend @to-be-suspended?' }).waitFor();
  await page.goto(`${dashboard.base}/dashboard/page`);
  await page.locator('.block .block-name', { hasText: 'Songs' }).click();
  await page.getByLabel('Address').waitFor();
  expect(messages).toEqual([]);
});

it('the address of a screen that is off says so, and the login offers no passkey', async () => {
  const { page } = await dashboard.openNew();
  for (const path of ['visitors', 'domains', 'connections']) {
    await page.goto(`${dashboard.base}/dashboard/${path}`);
    await page.getByRole('heading', { name: 'This server does not offer this.' }).waitFor();
  }
  const signedOut = await dashboard.visit('/dashboard/login');
  await signedOut.page.getByRole('heading', { level: 1 }).waitFor();
  expect(await signedOut.page.getByRole('button', { name: /passkey/ }).count()).toBe(0);
});

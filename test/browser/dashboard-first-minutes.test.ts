import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { loadConfig } from '#server/platform/settings/config.ts';
import { createFirstLogin } from '#server/process/first-start.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { createTempFolder } from '../support/server-process.ts';
import { startTestApp } from '../support/test-app.ts';
import { enterName, setUpDashboard } from './support/dashboard.ts';
import { findPreviewFrame, saveDraft } from './support/editor.ts';

const dashboard = setUpDashboard(startTestApp);
const run = promisify(execFile);

it('from the first start, a name, a page, a visit, a key, a metric and its chart on the page take at most 18 clicks', async () => {
  const { db } = dashboard.server;
  // Links in the output point to localhost.
  const base = dashboard.base.replace('127.0.0.1', 'localhost');
  const messages = (await createFirstLogin(db, {
    folder: await createTempFolder(),
    url: dashboard.base,
    linkBaseUrl: base,
    settings: loadConfig({}),
  }))!.join('\n');
  const [link = ''] = /http:\S+\/dashboard\/login#\S+/.exec(messages) ?? [];
  const { visit, page } = await dashboard.visit(link);
  let clicks = 0;
  const click = async (locator: Locator) => {
    clicks += 1;
    await locator.click();
  };
  const type = (text: string) => page.keyboard.type(text);

  await click(page.getByRole('button', { name: 'Sign in', exact: true }));
  // An operator's first screen is about the club.
  await page.getByRole('heading', { name: /^To do/ }).waitFor();
  const loadedAgain = page.waitForResponse((response) => response.url().endsWith('/get-server'));
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await loadedAgain;
  await click(page.getByRole('link', { name: 'Claim your name' }));
  await click(page.getByLabel('Name'));
  await enterName(page, 'Jane Doe');
  await page.getByRole('heading', { name: '@jane-doe is yours' }).waitFor();
  await click(page.getByRole('button', { name: 'Add your first link' }));
  await findPreviewFrame(page).getByText('Your first link goes here').waitFor();
  for (const [title, url] of [
    ['My shop', 'jane.example/shop'],
    ['My kiln', 'jane.example/kiln'],
  ] as const) {
    if (title === 'My kiln') {
      await click(page.getByRole('button', { name: 'Add block', exact: true }));
      await click(page.getByRole('button', { name: /^Link/ }));
    }
    await expect
      .poll(() => page.evaluate('[document.activeElement.type, document.activeElement.value]'))
      .toEqual(['url', '']);
    expect(new URL(page.url()).search).toBe('');
    await type(url);
    await page.keyboard.press('Tab');
    await type(title);
  }
  await saveDraft(page);
  await click(page.getByRole('link', { name: 'Home', exact: true }));
  await click(page.getByRole('button', { name: 'Publish page' }));
  await page.getByRole('dialog', { name: 'Your page is live' }).waitFor();
  await page.keyboard.press('Escape');
  await click(page.getByRole('link', { name: /@jane-doe$/ }));
  await page.getByRole('link', { name: 'My kiln' }).waitFor();
  await page.goBack();

  // Make the login old: creating a key that can only send metrics needs no recent login.
  await sql`UPDATE sessions SET created_at = now() - interval '1 day'`.execute(db);
  await click(page.getByRole('link', { name: 'Settings', exact: true }));
  await click(page.getByLabel('Show developer tools'));
  await click(page.getByRole('link', { name: 'Metrics', exact: true }));
  await click(page.getByRole('button', { name: 'Create key' }));
  await click(page.getByRole('button', { name: 'Copy command' }));
  await page.getByText('The key in it is new').waitFor();
  const curl = await page.getByLabel('command', { exact: true }).innerText();
  const { stdout } = await run('sh', ['-c', curl], { env: childEnvironment({}) });
  expect(JSON.parse(stdout)).toHaveProperty('message');
  // The number appears by itself when the first metric arrives.
  await page.getByText('Sum of visitors · ').waitFor();
  await click(page.locator('.project-card h2 a'));
  await page.getByText('Sum of visitors in the last hour: 42.').waitFor();
  await page.locator('.plot .canvas').waitFor();
  await click(page.getByRole('link', { name: 'Page', exact: true }));
  await click(page.getByRole('button', { name: 'Add block', exact: true }));
  await click(page.getByRole('button', { name: /^Metric/ }));
  await page.getByLabel('Project').selectOption({ index: 1 });
  await page.getByLabel('Field').selectOption('visitors');
  await saveDraft(page);
  const readPage = async () => {
    await page.goto(`${base}/@jane-doe`);
    return page.locator('main').innerText();
  };
  // The server caches page metrics for up to a minute.
  await expect.poll(readPage, { interval: 500, timeout: 150_000 }).toMatch(/Jane Doe[^]*\b42\b/);

  expect(clicks).toBeLessThanOrEqual(18);
  expect(visit.messages).toEqual([]);
  expect(visit.requests.filter((url) => !url.startsWith(base))).toEqual([]);
});

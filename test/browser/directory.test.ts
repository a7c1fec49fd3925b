import { expect, it } from 'vitest';
import { saveInstance } from '#db/queries/instance.ts';
import { createPage } from '../support/publish-page.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const dashboard = setUpDashboard(() => startTestApp({ REGISTRATION: 'invite' }));

async function list(title: string, name: string) {
  const { account } = await createPage(dashboard.server, { display_name: title }, name);
  await account.owner.page.updateFrontPage({ visible: true });
  return account;
}

it('a visitor searches the list of members and turns its pages, without scripts', async () => {
  const { server } = dashboard;
  await server.db
    .transaction()
    .execute((trx) => saveInstance(trx, { name: 'Skerry', directory: 'everybody' }));
  await list('Jürgen Groß', 'juergen');
  await list('Long name '.repeat(12), 'long');
  for (let number = 0; number < 60; number += 1) await list(`Member ${number}`, `crew-${number}`);

  const visit = await dashboard.visit('/', { javaScriptEnabled: false });
  const { page } = visit;
  await page.setViewportSize({ width: 390, height: 800 });
  const fontSize = `getComputedStyle(document.querySelector('.bar .logo')).fontSize`;
  expect(parseFloat(await page.evaluate<string>(fontSize))).toBeGreaterThan(12);
  await page.getByRole('link', { name: 'All members, A to Z' }).click();
  await page.getByText('1 to 60 of 62').waitFor();
  await page.getByRole('link', { name: 'Next 2' }).click();
  await page.getByText('61 to 62 of 62').waitFor();
  await page.getByRole('searchbox', { name: 'Search members' }).fill('jürgen');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: /Jürgen Groß/ }).waitFor();
  expect(await page.locator('.members a').count()).toBe(1);
});

it('the list is accessible: full, without a result, and closed', async () => {
  const { server } = dashboard;
  for (const path of ['/members', '/members?q=nobody']) {
    await expectNoProblems(await dashboard.visit(path));
    await expectNoProblems(await dashboard.visit(path, { locale: 'de-DE' }));
  }
  await server.db.transaction().execute((trx) => saveInstance(trx, { directory: 'members' }));
  await server.nameplate.instanceStore.refresh();
  await expect
    .poll(async () => (await fetch(`${dashboard.base}/members`)).text())
    .toContain('The list is for members');
  await expectNoProblems(await dashboard.visit('/members'));
});

import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { DAY_MS, utcDay } from '#contract/shared/durations.ts';
import type { VisitKind } from '#contract/shared/visits.ts';
import { addPageVisits } from '#db/queries/page-visits.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

it('a screen that throws shows an error, offers to reload, and does not affect the navigation', async () => {
  const account = await dashboard.server.createAccount();
  const visit = await dashboard.open(account);
  const { page, messages } = visit;
  await page.route('**/owner/events/list-events?limit=50', (route) =>
    route.fulfill({ json: { events: [null], next: null } }),
  );
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByText('This screen has stopped working.').waitFor();
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  await expect.poll(() => messages.join('\n')).toContain('TypeError');
  await expectNoProblems({ ...visit, messages: [] });
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByText('This screen has stopped working.').waitFor();
  await page.unroute('**/owner/events/list-events?limit=50');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
});

it('Home says what happened today and this week, and suggests a step that can be put off', async () => {
  const account = await dashboard.server.createAccount();
  const { client, id } = account;
  await client.account.updateDisplayName({ display_name: 'at-home' });
  const link = { type: 'link', url: 'https://jane.example', title: 'My shop' } as const;
  await client.site.updateSiteConfiguration({ blocks: [{ type: 'page', fonts: 'mono' }, link] });
  await client.site.toggleSiteVisibility();
  await client.site.toggleSiteVisibility();
  await sql`UPDATE events SET created_at = created_at - interval '50 hours'
    WHERE account_id = ${id}`.execute(dashboard.server.database.db);
  const { page } = await dashboard.open(account);
  await page.getByRole('heading', { name: 'Your page is hidden. Only you can see it.' }).waitFor();
  await page.getByRole('switch', { name: 'Page visible' }).click();
  await page.getByText('Page published').waitFor();
  await page.getByRole('dialog', { name: 'Your page is live' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'No views yet today.' }).waitFor();
  await page.getByRole('heading', { name: 'Add a picture of you' }).waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.reload();
  await page.getByRole('heading', { name: 'No views yet today.' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Add a picture of you' }).count()).toBe(0);
  const visit = (kind: VisitKind, daysAgo: number, value: string, count: number) => ({
    ...{ accountId: id, kind, value, count },
    day: utcDay(Date.now() - daysAgo * DAY_MS),
  });
  await addPageVisits(dashboard.server.database.db, [
    ...[0, 1, 7, 8, 14].map((daysAgo) => visit('view', daysAgo, '', 30)),
    visit('referrer', 0, 'news.example', 16),
    visit('link', 0, new URL(link.url).href, 2),
  ]);
  await page.reload();
  const sentence = '30 views today, most from news.example. “My shop” got 2 clicks.';
  await page.getByRole('heading', { name: sentence }).waitFor();
  await page.getByRole('heading', { name: 'This week 60 views' }).waitFor();
  await page.getByRole('img', { name: /^Views of each day: .*, Today 30$/ }).waitFor();
  // The account row stays in a low window.
  await page.setViewportSize({ width: 1_280, height: 400 });
  const { y, height } = (await page.getByRole('button', { name: /Account$/ }).boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(400);
});

it('after a change of the name, the old address leads to the new one unless the owner chooses otherwise, and until they stop it', async () => {
  const account = await dashboard.server.createAccount();
  await account.client.account.updateDisplayName({ display_name: 'jane-before' });
  await account.client.site.toggleSiteVisibility();
  const { page, messages } = await dashboard.open(account);
  const readStatus = async (name: string) => {
    const { status } = await fetch(`${dashboard.base}/@${name}`, { redirect: 'manual' });
    return status;
  };
  const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
  const heldUntil = (days: number) => dateFormat.format(Date.now() + days * DAY_MS);
  const rename = async (name: string, oldAddressOption?: RegExp) => {
    await page.getByRole('button', { name: 'Change name' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change your name' });
    await dialog.getByLabel('New name').fill(name);
    await dialog.getByText(`${name} is available`).waitFor();
    await dialog.getByText(`Until ${heldUntil(90)}, nobody else can claim @`).waitFor();
    if (oldAddressOption) {
      await dialog.getByRole('radio', { name: oldAddressOption }).check();
      await dialog.getByText(`Until ${heldUntil(30)}, nobody else can claim @`).waitFor();
    }
    await dialog.getByRole('button', { name: 'Change name' }).click();
    await page.getByText(`Your name is now ${name}.`).waitFor();
  };
  const historyLength = await page.evaluate('history.length');
  await page.getByRole('button', { name: 'Change name' }).click();
  await page.getByLabel('New name').fill('admin');
  await page.getByText('admin is not available').waitFor();
  const submit = page.getByRole('dialog').getByRole('button', { name: 'Change name' });
  await expect.poll(() => submit.isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  expect(await page.evaluate('history.length')).toBe(historyLength);
  await rename('jane-after', /^It stops working/);
  expect(await readStatus('jane-before')).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Your name is jane-before again.').waitFor();
  expect(await readStatus('jane-before')).toBe(200);

  await rename('jane-later');
  expect(await readStatus('jane-before')).toBe(302);
  await page.getByText(/^@jane-before redirects to your page until /).waitFor();
  await page.getByRole('button', { name: 'Stop redirecting' }).click();
  await page.getByText('Your old address no longer redirects to your page.').waitFor();
  expect(await readStatus('jane-before')).toBe(404);
  expect(messages).toEqual([]);
});

it('on a tablet, the navigation is a rail of icons with their names below', async () => {
  const visit = await dashboard.open(await dashboard.server.createAccount());
  const { page } = visit;
  await page.setViewportSize({ width: 768, height: 1_024 });
  await expect.poll(async () => (await page.getByRole('main').boundingBox())!.x).toBe(96);
  const link = page.getByRole('link', { name: 'Visitors', exact: true });
  const icon = (await link.locator('svg').boundingBox())!;
  expect((await link.getByText('Visitors').boundingBox())!.y).toBeGreaterThan(icon.y + icon.height);
  await link.click();
  await page.getByRole('heading', { name: 'Visitors', level: 1 }).waitFor();
  await expectNoProblems(visit);
});

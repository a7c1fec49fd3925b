import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { hashToken } from '#server/platform/secrets/token.ts';
import { addKeeper, makeOperator } from '../support/endpoints.ts';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems, FAILED_REQUEST } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const DESKTOP = { viewport: { width: 1_280, height: 800 } };

let count = 0;

async function createClub(): Promise<{
  club: TestAccount;
  owner: TestAccount;
  keeper: TestAccount;
}> {
  count += 1;
  const { server } = dashboard;
  const club = await server.createNamedAccount(`rowing-club-${count}`);
  await club.client.site.updateSiteConfiguration({ display_name: 'Rowing Club' });
  const [owner, keeper] = [
    await server.createNamedAccount(`mira-${count}`),
    await server.createNamedAccount(`jonas-${count}`),
  ];
  await server.sql`INSERT INTO keepers (account_id, keeper_id, is_owner)
    VALUES (${club.id}, ${owner.id}, true), (${club.id}, ${keeper.id}, false)`;
  return { club, owner, keeper };
}

const accountMenu = (page: Page) => page.getByRole('button', { name: /Account$/ });

async function switchTo(page: Page, name: string): Promise<void> {
  await accountMenu(page).click();
  await page.getByRole('link', { name }).click();
}

it('the link of Home shows what another keeper published meanwhile', async () => {
  const { club, keeper } = await createClub();
  const { page } = await dashboard.open(keeper, 'Home', DESKTOP);
  await page.goto(`${dashboard.base}/dashboard/for/${club.id}/`);
  await page.getByRole('heading', { name: `The page of @rowing-club-${count}` }).waitFor();
  await page.getByText('Until then, the page is hidden.').waitFor();
  await club.client.site.toggleSiteVisibility();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('link', { name: 'View page' }).first().waitFor();
});

it.each([PHONE, DESKTOP])(
  'an owner invites a member, who accepts, edits the page and leaves ($viewport.width)',
  async (options) => {
    const { club, owner } = await createClub();
    const invited = await dashboard.server.createNamedAccount(`kim-${count}`);
    const { page, visit } = await dashboard.open(owner, 'Home', options);
    await switchTo(page, `Rowing Club @rowing-club-${count}`);
    await page.getByText(`as @mira-${count}`).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/for/${club.id}/`);
    await page.goto(`${dashboard.base}/dashboard/for/${club.id}/settings`);
    await page.getByRole('link', { name: 'Keepers' }).click();
    await page.getByRole('heading', { name: 'Keepers', level: 1 }).waitFor();
    await page.getByLabel('Invite a member').fill(`@kim-${count}`);
    await page.getByRole('img', { name: 'Rowing Club' }).waitFor();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('Waiting').waitFor();
    await expectNoProblems(visit);

    const other = await dashboard.open(invited, 'Home', options);
    await other.page.getByRole('link', { name: 'Open (Look after Rowing Club?)' }).waitFor();
    await accountMenu(other.page).click();
    await other.page.getByRole('link', { name: '1 invitation' }).click();
    await other.page.getByRole('heading', { name: 'Invitations to keep an account' }).waitFor();
    await other.page.getByRole('heading', { name: /^Look after Rowing Club with / }).waitFor();
    await expectNoProblems(other.visit);
    await other.page.getByRole('button', { name: 'Accept' }).click();
    await other.page.getByText(`as @kim-${count}`).waitFor();
    await other.page.goto(`${dashboard.base}/dashboard/for/${club.id}/keepers`);
    await other.page.getByRole('button', { name: 'Leave' }).click();
    await other.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await other.page.waitForURL(`${dashboard.base}/dashboard/keepers`);
    await other.page.getByText('You left Rowing Club. This is your own account.').waitFor();
    const rows = await dashboard.server.sql`SELECT FROM keepers WHERE keeper_id = ${invited.id}`;
    expect(rows).toEqual([]);
  },
);

it('an operator creates an account for a team, and names its keepers', async () => {
  const { keeper } = await createClub();
  const { page, visit } = await dashboard.openOperator('Members');
  visit.ignoredMessages.push(FAILED_REQUEST);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Add an account for a club' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(`Team ${count}`);
  await dialog.getByLabel('Who looks after it?').fill(`@kim, @Jonas-${count}`);
  const suggestion = dialog.locator('#keeper-names option').first();
  await expect.poll(() => suggestion.getAttribute('value')).toBe(`@kim, @jonas-${count}`);
  await dialog.getByLabel('Who looks after it?').fill(`@jonas-${count}, nobody-there`);
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await dialog.getByText('There is no member @nobody-there').waitFor();
  await dialog.getByLabel('Who looks after it?').fill(`@jonas-${count}`);
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Rename' }).waitFor();
  for (const name of ['Create login link', 'Change email', 'Make an operator'])
    expect(await page.getByRole('button', { name }).count(), name).toBe(0);
  await page.getByText('Owner').waitFor();
  await expectNoProblems(visit);
  await page.getByRole('link', { name: `@jonas-${count}` }).click();
  await page.getByRole('heading', { name: `@jonas-${count}`, level: 1 }).waitFor();
  expect(await page.getByText('Owner').count()).toBe(0);
  await page.goto(`${dashboard.base}/dashboard/operator/members?search=team-${count}`);
  await page.getByText('Club or team').waitFor();
  const kept = await dashboard.server
    .sql`SELECT is_owner FROM keepers JOIN display_names USING (account_id)
    WHERE keeper_id = ${keeper.id} AND name = ${`team-${count}`}`;
  expect(kept).toEqual([{ is_owner: true }]);

  const operator = await dashboard.server.createNamedAccount(`secretary-${count}`);
  await makeOperator(dashboard.server, operator);
  const own = await dashboard.open(operator, 'Members');
  await own.page.getByRole('button', { name: 'More', exact: true }).click();
  await own.page.getByRole('button', { name: 'Add an account for a club' }).click();
  const form = own.page.getByRole('dialog');
  await form.getByLabel('Name').fill(`Crew ${count}`);
  await form.getByLabel('Who looks after it?').fill(`@secretary-${count}`);
  await form.getByRole('button', { name: 'Create account' }).click();
  await own.page.getByRole('heading', { name: `@crew-${count} is yours` }).waitFor();
  await own.page.goto(new URL('keepers', own.page.url()).href);
  await own.page.getByText('To leave, first invite somebody and hand the account over.').waitFor();
});

it('who deletes an own account sees which accounts hang on it, and first hands over the last one', async () => {
  const { club, owner, keeper } = await createClub();
  const { page, visit } = await dashboard.open(owner, 'Settings', PHONE);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await dialog.getByText('You also stop looking after Rowing Club.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const setSuspended = (isSuspended: boolean) =>
    dashboard.server.sql`UPDATE accounts SET suspended_at = ${isSuspended ? new Date() : null}
      WHERE id = ${owner.id}`;
  await setSuspended(true);
  const other = await dashboard.open(keeper, 'Settings', PHONE);
  await other.page.getByRole('button', { name: 'Delete my account' }).click();
  await other.page.getByText('Ask an operator to resume the owner').waitFor();
  await setSuspended(false);
  await dashboard.server.sql`DELETE FROM keepers WHERE keeper_id = ${keeper.id}`;
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await dialog.getByText('Nobody else can sign in for it.').waitFor();
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: 'Open its keepers' }).click();
  await page.waitForURL(`${dashboard.base}/dashboard/for/${club.id}/keepers`);
});

it('tabs and drafts belong to one account, and the preview shows that account', async () => {
  const { club, keeper } = await createClub();
  const { page, context } = await dashboard.open(keeper, 'Page');
  const clubPage = await context.newPage();
  await clubPage.goto(`${dashboard.base}/dashboard/for/${club.id}/page`);
  await clubPage.getByRole('heading', { name: 'Page', level: 1 }).waitFor();
  const frame = clubPage.frameLocator('.preview-screen iframe').first();
  await frame.getByText('Rowing Club').first().waitFor();
  expect(await clubPage.title()).toContain(`@rowing-club-${count}`);
  const keys = (tab: Page) => tab.evaluate(() => Object.keys(sessionStorage));
  await clubPage.evaluate(
    ([key, draft]) => sessionStorage.setItem(key!, draft!),
    [`page for ${club.id} of ${keeper.id}`, '{}'],
  );
  expect(await keys(page)).toEqual([]);
});

it('an invitation that cannot be fetched is no invitation that has ended', async () => {
  const { keeper } = await createClub();
  const { page } = await dashboard.open(keeper, 'Home', DESKTOP);
  const read = '**/owner/keepers/get-keeper-invitation';
  await page.route(read, (route) => route.fulfill({ status: 500 }));
  await page.goto(`${dashboard.base}/dashboard/keep#${'a'.repeat(43)}`);
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await page.unroute(read);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No invitation waits for you').waitFor();
});

it('who opens an invitation while acting for another account answers it in the own one', async () => {
  const { club, keeper } = await createClub();
  const token = randomUUID().repeat(2).slice(0, 43);
  const { club: second } = await createClub();
  await dashboard.server
    .sql`INSERT INTO keeper_invitations (account_id, keeper_id, invited_by, token_hash)
    VALUES (${second.id}, ${keeper.id}, ${second.id}, ${hashToken(token)})`;
  const { page } = await dashboard.open(keeper, 'Home', DESKTOP);
  await page.goto(`${dashboard.base}/dashboard/for/${club.id}/keep#${token}`);
  await page.waitForURL(`${dashboard.base}/dashboard/keep#${token}`);
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.waitForURL(`${dashboard.base}/dashboard/for/${second.id}/`);
});

it('who is removed while working sees it, and saves nothing', async () => {
  const { club, keeper } = await createClub();
  const { page } = await dashboard.open(keeper, 'Home', DESKTOP);
  await page.goto(`${dashboard.base}/dashboard/for/${club.id}/settings`);
  await page.getByText(`as @jonas-${count}`).waitFor();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  expect(await page.getByRole('button', { name: 'Export all my data' }).count()).toBe(0);
  const [face, own] = await page.locator('.faces > *').all();
  expect((await own!.boundingBox())!.width).toBeLessThan((await face!.boundingBox())!.width);
  await dashboard.server.sql`DELETE FROM keepers WHERE keeper_id = ${keeper.id}`;
  await page.reload();
  // Its reason stands in the screen, too, if the screen asked first.
  await page.locator('.banner').getByText('You do not keep this account, or no longer.').waitFor();
  const { y, height } = (await accountMenu(page).boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(DESKTOP.viewport.height);
  await page.getByRole('link', { name: 'Go to your own account' }).click();
  await page.waitForURL(`${dashboard.base}/dashboard/`);
});

it('an owner hands over, and removes a keeper with what becomes of their keys', async () => {
  const { club, owner, keeper } = await createClub();
  const { account_id: third } = await addKeeper(dashboard.server, club);
  await dashboard.server.sql`UPDATE api_keys SET actor_id = ${third}, label = 'Wind'
    WHERE account_id = ${club.id}`;
  const { page, visit } = await dashboard.open(owner, 'Home', DESKTOP);
  await page.goto(`${dashboard.base}/dashboard/for/${club.id}/keepers`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: /^Remove Account/ }).click();
  await dialog.getByLabel(/^Keys and connections of .*: Wind$/).selectOption({
    label: `Hand to @jonas-${count}`,
  });
  await dialog.getByText('still knows these keys').waitFor();
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('1 key', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Hand over' }).click();
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  await page.getByText(/ is the owner now\.$/).waitFor();
  await page.getByRole('button', { name: 'Leave' }).waitFor();
  const owners = await dashboard.server.sql`SELECT keeper_id FROM keepers
    WHERE account_id = ${club.id} AND is_owner`;
  expect(owners).toEqual([{ keeper_id: keeper.id }]);
});

it('downloads are those of the account that one acts for, and clients are not connected to the own one', async () => {
  const { club, owner } = await createClub();
  const projectId = await dashboard.server.createProject(club);
  await club.client.stats.ingestMetrics({ projectId, payload: { boats: 12 } });
  const { page } = await dashboard.open(owner, 'Home', DESKTOP);
  const path = (screen: string) => `${dashboard.base}/dashboard/for/${club.id}/${screen}`;
  const download = async (name: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name }).click(),
    ]);
    return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')] as const;
  };
  await page.goto(path('settings'));
  expect((await download('Export all my data'))[0]).toMatch(
    new RegExp(`^rowing-club-${count}-.*\\.zip$`),
  );
  await page.goto(path(`metrics/${projectId}`));
  await page.getByRole('button', { name: 'Download' }).click();
  const [name, text] = await download('All metrics as CSV');
  expect([name, text]).toEqual(['metrics.csv', expect.stringMatching(/boats[^]*\b12\b/)]);
  await page.goto(path('connected-apps'));
  await page.getByText('In Claude, open Customize').waitFor();
});

import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { setUpDashboard, waitForDialogClosed } from './support/dashboard.ts';
import { addBlock, openProfile, openVersions } from './support/editor.ts';
import { describeFocusedElement } from './support/keyboard.ts';
import { CONTRAST_RULES, expectNoProblems, findAccessibilityViolations } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

/** How to open a dialog. */
interface DialogCase {
  dialog: string;
  page: string;
  buttonName: RegExp;
  /** Menu item to choose after the opener is pressed. */
  command?: string;
  prepare?: (page: Page, account: TestAccount) => Promise<unknown>;
}

const DIALOGS: DialogCase[] = [
  { dialog: 'Revoke', page: 'Keys', buttonName: /^Revoke/ },
  { dialog: 'Create key', page: 'Keys', buttonName: /^Create key$/ },
  {
    dialog: 'Sign in again',
    page: 'Keys',
    buttonName: /^Create key$/,
    prepare: async (page, { id }) => {
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').getByRole('radio', { name: 'Read only' }).check();
      await sql`UPDATE sessions SET created_at = now() - interval '61 minutes'
        WHERE account_id = ${id}`.execute(dashboard.server.database.db);
    },
  },
  { dialog: 'Delete Shop', page: 'Metrics', buttonName: /^More for Shop/, command: 'Delete' },
  {
    dialog: 'Delete the metrics in this range',
    page: 'Metrics',
    buttonName: /^Delete the metrics/,
    prepare: (page) => page.getByRole('link', { name: 'Shop' }).click(),
  },
  { dialog: 'Sign out everywhere', page: 'Settings', buttonName: /^Sign out everywhere$/ },
  { dialog: 'Delete your account', page: 'Settings', buttonName: /^Delete my account$/ },
  {
    dialog: 'Add alert',
    page: 'Metrics',
    buttonName: /^Add alert$/,
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Shop' }).click();
      // The header has a button, too, and appears earlier.
      await page.getByRole('button', { name: 'Add alert' }).nth(1).waitFor();
    },
  },
  { dialog: 'Search', page: 'Events', buttonName: /^Search$/ },
  {
    dialog: 'Start from a template',
    page: 'Page',
    buttonName: /^Templates$/,
    prepare: (page) => addBlock(page, 'Divider'),
  },
  { dialog: 'Import from another page', page: 'Page', buttonName: /^Import from/ },
  { dialog: 'Your pictures', page: 'Page', buttonName: /^Your pictures$/, prepare: openProfile },
  {
    dialog: 'Restore version',
    page: 'Page',
    buttonName: /^Restore version/,
    prepare: openVersions,
  },
  {
    dialog: 'The page was also changed elsewhere',
    page: 'Page',
    buttonName: /^Save$/,
    prepare: async (page, { client }) => {
      await openProfile(page);
      await page.getByLabel('Bio').fill('Mine.');
      await client.site.updateSiteConfiguration({ bio: 'Theirs.' });
    },
  },
];

/** Close buttons that are not named `Cancel`, by dialog. */
const CLOSE_BUTTONS: Readonly<Record<string, string>> = {
  'The page was also changed elsewhere': 'Keep editing',
  Search: 'Close',
  'Start from a template': 'Close',
  'Your pictures': 'Close',
};

/** Space between a dialog or popover and the edges of the window, in pixels. */
async function measureMargins(page: Page, name: string | RegExp) {
  const box = (await page.getByRole('dialog', { name }).boundingBox())!;
  const { width, height } = page.viewportSize()!;
  return {
    left: Math.round(box.x),
    right: Math.round(width - box.x - box.width),
    top: Math.round(box.y),
    bottom: Math.round(height - box.y - box.height),
  };
}

/** Expects a dialog at the center of the window, or at the bottom on a phone. The search is at the top. */
async function expectPosition(page: Page, name: string): Promise<void> {
  const measureOffCenter = async () => {
    const { left, right, top, bottom } = await measureMargins(page, name);
    const isInside = Math.min(left, top, bottom) > 0;
    return isInside
      ? Math.max(Math.abs(left - right), name === 'Search' ? top - 108 : Math.abs(top - bottom))
      : 'outside';
  };
  await expect.poll(measureOffCenter).toBeLessThan(2);
  await expectAtBottomOfPhone(page, name);
}

async function expectAtBottomOfPhone(page: Page, name: string | RegExp): Promise<void> {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(() => measureMargins(page, name))
    .toMatchObject(
      name === 'Search' ? { left: 0, right: 0, top: 0 } : { left: 0, right: 0, bottom: 0 },
    );
  const { top, bottom } = await measureMargins(page, name);
  expect(name === 'Search' ? bottom : top).toBeGreaterThan(7);
  await page.setViewportSize(size);
}

/** Whether the focus is in the dialog, or on `body` between its last and first element. */
const IS_FOCUS_INSIDE = `document.activeElement === document.body
  || document.activeElement.closest('dialog[open]') !== null`;

it.each(DIALOGS)(
  'a dialog takes the focus, traps it, closes on Escape, and returns it $dialog',
  async ({ dialog: name, page: title, buttonName, command, prepare }) => {
    const account = await dashboard.server.createAccount();
    const projectId = await dashboard.server.createProject(account);
    await account.client.stats.ingestMetrics({ projectId, payload: { visitors: 1 } });
    for (const bio of ['One.', 'Two.']) await account.client.site.updateSiteConfiguration({ bio });
    const visit = await dashboard.open(account, title);
    const { page } = visit;
    await prepare?.(page, account);
    // The opener may be inside another open dialog.
    const openButton = page.getByRole('button', { name: buttonName }).last();
    const openDialog = async () => {
      // `press` does not wait until a button is enabled.
      await expect.poll(() => openButton.isEnabled()).toBe(true);
      await openButton.press('Enter');
      if (command) await page.getByRole('button', { name: command, exact: true }).press('Enter');
    };
    await openDialog();
    const dialog = page.getByRole('dialog', { name });
    await dialog.waitFor();
    await expect
      .poll(() => page.evaluate(`document.activeElement.closest('dialog') !== null`))
      .toBe(true);
    await expectPosition(page, name);
    const closeButtonName = CLOSE_BUTTONS[name] ?? 'Cancel';
    const focusedNames = new Set<string>();
    for (const key of ['Tab', 'Shift+Tab'])
      for (let presses = 0; presses < 12; presses += 1) {
        await page.keyboard.press(key);
        await expect.poll(() => page.evaluate(IS_FOCUS_INSIDE)).toBe(true);
        focusedNames.add(await describeFocusedElement(page));
      }
    expect(focusedNames).toContain(closeButtonName);
    await expectNoProblems({ ...visit, messages: [] });
    await page.keyboard.press('Escape');
    await waitForDialogClosed(dialog);
    await expect
      .poll(() => openButton.evaluate((button) => button.matches(':focus-visible')))
      .toBe(true);

    // A dialog that is opened again and closed with its button returns the focus, too.
    await openDialog();
    // Not the mouse: the dialog may move between press and release, when its content has loaded.
    await dialog.getByRole('button', { name: closeButtonName, exact: true }).press('Enter');
    await waitForDialogClosed(dialog);
    await expect.poll(() => openButton.evaluate((button) => button.matches(':focus'))).toBe(true);
  },
);

it('the button that revokes a key is readable under the pointer', async () => {
  const { page } = await dashboard.openNew('Keys');
  await page.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).hover();
  await expect.poll(() => findAccessibilityViolations(page, CONTRAST_RULES)).toEqual([]);
});

it.each([
  ['Home', /^Account$/, /Account$/],
  ['Home', /^QR code of/, /^QR code$/],
  ['Metrics', /^More for Shop$/, /^More for Shop/],
  ['Shop', /^Download metrics$/, /^Download$/],
  ['Page', /^More for Divider/, /^More for Divider/],
])(
  'a popover is at its button, and at the bottom of a phone %s: %s',
  async (title, name, buttonName) => {
    const account = await dashboard.server.createAccount();
    const projectId = await dashboard.server.createProject(account);
    await account.client.stats.ingestMetrics({ projectId, payload: { visitors: 1 } });
    await account.client.account.updateDisplayName({
      display_name: `jane-${account.id.slice(-12)}`,
    });
    await account.client.site.toggleSiteVisibility();
    const { page } = await dashboard.open(account, title === 'Shop' ? 'Metrics' : title);
    if (title === 'Shop') await page.getByRole('link', { name: title }).click();
    if (title === 'Page') await addBlock(page, 'Divider');
    const button = page.getByRole('button', { name: buttonName });
    await button.click();
    await expect
      .poll(async () => Math.min(...Object.values(await measureMargins(page, name))))
      .toBeGreaterThan(0);
    if (name.source.startsWith('^QR')) {
      const { left, right } = await measureMargins(page, name);
      expect(Math.abs(left - right)).toBeLessThan(2);
    } else {
      const opened = (await page.getByRole('dialog', { name }).boundingBox())!;
      const { x, y, width, height } = (await button.boundingBox())!;
      const gaps = [opened.y - (y + height), y - (opened.y + opened.height)];
      expect(Math.max(...gaps)).toBeCloseTo(6, 0);
      expect(opened.x < x + width && opened.x + opened.width > x).toBe(true);
    }
    await expectAtBottomOfPhone(page, name);
  },
);

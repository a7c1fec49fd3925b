import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { setUpDashboard, waitForDialogClosed } from './support/dashboard.ts';
import { openProfile } from './support/editor.ts';
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
  closeButton?: string;
  prepare?: (page: Page, account: TestAccount) => Promise<unknown>;
}

/** One of each way to open a dialog, and the ones with a layout or a close button of their own. */
const DIALOGS: DialogCase[] = [
  { dialog: 'Create key', page: 'Keys', buttonName: /^Create key$/ },
  {
    dialog: 'Sign in again',
    page: 'Keys',
    buttonName: /^Create key$/,
    prepare: async (page, { id }) => {
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').getByRole('radio', { name: 'Read only' }).check();
      await dashboard.server.sql`UPDATE sessions SET created_at = now() - interval '61 minutes'
        WHERE account_id = ${id}`;
    },
  },
  { dialog: 'Delete Shop', page: 'Metrics', buttonName: /^More for Shop/, command: 'Delete' },
  {
    dialog: 'The page was also changed elsewhere',
    page: 'Page',
    buttonName: /^Save$/,
    closeButton: 'Keep editing',
    prepare: async (page, { client }) => {
      await openProfile(page);
      await page.getByLabel('Bio').fill('Mine.');
      await client.site.updateSiteConfiguration({ bio: 'Theirs.' });
    },
  },
];

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

/** Expects a dialog at the center of the window, or at the bottom on a phone. */
async function expectPosition(page: Page, name: string): Promise<void> {
  const measureOffCenter = async () => {
    const { left, right, top, bottom } = await measureMargins(page, name);
    const isInside = Math.min(left, top, bottom) > 0;
    return isInside ? Math.max(Math.abs(left - right), Math.abs(top - bottom)) : 'outside';
  };
  await expect.poll(measureOffCenter).toBeLessThan(2);
  await expectAtBottomOfPhone(page, name);
}

async function expectAtBottomOfPhone(page: Page, name: string | RegExp): Promise<void> {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(() => measureMargins(page, name))
    .toMatchObject({ left: 0, right: 0, bottom: 0 });
  expect((await measureMargins(page, name)).top).toBeGreaterThan(7);
  await page.setViewportSize(size);
}

/** Whether the focus is in the dialog, or on `body` between its last and first element. */
const IS_FOCUS_INSIDE = `document.activeElement === document.body
  || document.activeElement.closest('dialog[open]') !== null`;

it.each(DIALOGS)(
  'a dialog takes the focus, traps it, closes on Escape, and returns it $dialog',
  async ({ dialog: name, page: title, buttonName, command, closeButton = 'Cancel', prepare }) => {
    const account = await dashboard.server.createAccount();
    await dashboard.server.createProject(account);
    const { visit, page } = await dashboard.open(account, title);
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
    const focusedNames = new Set<string>();
    for (const key of ['Tab', 'Shift+Tab'])
      for (let presses = 0; presses < 12; presses += 1) {
        await page.keyboard.press(key);
        await expect.poll(() => page.evaluate(IS_FOCUS_INSIDE)).toBe(true);
        focusedNames.add(await describeFocusedElement(page));
      }
    expect(focusedNames).toContain(closeButton);
    await expectNoProblems({ ...visit, messages: [] });
    await page.keyboard.press('Escape');
    await waitForDialogClosed(dialog);
    await expect
      .poll(() => openButton.evaluate((button) => button.matches(':focus-visible')))
      .toBe(true);

    // A dialog that is opened again and closed with its button returns the focus, too.
    await openDialog();
    // Not the mouse: the dialog may move between press and release, when its content has loaded.
    await dialog.getByRole('button', { name: closeButton, exact: true }).press('Enter');
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
])(
  'a popover is at its button, and at the bottom of a phone %s: %s',
  async (title, name, buttonName) => {
    const account = await dashboard.server.createAccount();
    await dashboard.server.createProject(account);
    await account.client.account.updateDisplayName({
      display_name: `jane-${account.id.slice(-12)}`,
    });
    await account.client.site.toggleSiteVisibility();
    const { page } = await dashboard.open(account, title);
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

it('a message in an open dialog is above it, can be closed there, and stays when the dialog closes', async () => {
  const account = await dashboard.server.createNamedAccount('jane-copies');
  const blocks = [{ type: 'link', url: 'https://jane.example', title: 'My shop' } as const];
  await account.client.site.updateSiteConfiguration({ blocks });
  const { page } = await dashboard.open(account);
  // As over http without TLS.
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
  await page.getByRole('button', { name: 'Publish page' }).click();
  const dialog = page.getByRole('dialog');
  const message = page.getByRole('status').getByText('Your browser does not allow copying.');
  const copy = async () => {
    await dialog.getByRole('button', { name: /^Copy/ }).click();
    await message.waitFor();
    expect(await message.evaluate((text) => text.closest(':modal') !== null)).toBe(true);
  };
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await copy();
    // Fails if the dialog covers the button, or makes it inert.
    await dialog.getByRole('status').getByRole('button', { name: 'Close' }).click();
    await message.waitFor({ state: 'detached' });
  }
  await copy();
  await page.keyboard.press('Escape');
  await waitForDialogClosed(dialog);
  await page.locator('.message').getByRole('button', { name: 'Close' }).click();
  await message.waitFor({ state: 'detached' });
});

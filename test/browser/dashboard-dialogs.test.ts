import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { setUpDashboard, waitForDialogClosed } from './support/dashboard.ts';
import { addBlock, openProfile } from './support/editor.ts';
import { describeFocusedElement } from './support/keyboard.ts';
import { expectNoProblems } from './support/visit.ts';

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
    prepare: (page) => page.getByRole('link', { name: 'Shop' }).click(),
  },
  { dialog: 'Add webhook', page: 'Chat', buttonName: /^Add webhook$/ },
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
    prepare: (page) => page.getByRole('button', { name: 'Versions', exact: true }).click(),
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
  'Your pictures': 'Close',
};

/** Expects a dialog at the center of the window, or at the bottom on a phone. */
async function expectPosition(page: Page, name: string): Promise<void> {
  // The search dialog is at the top.
  if (name === 'Search') return;
  const dialog = page.getByRole('dialog', { name });
  const { width, height } = page.viewportSize()!;
  await expect
    .poll(async () => {
      const box = (await dialog.boundingBox())!;
      return Math.abs(box.y - (height - box.height) / 2);
    })
    .toBeLessThan(2);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(async () => {
      const box = (await dialog.boundingBox())!;
      return Math.round(box.y + box.height);
    })
    .toBe(844);
  await page.setViewportSize({ width, height });
}

/** Whether the focus is in the dialog, or on `body` between its last and first element. */
const IS_FOCUS_INSIDE = `document.activeElement === document.body
  || document.activeElement.closest('dialog[open]') !== null`;

describe('a dialog takes the focus, traps it, closes on Escape, and returns it', () => {
  it.each(DIALOGS)(
    '$dialog',
    async ({ dialog: name, page: title, buttonName, command, prepare }) => {
      const account = await dashboard.server.createAccount();
      const projectId = await dashboard.server.createProject(account);
      await account.client.stats.ingestMetrics({ projectId, payload: { visitors: 1 } });
      for (const bio of ['One.', 'Two.'])
        await account.client.site.updateSiteConfiguration({ bio });
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
      await dialog.getByRole('button', { name: closeButtonName, exact: true }).click();
      await waitForDialogClosed(dialog);
      await expect.poll(() => openButton.evaluate((button) => button.matches(':focus'))).toBe(true);
    },
  );
});

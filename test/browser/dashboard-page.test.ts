import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/test-app.ts';
import { HOME_HEADING, setUpDashboard } from './support/dashboard.ts';
import {
  addBlock,
  findSaveBar,
  chooseBlockCommand,
  findPreviewFrame,
  openProfile,
  waitForSaveState,
} from './support/editor.ts';
import { FAILED_REQUEST } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

const waitUntilSaved = (page: Page) => waitForSaveState(page, 'Saved');

describe('an owner', () => {
  it('moves, duplicates, hides, deletes and undoes with the keyboard only', async () => {
    const account = await dashboard.server.createAccount();
    await account.client.site.updateSiteConfiguration({
      blocks: ['One', 'Two', 'Three'].map((content) => ({ type: 'heading', content })),
    });
    const visit = await dashboard.open(account, 'Page');
    const { page } = visit;
    const listTitles = () => findPreviewFrame(page).locator('main h2').allInnerTexts();
    await findPreviewFrame(page).getByText('Three').waitFor();
    await chooseBlockCommand(page, 'Heading Three', 'Move up');
    await chooseBlockCommand(page, 'Heading Three', 'Move up');
    await chooseBlockCommand(page, 'Heading One', 'Duplicate');
    await page.getByLabel('Show Heading Two').focus();
    await page.keyboard.press('Space');
    await expect.poll(listTitles).toEqual(['Three', 'One', 'One']);
    await chooseBlockCommand(page, 'Heading Three', 'Delete');
    await expect.poll(listTitles).toEqual(['One', 'One']);
    // The focus moves to the row that took the deleted row's place.
    await page.locator('.block-name:focus').getByText('One').waitFor();
    await findSaveBar(page).getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Space');
    await expect.poll(listTitles).toEqual(['Three', 'One', 'One']);
    await page.keyboard.press('Control+s');
    await waitUntilSaved(page);
    const { blocks } = await account.client.site.getSiteConfiguration();
    expect(blocks.map(({ content, enabled }) => [content, enabled])).toEqual([
      ['Three', true],
      ['One', true],
      ['One', true],
      ['Two', false],
    ]);
    expect(visit.messages).toEqual([]);
  });

  it('can type into the form of a new block at once', async () => {
    const account = await dashboard.server.createAccount();
    const blocks = [{ type: 'heading' as const, content: 'One' }];
    await account.client.site.updateSiteConfiguration({ blocks });
    const { page } = await dashboard.open(account, 'Page');
    await page.getByRole('button', { name: 'Add block', exact: true }).click();
    const link = page.getByRole('button', { name: /^Link/ });
    const focusedElement = await link.evaluate(async (button) => {
      button.click();
      // Preact renders in a microtask, so waiting for one is enough.
      await Promise.resolve();
      return button.ownerDocument.activeElement?.localName;
    });
    expect(focusedElement).toBe('input');
  });

  it('sees the server’s errors beside the field, and loses no input', async () => {
    const account = await dashboard.server.createAccount();
    const { page } = await dashboard.open(account, 'Page');
    await addBlock(page, 'Contact Email');
    await page.getByLabel('Email').fill('mira@example.com');
    await page.getByLabel('Postal address').fill('é'.repeat(10_000));
    await findSaveBar(page).getByRole('button', { name: 'Save' }).click();
    const refusalMessage = page.getByText(
      'Contact “mira@example.com” must have at most 16,384 bytes of JSON in its other fields',
    );
    await refusalMessage.waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('mira@example.com');
    await page.getByLabel('Postal address').fill('Rua das Flores 12');
    await refusalMessage.waitFor({ state: 'detached' });
    await findSaveBar(page).getByRole('button', { name: 'Save' }).click();
    await waitUntilSaved(page);
  });
});

describe('two windows of the same owner', () => {
  it('keep the changes of both, and ask about conflicts', async () => {
    const account = await dashboard.server.createAccount();
    const visit = await dashboard.open(account, 'Page');
    const { page } = visit;
    // The server refuses a save that would overwrite a change.
    visit.ignoredMessages.push(FAILED_REQUEST);
    await openProfile(page);
    await page.getByLabel('Bio').fill('Mine.');
    await account.client.site.updateSiteConfiguration({ bio: 'Theirs.', mood: 'glad' });
    await findSaveBar(page).getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'The page was also changed elsewhere' });
    await dialog.getByRole('button', { name: 'Keep my version' }).click();
    await waitUntilSaved(page);
    expect((await account.client.site.getSiteConfiguration()).site).toMatchObject({
      bio: 'Mine.',
      mood: 'glad',
    });

    await page.getByLabel('Bio').fill('Mine again.');
    await account.client.site.updateSiteConfiguration({ bio: 'Theirs again.' });
    await findSaveBar(page).getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: 'Use their version' }).click();
    await waitUntilSaved(page);
    await expect.poll(() => page.getByLabel('Bio').inputValue()).toBe('Theirs again.');
    expect((await account.client.site.getSiteConfiguration()).site.bio).toBe('Theirs again.');
  });
});

describe('unsaved changes', () => {
  it('are not sent for another account that signed in, and wait for their own account', async () => {
    const account = await dashboard.server.createAccount();
    const otherAccount = await dashboard.server.createAccount();
    const { page, context } = await dashboard.open(account, 'Page');
    await openProfile(page);
    await page.getByLabel('Bio').fill('Of the first.');
    const secondPage = await context.newPage();
    await secondPage.goto(await dashboard.createLoginLink(otherAccount));
    await secondPage.getByRole('button', { name: 'Sign in', exact: true }).click();
    await secondPage.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
    page.removeAllListeners('dialog');
    page.on('dialog', (dialog) => void dialog.dismiss());
    await page.bringToFront();
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    // The dialog cannot be closed, because the form would be sent as the other account.
    await dialog.getByText('This browser is now signed in to another account.').waitFor();
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Continue without them' }).click();
    await dialog.getByLabel('API key').fill(account.key);
    await dialog.getByLabel('API key').press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+s');
    await waitUntilSaved(page);
    expect((await account.client.site.getSiteConfiguration()).site.bio).toBe('Of the first.');
    expect((await otherAccount.client.site.getSiteConfiguration()).site.bio).toBeNull();
  });
});

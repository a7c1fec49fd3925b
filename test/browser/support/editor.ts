import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The page that the preview of the editor shows. */
export function shownIn(page: Page): FrameLocator {
  return page.frameLocator('.preview iframe.shown');
}

/** The bar that saves. */
export function bar(page: Page): Locator {
  return page.getByRole('region', { name: 'Unsaved changes' });
}

/** Adds a block of a kind at the end. */
export async function addBlock(page: Page, kind: string): Promise<void> {
  await page.getByRole('button', { name: 'Add block', exact: true }).click();
  await page
    .getByRole('region', { name: 'Add a block' })
    .getByRole('button', { name: new RegExp(`^${kind}`) })
    .click();
}

/** Chooses a command from the menu of a block, by the keyboard alone. */
export async function choose(page: Page, which: string, command: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${which}`, exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: which }).getByRole('button', { name: command }).focus();
  await page.keyboard.press('Enter');
}

/** Opens the form of the profile, if it is closed. */
export async function openProfile(page: Page): Promise<void> {
  const row = page.getByRole('button', { name: 'Profile: name, picture, bio, location' });
  await row.waitFor();
  if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
}

/** Titles of the blocks that the editor lists. */
export async function order(page: Page): Promise<string[]> {
  return page.locator('.blocks > .block .block-name .strong').allInnerTexts();
}

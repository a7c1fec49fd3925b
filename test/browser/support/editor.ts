import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The page inside the editor's preview. */
export function findPreviewFrame(page: Page): FrameLocator {
  return page.frameLocator('.preview iframe.shown');
}

export function findSaveBar(page: Page): Locator {
  return page.getByRole('region', { name: 'Unsaved changes' });
}

export async function waitForSaveState(page: Page, state: string): Promise<void> {
  await page.locator('.save-state').getByText(state, { exact: true }).waitFor();
}

export async function saveDraft(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await waitForSaveState(page, 'Saved');
}

export async function openEditorTab(
  page: Page,
  name: 'Blocks' | 'Design' | 'Settings',
): Promise<void> {
  await page.locator('.edit > .tabs').getByRole('radio', { name }).check();
}

export async function openVersions(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Page options', exact: true }).click();
  await page.getByRole('button', { name: 'Versions', exact: true }).click();
}

export async function addBlock(page: Page, kind: string): Promise<void> {
  await page.getByRole('button', { name: 'Add block', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Add a block' })
    .getByRole('button', { name: new RegExp(`^${kind}`) })
    .click();
}

export async function chooseBlockCommand(
  page: Page,
  blockName: string,
  command: string,
): Promise<void> {
  await page.getByRole('button', { name: `More for ${blockName}`, exact: true }).focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('dialog', { name: blockName });
  // The menu focuses its first item shortly after it opens.
  await menu.locator('button:focus').waitFor();
  await menu.getByRole('button', { name: command }).focus();
  await page.keyboard.press('Enter');
}

export async function openProfile(page: Page): Promise<void> {
  const row = page.getByRole('button', { name: 'Profile: name, picture, bio, location' });
  await row.waitFor();
  if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
}

export async function listBlockTitles(page: Page): Promise<string[]> {
  return page.locator('.blocks > .block .block-name .strong').allInnerTexts();
}

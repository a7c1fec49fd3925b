import { describe, expect, it } from 'vitest';
import { createImage } from '../support/pictures.ts';
import { startTestApp } from '../support/test-app.ts';
import { HOME_HEADING, setUpDashboard } from './support/dashboard.ts';
import {
  addBlock,
  chooseBlockCommand,
  findPreviewFrame,
  findSaveBar,
  openProfile,
  saveDraft,
  waitForSaveState,
} from './support/editor.ts';
import { expectNoProblems, FAILED_REQUEST } from './support/visit.ts';

const LINK_PAGE = `<a class="button" href="https://example.com/shop?a=1&amp;b=2"><img src=x onerror=alert(1)>My <b>shop</b></a>
  <a href="https://example.com/old">Old</a><a href="javascript:alert(1)">No</a>
  <a hidden href="mailto:jane@example.com">Mail</a>`;

const dashboard = setUpDashboard(startTestApp);

const PHONE = { width: 390, height: 844 };

async function openPage() {
  const opened = await dashboard.openNew('Page');
  await opened.page.setViewportSize(PHONE);
  return opened;
}

describe('an empty page', () => {
  it('is filled from a template, customized, saved, and replaced by another template', async () => {
    const { account, visit, page } = await openPage();
    const startSection = page.getByRole('region', { name: 'How would you like to begin?' });
    await startSection.getByRole('listitem').nth(4).waitFor();
    // Thumbnails are real pages and load one by one.
    await startSection.locator('.thumb iframe.shown').first().waitFor();
    const dialog = page.getByRole('dialog', { name: 'Start from a template' });
    await expectNoProblems(visit);
    await startSection.getByRole('button', { name: 'Musician' }).click();
    await startSection.waitFor({ state: 'detached' });
    await openProfile(page);
    await page.getByLabel('Name', { exact: true }).fill('Jane Doe');
    await saveDraft(page);
    const { site, blocks } = await account.client.site.getSiteConfiguration();
    expect(site).toMatchObject({ display_name: 'Jane Doe', themes: { name: 'Midnight' } });
    expect(blocks).toContainEqual(expect.objectContaining({ title: 'Salt on the Windows' }));

    await page.getByRole('button', { name: 'Templates' }).click();
    await dialog.getByRole('button', { name: 'Maker' }).click();
    const confirmDialog = page.getByRole('dialog', { name: /^Replace your blocks/ });
    await confirmDialog.getByRole('button', { name: 'Replace' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('The new batch is here').first().waitFor();
    await page.locator('.message').getByRole('button', { name: 'Undo' }).click();
    await waitForSaveState(page, 'Saved');
    expect(visit.messages).toEqual([]);
  });

  it('is filled with selected links of another page, whose source is pasted', async () => {
    const { account, visit, page } = await openPage();
    await page.getByRole('button', { name: 'Import from another page' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import from another page' });
    const field = dialog.getByLabel('Source of your page, or a list of links');
    const findButton = dialog.getByRole('button', { name: 'Find links' });
    visit.ignoredMessages.push(FAILED_REQUEST);
    await field.fill('https://example.com');
    await findButton.click();
    await dialog.getByText('Paste the source of the page').waitFor();
    await field.fill('<p>Hello');
    await findButton.click();
    await dialog.getByText('We found no links.').waitFor();
    await dialog.getByText('Left out: 1').click();
    await dialog.getByText('Hello').waitFor();
    await field.fill(LINK_PAGE);
    await findButton.click();
    await dialog.getByText('My shop').waitFor();
    await dialog.getByText('Left out: 1').waitFor();
    await expectNoProblems(visit);
    await dialog.getByRole('checkbox', { name: /Old/ }).uncheck();
    await dialog.getByRole('button', { name: 'Add 2 to my page' }).click();
    await dialog.waitFor({ state: 'detached' });
    await saveDraft(page);
    const { blocks } = await account.client.site.getSiteConfiguration();
    expect(blocks).toMatchObject([
      { type: 'link', title: 'My shop', url: 'https://example.com/shop?a=1&b=2', enabled: true },
      { type: 'link', title: 'Mail', url: 'mailto:jane@example.com', enabled: false },
    ]);
    expect(visit.messages).toEqual([]);
  });
});

it('pasted links are added below the blocks of a page', async () => {
  const { account, page } = await openPage();
  await account.client.site.updateSiteConfiguration({
    blocks: [{ type: 'text', content: 'Hello.' }],
  });
  await page.reload();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import from another page' });
  await dialog.getByRole('textbox').fill('Shop: https://example.com/shop\n[Fair](fair.example)\0');
  await dialog.getByRole('button', { name: 'Find links' }).click();
  await dialog.getByRole('button', { name: /^Add 2 / }).click();
  await saveDraft(page);
  const { blocks } = await account.client.site.getSiteConfiguration();
  expect(blocks.map(({ type }) => type)).toEqual(['text', 'link', 'link']);
});

it('a page without a title suggests the words of the name', async () => {
  const account = await dashboard.server.createNamedAccount('kim-larsson');
  const { page } = await dashboard.open(account, 'Page');
  await page.getByRole('button', { name: /Profile: name/ }).click();
  await page.getByRole('button', { name: 'Kim Larsson' }).click();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kim Larsson');
  await page
    .getByRole('button', { name: 'Kim Larsson', exact: true })
    .waitFor({ state: 'detached' });
});

describe('an owner', () => {
  it('moves, duplicates, hides, deletes and undoes with the keyboard only', async () => {
    const account = await dashboard.server.createAccount();
    await account.client.site.updateSiteConfiguration({
      blocks: ['One', 'Two', 'Three'].map((content) => ({ type: 'heading', content })),
    });
    const { visit, page } = await dashboard.open(account, 'Page');
    const listTitles = () => findPreviewFrame(page).locator('main h2').allInnerTexts();
    await findPreviewFrame(page).getByText('Three').waitFor();
    await chooseBlockCommand(page, 'Heading Three', 'Move up');
    await chooseBlockCommand(page, 'Heading Three', 'Move up');
    await chooseBlockCommand(page, 'Heading One', 'Duplicate');
    await chooseBlockCommand(page, 'Heading Two', 'Hide');
    await expect.poll(listTitles).toEqual(['Three', 'One', 'One']);
    await page.getByLabel('Show Heading Two').focus();
    await page.keyboard.press('Space');
    await expect.poll(listTitles).toEqual(['Three', 'One', 'One', 'Two']);
    await page.locator('.block-name:focus').getByText('Two').waitFor();
    await chooseBlockCommand(page, 'Heading Two', 'Hide');
    await expect.poll(listTitles).toEqual(['Three', 'One', 'One']);
    await chooseBlockCommand(page, 'Heading Three', 'Delete');
    await expect.poll(listTitles).toEqual(['One', 'One']);
    // The focus moves to the row that took the deleted row's place.
    await page.locator('.block-name:focus').getByText('One').waitFor();
    await findSaveBar(page).getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Space');
    await expect.poll(listTitles).toEqual(['Three', 'One', 'One']);
    await saveDraft(page);
    const { blocks } = await account.client.site.getSiteConfiguration();
    expect(blocks.map(({ content, enabled }) => [content, enabled])).toEqual([
      ['Three', true],
      ['One', true],
      ['One', true],
      ['Two', false],
    ]);
    expect(visit.messages).toEqual([]);
  });

  it('sees the server’s errors beside the field, and loses no input', async () => {
    const { page } = await dashboard.openNew('Page');
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
    await waitForSaveState(page, 'Saved');
  });
});

it('two windows of the same owner ask which version to keep', async () => {
  const { account, visit, page } = await dashboard.openNew('Page');
  // The server refuses a save that would overwrite a change.
  visit.ignoredMessages.push(FAILED_REQUEST);
  await openProfile(page);
  for (const [choice, bio, mood] of [
    ['Keep my version', 'Keep my version!', null],
    ['Load their version', 'Theirs.', 'glad'],
  ] as const) {
    await page.getByLabel('Bio').fill(`${choice}!`);
    await account.client.site.updateSiteConfiguration({ bio: 'Theirs.', mood: 'glad' });
    await findSaveBar(page).getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'The page was also changed elsewhere' });
    await dialog.getByRole('button', { name: choice }).click();
    await waitForSaveState(page, 'Saved');
    await expect.poll(() => page.getByLabel('Bio').inputValue()).toBe(bio);
    const { site } = await account.client.site.getSiteConfiguration();
    expect(site).toMatchObject({ bio, mood });
  }
});

it('unsaved changes are not sent for another account that signed in, and wait for their own account', async () => {
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
  await saveDraft(page);
  expect((await account.client.site.getSiteConfiguration()).site.bio).toBe('Of the first.');
  expect((await otherAccount.client.site.getSiteConfiguration()).site.bio).toBeNull();
});

/** A 12-megapixel phone photo that is rotated by its EXIF orientation. */
/** Its orientation makes it upright. */
async function createPhoto(width = 4_000, height = 3_000) {
  const file = createImage({ width, height, color: '#c0392b' });
  const buffer = await file.withMetadata({ orientation: 6 }).jpeg().toBuffer();
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer };
}

it('a picture is a link or a photo that is chosen on a phone and cropped to a square, and no other file', async () => {
  const { account, visit, page } = await dashboard.openNew('Page');
  await page.setViewportSize({ width: 390, height: 844 });
  await openProfile(page);
  await page.getByRole('button', { name: 'Use a link' }).click();
  const address = page.getByLabel('Address', { exact: true });
  await address.fill('example.com/me.png');
  await page.getByLabel('Bio').focus();
  await expect.poll(() => address.inputValue()).toBe('https://example.com/me.png');
  await address.fill('');
  const file = { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('hello') };
  await page.getByLabel('File for Picture').setInputFiles(file);
  await page.getByText('The picture is damaged or incomplete.').waitFor();
  await page.getByLabel('File for Picture').setInputFiles(await createPhoto());
  const dialog = page.getByRole('dialog', { name: 'Adjust the picture' });
  await dialog.waitFor();
  const measureBottom = async () => {
    const { y, height } = (await dialog.boundingBox())!;
    return y + height;
  };
  await expect.poll(measureBottom).toBe(844);
  await dialog.getByLabel('Zoom').fill('2');
  await dialog.getByRole('img').focus();
  await page.keyboard.press('ArrowLeft');
  // The linked picture was loaded from its host.
  await expectNoProblems({ ...visit, requests: [], messages: [] });
  await dialog.getByRole('button', { name: 'Use picture' }).click();
  await page.getByRole('button', { name: 'Replace' }).waitFor();
  await saveDraft(page);
  const { site } = await account.client.site.getSiteConfiguration();
  expect(site.avatar_url).toMatch(/\/pictures\/[\w-]{22}-1200x1200\/1200\.webp$/);
  await page.reload();
  await page.locator('.account-button img').waitFor({ state: 'attached' });
});

it('several pictures are uploaded to a gallery in their order and moved with the keys, but not a file of another kind', async () => {
  const { account, visit, page } = await dashboard.openNew('Page');
  await page.setViewportSize({ width: 390, height: 844 });
  await addBlock(page, 'Gallery');
  const photos = await Promise.all([400, 500, 600].map((width) => createPhoto(width, 300)));
  const notes = { name: 'notes.heic', mimeType: 'image/heic', buffer: Buffer.from('hello') };
  visit.ignoredMessages.push(/status of 415/);
  const broken = { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('hello') };
  await page.getByLabel('File for Pictures').setInputFiles([notes, broken, ...photos]);
  await page.getByLabel('Alt text 3').waitFor();
  await page.getByText('This is a HEIC photo').waitFor();
  const damaged = page.getByText('The picture is damaged or incomplete.', { exact: true });
  // Above the pictures, which can be higher than the screen.
  const { y } = (await damaged.boundingBox())!;
  expect(y).toBeLessThan((await page.getByLabel('Alt text 1').boundingBox())!.y);
  // A message at the bottom would show it twice.
  expect(await page.locator('.message').count()).toBe(0);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Replace' }).last().click();
  await (await chooser).setFiles([await createPhoto(700, 300)]);
  await page.getByLabel('Alt text 4').waitFor();
  await page.getByRole('button', { name: 'Remove notes.heic' }).click();
  await page.getByRole('button', { name: 'Remove picture 1' }).click();
  await page.getByLabel('Alt text 1').fill('A bowl');
  await page.getByRole('button', { name: 'Move picture 1 with the arrow keys' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('button', { name: 'Move picture 2 with the arrow keys' }).press('ArrowDown');
  await page.getByRole('button', { name: 'Remove picture 2' }).click();
  await expectNoProblems(visit);
  await saveDraft(page);
  const { blocks } = await account.client.site.getSiteConfiguration();
  expect(blocks[0]).toMatchObject({
    type: 'gallery',
    items: [
      { url: expect.stringContaining('-300x500/') },
      { url: expect.stringContaining('-300x400/'), alt: 'A bowl' },
    ],
  });

  await page.context().setOffline(true);
  const others = await Promise.all([450, 550].map((width) => createPhoto(width, 300)));
  await page.getByLabel('File for Pictures').setInputFiles(others);
  await page.getByText('2 pictures are not uploaded yet').waitFor();
  await page.route('**/*-300x450/**', (route) => route.abort());
  await page.context().setOffline(false);
  await page.getByLabel('Alt text 4').waitFor();
  // A picture that cannot be loaded is an icon.
  await expect.poll(() => page.locator('.picture-thumb > img').count()).toBe(3);
});

it('an image is dropped, and an earlier picture is reused', async () => {
  const { visit, page } = await dashboard.openNew('Page');
  await addBlock(page, 'Image');
  const { buffer } = await createPhoto();
  const field = page.getByRole('group', { name: 'Picture' });
  const dataTransfer = await page.evaluateHandle(
    `(() => {
      const bytes = Uint8Array.from(atob('${buffer.toString('base64')}'), (c) => c.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], 'photo.jpg', { type: 'image/jpeg' }));
      return data;
    })()`,
  );
  await field.dispatchEvent('drop', { dataTransfer });
  const dialog = page.getByRole('dialog', { name: 'Adjust the picture' });
  await dialog.getByText('Wide').click();
  await dialog.getByRole('button', { name: 'Use picture' }).click();
  await field.getByRole('button', { name: 'Replace' }).waitFor();
  await field.getByRole('button', { name: 'Remove' }).click();
  await field.getByRole('button', { name: 'Your pictures' }).click();
  await page.getByRole('button', { name: 'Use picture 1, 1200 by 675 pixels' }).click();
  await field.getByRole('button', { name: 'Replace' }).waitFor();
  await field.getByRole('button', { name: 'Your pictures' }).click();
  await expectNoProblems(visit);
  await page.getByRole('button', { name: 'Delete picture 1' }).click();
  const confirmDialog = page.getByRole('dialog', { name: 'Delete this picture?' });
  await confirmDialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No pictures yet').waitFor();
});

import { expect, it } from 'vitest';
import { createImage } from '../support/pictures.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { addBlock, openProfile, waitForSaveState } from './support/editor.ts';
import { expectNoProblems, visitUrl } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

/** A 12-megapixel phone photo that is rotated by its EXIF orientation. */
async function createPhoto() {
  const file = createImage({ width: 4_000, height: 3_000, color: '#c0392b' });
  const buffer = await file.withMetadata({ orientation: 6 }).jpeg().toBuffer();
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer };
}

it('a photo is chosen on a phone, cropped to a square, and becomes the avatar', async () => {
  const account = await dashboard.server.createAccount();
  const visit = await dashboard.open(account, 'Page');
  const { page } = visit;
  await page.setViewportSize({ width: 390, height: 844 });
  await openProfile(page);
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
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: 'Use picture' }).click();
  await page.getByRole('button', { name: 'Replace' }).waitFor();
  await expectNoProblems(visit);
  await page.keyboard.press('Control+s');
  await waitForSaveState(page, 'Saved');
  const { site } = await account.client.site.getSiteConfiguration();
  expect(site.avatar_url).toMatch(/\/pictures\/[\w-]{22}-1200x1200\/1200\.webp$/);
  // The account menu shows it, too. Open the public host, because picture URLs use it.
  const link = (await dashboard.createLoginLink(account)).replace('127.0.0.1', 'localhost');
  const secondVisit = await visitUrl(dashboard.browser, link);
  await secondVisit.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await secondVisit.page.locator('.account-button img[src^="/pictures/"]').waitFor();
});

it('a gallery keeps a picture that is added while another one is uploaded', async () => {
  const account = await dashboard.server.createAccount();
  const { page } = await dashboard.open(account, 'Page');
  await addBlock(page, 'Gallery');
  const addPicture = page.getByRole('button', { name: 'Add a picture' });
  await addPicture.click();
  await page.route('**/owner/pictures/upload', async (route) => {
    await addPicture.click();
    await page.getByLabel('Caption 2').fill('Mugs');
    await route.continue();
  });
  await page.getByLabel('File for Picture 1').setInputFiles(await createPhoto());
  const dialog = page.getByRole('dialog', { name: 'Adjust the picture' });
  await dialog.getByLabel('Alt text').fill('A bowl');
  await dialog.getByRole('button', { name: 'Use picture' }).click();
  await page.getByRole('button', { name: 'Replace' }).waitFor();
  await page.keyboard.press('Control+s');
  await waitForSaveState(page, 'Saved');
  const { blocks } = await account.client.site.getSiteConfiguration();
  expect(blocks[0]).toMatchObject({
    type: 'gallery',
    items: [{ url: expect.stringContaining('/pictures/'), alt: 'A bowl' }, { caption: 'Mugs' }],
  });
});

it('an image is dropped, gets an alt text, and an earlier picture is reused', async () => {
  const account = await dashboard.server.createAccount();
  const { page } = await dashboard.open(account, 'Page');
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
  await dialog.getByLabel('Alt text').fill('A red field');
  await dialog.getByRole('button', { name: 'Use picture' }).click();
  await field.getByRole('button', { name: 'Replace' }).waitFor();
  await expect.poll(() => page.getByLabel('Alt text').inputValue()).toBe('A red field');
  await field.getByRole('button', { name: 'Remove' }).click();
  await field.getByRole('button', { name: 'Your pictures' }).click();
  await page.getByRole('button', { name: 'Use picture 1, 1200 by 675 pixels' }).click();
  await field.getByRole('button', { name: 'Replace' }).waitFor();
  await field.getByRole('button', { name: 'Your pictures' }).click();
  await page.getByRole('button', { name: 'Delete picture 1' }).click();
  const confirmDialog = page.getByRole('dialog', { name: 'Delete this picture?' });
  await confirmDialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No pictures yet').waitFor();
});

it('a file that is not a picture is refused with a message, and a URL can be entered instead', async () => {
  const account = await dashboard.server.createAccount();
  const { page } = await dashboard.open(account, 'Page');
  await openProfile(page);
  const file = { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('hello') };
  await page.getByLabel('File for Picture').setInputFiles(file);
  await page
    .getByText('This file cannot be used. Choose a JPEG, PNG, WebP, GIF or AVIF picture.')
    .waitFor();
  await page.getByRole('button', { name: 'Use a link' }).click();
  await page.getByLabel('Address', { exact: true }).fill('example.com/me.png');
  await page.getByLabel('Bio').focus();
  await expect
    .poll(() => page.getByLabel('Address', { exact: true }).inputValue())
    .toBe('https://example.com/me.png');
});

import { wcagContrast } from 'culori';
import { expect, it } from 'vitest';
import { plateColors } from '#contract/shared/plate-colors.ts';
import { createInvitationLink } from '#server/features/invitations/invitation.ts';
import { createOperator } from '../support/endpoints.ts';
import { addPicture, createImage } from '../support/pictures.ts';
import { startTestApp } from '../support/test-app.ts';
import { HOME_HEADING, setUpDashboard } from './support/dashboard.ts';
import { openEditorTab, saveDraft } from './support/editor.ts';
import { expectNoProblems, FAILED_REQUEST } from './support/visit.ts';

const dashboard = setUpDashboard(() => startTestApp({ CUSTOM_DOMAIN_TARGET: undefined }));

it('an error is not behind the bar with the button on a phone', async () => {
  const { page, visit } = await dashboard.openOperator('Appearance');
  await page.setViewportSize({ width: 390, height: 844 });
  visit.ignoredMessages.push(FAILED_REQUEST);
  await page.getByLabel('Our page').fill('nobody');
  await page.getByLabel('One line').focus();
  await page.getByRole('button', { name: 'Save changes' }).click();
  const error = page.getByText('The page of @nobody is not on the front page.');
  await error.waitFor();
  const isAbove = async () => {
    const [box, bar] = [
      await error.boundingBox(),
      await page.getByRole('button', { name: 'Save changes' }).boundingBox(),
    ];
    return box!.y > 0 && box!.y + box!.height < bar!.y;
  };
  await expect.poll(isAbove).toBe(true);
});

it('unsaved changes survive a visit to another screen and an upgrade of the server, and the window warns before it closes', async () => {
  const { page } = await dashboard.openOperator('Appearance');
  const line = page.getByLabel('One line');
  const saved = await line.inputValue();
  await line.fill('Not saved.');
  await page.route('**/owner/keys/list-keys', async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'nameplate-version': '99.0.0' };
    await route.fulfill({ response, headers });
  });
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByText('The server has another version now.').waitFor();
  page.removeAllListeners('dialog');
  const confirmation = page.waitForEvent('dialog');
  await page.evaluate('void setTimeout(() => location.reload())');
  expect((await confirmation).type()).toBe('beforeunload');
  await (await confirmation).dismiss();
  const questions: unknown[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.type());
    void dialog.accept();
  });
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reload' }).click();
  await loaded;
  await page.getByRole('link', { name: 'Appearance (unsaved changes)' }).click();
  await expect.poll(() => line.inputValue()).toBe('Not saved.');
  expect(questions).toEqual([]);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('link', { name: 'Appearance', exact: true }).waitFor();
  expect(await line.inputValue()).toBe(saved);
});

it('saving waits for a logo that is still uploading', async () => {
  const { page } = await dashboard.openOperator('Appearance');
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/owner/pictures/**', async (route) => {
    await released;
    await route.continue();
  });
  await page.getByLabel('One line').fill('With a logo.');
  await page.getByLabel('File for Logo').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: await createImage({ width: 30, height: 30, color: '#1f5b96' }).png().toBuffer(),
  });
  await page.getByText('Uploading…').waitFor();
  const saveRequest = page.waitForRequest('**/owner/server/update-instance');
  await page.getByRole('button', { name: 'Save changes' }).click();
  release();
  expect((await saveRequest).postDataJSON()).toMatchObject({
    line: 'With a logo.',
    logo_url: expect.stringContaining('/pictures/'),
  });
  await page.getByText('Saved. Everybody sees it within seconds.').waitFor();
});

it('an operator names the server, chooses logo and color, and visitors see it', async () => {
  const operator = await createOperator(dashboard.server, 'nora');
  const { visit, page } = await dashboard.open(operator, 'Appearance');
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe.shown');
  await page.getByLabel('Name of the club, school or company').fill('Skerry Sailing Club');
  await page.getByLabel('One line').fill('A harbor, 480 sailors, and a page for each of us.');
  await preview.getByRole('heading', { name: 'Skerry Sailing Club' }).waitFor();
  await page.getByLabel('Harbor blue').check();
  await page.getByLabel('File for Logo').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: await createImage({ width: 300, height: 300, color: '#1f5b96' }).png().toBuffer(),
  });
  await preview.locator('.logo img[src*="/pictures/"]').waitFor();
  await preview.getByRole('link', { name: 'Claim your name' }).waitFor();
  await preview.locator('link[href*="/1f5b96-"]').waitFor({ state: 'attached' });
  await page.getByLabel('Welcome text').fill('**Welcome** aboard.');
  await preview.locator('strong', { hasText: /^Welcome$/ }).waitFor();
  await expectNoProblems(visit);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. Everybody sees it within seconds.').waitFor();
  await page.getByRole('link', { name: 'Skerry Sailing Club' }).waitFor();
  await expect.poll(() => page.title()).toBe('Appearance · Skerry Sailing Club');
  await page.getByRole('link', { name: 'Imprint and privacy' }).click();
  await page.getByLabel('Link to another site').check();
  await page.getByLabel('Imprint').last().fill('skerry.example/imprint');
  // The message of the first change may still be visible.
  const published = page.waitForResponse('**/owner/server/update-instance');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await published;
  const { invitation_url } = await createInvitationLink(dashboard.server.db, '', { days: 7 });
  for (const [path, text] of [
    ['/', 'A harbor, 480 sailors, and a page for each of us.'],
    ['/dashboard/login', 'Sign in to Skerry Sailing Club'],
    [invitation_url, 'You are invited to Skerry Sailing Club'],
  ] as const) {
    const visitor = await dashboard.visit(path);
    await visitor.page.getByText(text).waitFor();
    await visitor.page.getByRole('link', { name: 'Imprint' }).waitFor();
    await expect
      .poll(() =>
        visitor.page.evaluate(
          `getComputedStyle(document.documentElement).getPropertyValue('--plate-1').trim()`,
        ),
      )
      .toBe('#1f5b96');
    await expectNoProblems(visitor);
  }
});

it('an operator makes a theme for pages, which a member finds first and chooses', async () => {
  const { page: appearance } = await dashboard.openOperator('Appearance');
  await appearance.getByLabel('Name of the club, school or company').fill('Rowing Club');
  await appearance.getByLabel('Fonts').selectOption('Lora and Inter');
  await appearance.getByRole('button', { name: 'Save changes' }).click();
  await appearance.getByText('Saved. Everybody sees it within seconds.').waitFor();
  const member = await dashboard.server.createAccount();
  await member.client.site.updateSiteConfiguration({ bio: 'Cox.' });
  const { visit, page } = await dashboard.open(member, 'Page');
  await openEditorTab(page, 'Design');
  await page.locator('.theme').first().click();
  const fonts = page.getByRole('radiogroup', { name: 'Fonts' });
  await expect.poll(() => fonts.getByLabel('As in Rowing Club').isChecked()).toBe(true);
  await saveDraft(page);
  const { site } = await member.client.site.getSiteConfiguration();
  expect(site.themes).toMatchObject({ name: 'Rowing Club' });
  await expectNoProblems(visit);
});

it('accents are readable on every background, whatever the color of the club', async () => {
  const { page } = await dashboard.openOperator('Appearance');
  const readColors = async (plate: string, scheme: string, names: readonly string[]) =>
    page.evaluate<string[]>(`{
      const { style, dataset } = document.documentElement;
      style.setProperty('--plate-1', '${plate}');
      dataset.scheme = '${scheme}';
      const probe = document.body.appendChild(document.createElement('i'));
      const canvas = new OffscreenCanvas(1, 1).getContext('2d');
      ${JSON.stringify(names)}.map((name) => {
        probe.style.color = 'var(--' + name + ')';
        canvas.fillStyle = getComputedStyle(probe).color;
        canvas.fillRect(0, 0, 1, 1);
        return 'rgb(' + canvas.getImageData(0, 0, 1, 1).data.slice(0, 3).join(' ') + ')';
      });
    }`);
  const accents = new Set<string>();
  const backgrounds = ['background', 'surface', 'sunk', 'floating', 'tint'];
  for (const color of AWKWARD_COLORS)
    for (const scheme of ['light', 'dark']) {
      const { top } = plateColors(color);
      const [accent = '', fill = '', ...others] = await readColors(top, scheme, [
        ...['accent', 'fill'],
        ...backgrounds,
      ]);
      accents.add(accent);
      for (const [index, other] of others.entries()) {
        const where = [color, scheme, backgrounds[index]];
        expect(wcagContrast(accent, other), where.join(' ')).toBeGreaterThanOrEqual(4.5);
        expect(wcagContrast(fill, other), where.join(' ')).toBeGreaterThanOrEqual(3);
      }
    }
  expect(accents.size).toBeGreaterThan(AWKWARD_COLORS.length);
});

/** Yellow, neon, near white, near black, greys, and the lightest green that a plate may have. */
const AWKWARD_COLORS = [
  ...['#ffe600', '#39ff14', '#00ffff', '#ff00ff', '#fefefa', '#050505', '#808080', '#c0c0c0'],
  ...['#009600', '#0000ff', '#7a1f2b'],
];

it('an operator writes the legal texts from a draft, and is warned of gaps', async () => {
  const { visit, page } = await dashboard.openOperator('Imprint and privacy');
  const text = page.getByLabel('Text', { exact: true });
  await page.getByLabel('Privacy policy').check();
  await page.getByLabel('Language of the draft').selectOption('de');
  await page.getByRole('button', { name: 'Start with a draft' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByRole('heading', { name: 'Wer verantwortlich ist' }).waitFor();
  await expect.poll(() => preview.locator('mark').first().innerText()).toMatch(/^\[(Name|Straße)/);
  await page.getByText(/^\d places to fill in/).waitFor();
  await expectNoProblems(visit);

  // Unsaved texts survive a visit to another text or screen.
  await page.getByLabel('Terms').check();
  await expect.poll(() => text.inputValue()).toBe('');
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
  await page.goBack();
  await page.getByLabel('Privacy policy').check();
  await expect.poll(() => text.inputValue()).toContain('## Wer verantwortlich ist');

  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish with gaps?' });
  await dialog.getByText('[Hosting-Anbieter]').waitFor();
  await dialog.getByRole('button', { name: 'Fill them in' }).click();
  await page.getByLabel('Imprint').check();
  await page.getByLabel('Text on this server').check();
  await text.fill('Skerry Club');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Next: privacy policy' }).click();
  await text.fill('## Us\n\n[Rules](https://skerry.example)');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  // The message of the imprint may still be there.
  await page.getByRole('link', { name: 'Open', exact: true }).waitFor();
  await page.getByLabel('Link to another site').check();
  const link = page.getByLabel('Privacy policy').last();
  await link.fill('http://skerry.example/privacy');
  visit.ignoredMessages.push(FAILED_REQUEST);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Privacy policy must be a web address that starts with https://.').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  const visitor = await dashboard.visit('/privacy');
  await visitor.page.getByRole('heading', { name: 'Us' }).waitFor();
  await expectNoProblems(visitor);
});

it.each([
  ['square', 300, 300],
  ['wide', 600, 100],
  ['tall', 100, 600],
])('a %s logo is in the middle of its plate on the cover', async (_shape, width, height) => {
  const operator = await createOperator(dashboard.server);
  const [logo, cover] = [
    { width, height },
    { width: 1_600, height: 800 },
  ].map((size) => addPicture(dashboard.server, operator, size));
  const pictures = { logo_url: (await logo!).url, cover_url: (await cover!).url };
  await operator.owner.server.updateInstance(pictures);
  const { page } = await dashboard.visit('/');
  const boxes = ['.crest', '.crest img'].map((part) => page.locator(part).boundingBox());
  const [plate, picture] = await Promise.all(boxes);
  expect(picture!.x - plate!.x).toBeCloseTo((plate!.width - picture!.width) / 2, 0);
  expect(picture!.y - plate!.y).toBeCloseTo((plate!.height - picture!.height) / 2, 0);
});

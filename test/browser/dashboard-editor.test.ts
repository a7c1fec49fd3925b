import { describe, expect, it } from 'vitest';
import { utcDay } from '#contract/shared/durations.ts';
import { addPageVisits } from '#db/queries/page-visits.ts';
import { createImage } from '../support/pictures.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard, waitForDialogClosed } from './support/dashboard.ts';
import {
  addBlock,
  findSaveBar,
  chooseBlockCommand,
  openEditorTab,
  openProfile,
  openVersions,
  listBlockTitles,
  findPreviewFrame,
  saveDraft,
  waitForSaveState,
} from './support/editor.ts';
import { expectFocus } from './support/keyboard.ts';
import { expectNoProblems } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

async function createAccountWith(...contents: string[]) {
  const account = await dashboard.server.createAccount();
  const blocks = contents.map((content) => ({ type: 'heading' as const, content }));
  await account.client.site.updateSiteConfiguration({ blocks });
  return account;
}

it('an address shows an error only after it is typed, and while incomplete stops no other change from being saved', async () => {
  const { account, visit, page } = await dashboard.openNew('Page');
  const address = page.getByLabel('Address');
  await addBlock(page, 'Link');
  await address.pressSequentially('nowhere');
  await expect.poll(() => page.getByText('not finished').count()).toBe(0);
  await page.getByLabel('Title').focus();
  await page.getByText('Address must be a web address, such as https://example.com.').waitFor();
  await expectNoProblems(visit);
  await address.fill('');
  await openProfile(page);
  await page.getByLabel('Bio').fill('Potter.');
  await page.keyboard.press('Control+s');
  await waitForSaveState(page, 'Not finished: Link');
  expect((await account.client.site.getSiteConfiguration()).site.bio).toBe('Potter.');

  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole('link', { name: 'Page (unsaved changes)' }).waitFor();
  await page.getByRole('button', { name: 'Not finished: Link' }).click();
  await address.waitFor();
  await openProfile(page);
  const window = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: 'Not finished', exact: true }).click();
  await address.waitFor();
  await page.setViewportSize(window);
  await address.fill('mira.example');
  // The preview shows a change that was saved before it could be previewed.
  await openProfile(page);
  await page.getByLabel('Bio').fill('Baker.');
  await page.keyboard.press('Control+s');
  await findPreviewFrame(page).getByText('Baker.').waitFor();
  await page.getByRole('link', { name: 'Page', exact: true }).waitFor();
});

it('a save names what the page still leaves out', async () => {
  const account = await dashboard.server.createNamedAccount('mira-form');
  await account.client.site.updateSiteConfiguration({
    blocks: [{ type: 'contact_form', fields: [{ label: 'Boat', type: 'choice', options: '' }] }],
  });
  await account.client.site.toggleSiteVisibility();
  const { page } = await dashboard.open(account, 'Page');
  await page.getByText('Missing: Options').waitFor();
  await openProfile(page);
  await page.getByLabel('Bio').fill('Potter.');
  await findSaveBar(page).getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. What is not finished is not shown yet: Contact form').waitFor();
});

it('a row has its clicks, and the preview keeps the order of blocks without content', async () => {
  const account = await dashboard.server.createAccount();
  const url = 'https://github.com/mira';
  const countdown = (title: string) => ({ type: 'countdown' as const, starts_at: '', title });
  await account.client.site.updateSiteConfiguration({
    blocks: [countdown('Spring'), { type: 'link', url }, countdown('Fall')],
  });
  const click = { kind: 'link' as const, day: utcDay(), value: url };
  await addPageVisits(dashboard.server.db, [{ accountId: account.id, ...click, count: 3 }]);
  const { page, messages } = await dashboard.open(account, 'Page');
  const ghosts = findPreviewFrame(page).getByText('Not shown: ');
  await expect
    .poll(() => ghosts.allInnerTexts())
    .toEqual(['Not shown: Countdown “Spring”', 'Not shown: Countdown “Fall”']);
  const row = page.locator('.blocks > .block').nth(1);
  await row.getByText('3 clicks').waitFor();
  expect(messages).toEqual([]);
});

it('a new link starts from a service, and shows the other options only on request', async () => {
  const { page } = await dashboard.openNew('Page');
  await addBlock(page, 'Link');
  const [address, description] = [page.getByLabel('Address'), page.getByLabel('Description')];
  expect(await description.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'YouTube' }).click();
  await page.keyboard.type('mira');
  await expect.poll(() => address.inputValue()).toBe('https://youtube.com/@mira');
  const link = findPreviewFrame(page).getByRole('link', { name: 'YouTube' });
  await expect.poll(() => link.getAttribute('href')).toBe('https://youtube.com/@mira');
  await page.locator('summary', { hasText: 'More options' }).click();
  await description.fill('Kilns');
  await description.fill('');
  await page.getByLabel('Icon').fill('🏺');
  expect(await description.isVisible()).toBe(true);

  const mine = page.getByLabel('Show it as mine on Mastodon');
  expect(await mine.count()).toBe(0);
  await address.fill('https://club.example/@mira');
  await mine.waitFor();
  // One size is for phones and for wide screens.
  const item = findPreviewFrame(page).locator('li', { has: page.locator('[href*="@mira"]') });
  for (const [name, className] of [
    ['Third', 'half'],
    ['Featured', 'featured'],
    ['Row', null],
  ] as const) {
    await page.getByRole('radio', { name }).check();
    await expect.poll(() => item.getAttribute('class')).toBe(className);
  }
});

it('an address without a player becomes a link, and the editor says so', async () => {
  const { page } = await dashboard.openNew('Page');
  await addBlock(page, 'Video, audio or map');
  const note = page.getByText('There is no player for this address, so visitors see a link to it.');
  await page.getByLabel('Address').fill('https://vimeo.com/1');
  await findPreviewFrame(page).getByText('vimeo.com').first().waitFor();
  expect(await note.count()).toBe(0);
  await page.getByLabel('Address').fill('https://films.example/1');
  await note.waitFor();
});

it('undo works from a message and with the keyboard; messages cover no buttons', async () => {
  const account = await createAccountWith('One', 'Two', 'Three');
  const { page, messages } = await dashboard.open(account, 'Page');
  const listTitles = () => listBlockTitles(page);
  await expect.poll(listTitles).toEqual(['One', 'Two', 'Three']);
  await chooseBlockCommand(page, 'Heading One', 'Delete');
  await chooseBlockCommand(page, 'Heading Two', 'Delete');
  const undoMessages = page.locator('.message');
  await expect
    .poll(() => undoMessages.allInnerTexts())
    .toEqual([expect.stringContaining('Heading “Two” deleted.')]);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const message = (await undoMessages.boundingBox())!;
    const bar = (await findSaveBar(page).boundingBox())!;
    const isBelow = message.y >= bar.y + bar.height;
    expect([width, isBelow || message.y + message.height <= bar.y]).toEqual([width, true]);
  }
  await undoMessages.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => listTitles()).toEqual(['Two', 'Three']);
  await page.getByRole('heading', { name: 'Blocks' }).click();
  await page.keyboard.press('Control+z');
  await expect.poll(() => listTitles()).toEqual(['One', 'Two', 'Three']);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => listTitles()).toEqual(['Two', 'Three']);

  expect(messages).toEqual([]);
});

describe('a block', () => {
  it.each(['mouse', 'finger'])(
    'follows a %s and the others make way, but stays where it was after Escape',
    async (pointer) => {
      const account = await createAccountWith('One', 'Two', 'Three', 'Four');
      const { page, context, messages } = await dashboard.open(account, 'Page');
      const devtools = await context.newCDPSession(page);
      const moveDrag = async (type: 'Start' | 'Move' | 'End', x: number, y: number) => {
        const touchPoints = type === 'End' ? [] : [{ x, y }];
        if (pointer === 'finger')
          await devtools.send('Input.dispatchTouchEvent', { type: `touch${type}`, touchPoints });
        else if (type === 'End') await page.mouse.up();
        else await page.mouse.move(x, y, { steps: 3 });
        if (pointer === 'mouse' && type === 'Start') await page.mouse.down();
      };
      await page.setViewportSize({ width: 1280, height: 1600 });
      // The layout is final once the preview is loaded.
      await findPreviewFrame(page).getByText('Three').waitFor();
      const gripBox = (await page.locator('.grip').first().boundingBox())!;
      const thirdBlockBox = (await page.locator('.blocks > .block').nth(2).boundingBox())!;
      const [x, bottom] = [gripBox.x + 5, thirdBlockBox.y + thirdBlockBox.height - 4];
      for (const end of ['Escape', 'drop']) {
        await moveDrag('Start', x, gripBox.y + 10);
        await moveDrag('Move', x, bottom);
        await page.locator('.block.moved-up', { hasText: 'Three' }).waitFor();
        expect(await page.locator('.block.moved-up').count()).toBe(2);
        const heldBox = (await page.locator('.block.held').boundingBox())!;
        expect(heldBox.y).toBeGreaterThan(thirdBlockBox.y);
        if (end === 'Escape') {
          await page.keyboard.press('Escape');
          await page.locator('.block.held').waitFor({ state: 'detached' });
          await page.getByText('Heading One stays where it was.').waitFor({ state: 'attached' });
          await waitForSaveState(page, 'Saved');
        }
        await moveDrag('End', x, bottom);
      }
      await expect.poll(() => listBlockTitles(page)).toEqual(['Two', 'Three', 'One', 'Four']);
      await expect.poll(() => page.locator('.block.moved-up').count()).toBe(0);
      expect(messages).toEqual([]);
    },
  );

  it('scrolls its list while it is held near the edge, and the page no further', async () => {
    const titles = Array.from({ length: 20 }, (_, at) => `${at + 1}.`);
    const account = await createAccountWith(...titles);
    const { page } = await dashboard.open(account, 'Page');
    await page.setViewportSize({ width: 390, height: 600 });
    await expect.poll(() => listBlockTitles(page)).toEqual(titles);
    await page.getByRole('heading', { name: 'Blocks' }).scrollIntoViewIfNeeded();
    const height = await page.evaluate('document.documentElement.scrollHeight');
    const { x, y } = (await page.locator('.grip').first().boundingBox())!;
    await page.mouse.move(x + 5, y + 10);
    await page.mouse.down();
    // Above the bar at the bottom
    await page.mouse.move(x + 5, 500, { steps: 3 });
    const bottomOf = (selector: string) =>
      page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().bottom`);
    await expect.poll(() => bottomOf('.blocks')).toBeLessThan(600);
    await page.mouse.move(x + 5, 599);
    await expect
      .poll(async () => Math.abs((await bottomOf('.held')) - (await bottomOf('.blocks'))))
      .toBeLessThan(4);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(height);
    await page.mouse.up();
    await expect.poll(() => listBlockTitles(page)).toEqual([...titles.slice(1), titles[0]]);
  });

  it('is moved by the arrow keys on its handle, which keeps the focus', async () => {
    const account = await createAccountWith('One', 'Two', 'Three');
    const { page } = await dashboard.open(account, 'Page');
    await page.getByRole('button', { name: 'Move Heading One with the arrow keys' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => listBlockTitles(page)).toEqual(['Two', 'Three', 'One']);
    await page.getByText('Heading “One”: block 3 of 3.').waitFor({ state: 'attached' });
    expect(await page.locator('.message').count()).toBe(0);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => listBlockTitles(page)).toEqual(['Two', 'One', 'Three']);
  });

  it('cannot be added beyond the limit, which is shown before', async () => {
    const account = await createAccountWith(...Array.from({ length: 99 }, (_, at) => `${at + 1}`));
    const { page } = await dashboard.open(account, 'Page');
    await page.getByText('A page can have 100 blocks: you can add 1 more.').waitFor();
    // The last row is within reach, too. Fails if something covers the button.
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.locator('.blocks > .block').last().scrollIntoViewIfNeeded();
      await page.getByRole('button', { name: 'Add block', exact: true }).click({ trial: true });
      expect(await page.evaluate('scrollY')).toBeGreaterThan(200);
    }
    await chooseBlockCommand(page, 'Heading 7', 'Duplicate');
    await page.getByText('A page can have 100 blocks. Delete one to add another.').waitFor();
    await page.getByRole('button', { name: 'Add block', exact: true }).click();
    await page.locator('.message').getByText('Delete one to add another.').waitFor();
  });
});

describe('the block picker', () => {
  it('moves between the kinds with the arrow keys, adds the first search result, and returns the focus when closed', async () => {
    const account = await createAccountWith('One');
    const { visit, page } = await dashboard.open(account, 'Page');
    const addBlockButton = page.getByRole('button', { name: 'Add block', exact: true });
    await addBlockButton.focus();
    await page.keyboard.press('Enter');
    const picker = page.getByRole('dialog', { name: 'Add a block' });
    await picker.waitFor();
    await expectFocus(page, 'Search blocks');
    await expectNoProblems(visit);
    await page.keyboard.press('Escape');
    await waitForDialogClosed(picker);
    await expectFocus(page, 'Add block');
    await page.keyboard.press('Enter');
    await expectFocus(page, 'Search blocks');
    for (const [key, kind] of [
      ['ArrowDown', 'Link'],
      ['ArrowRight', 'Image'],
      ['ArrowDown', 'Video, audio or map'],
      ['ArrowLeft', 'Gallery'],
      ['ArrowUp', 'Link'],
      ['ArrowUp', 'Search blocks'],
    ] as const) {
      await page.keyboard.press(key);
      const focused = page.locator('.block-picker :focus');
      const name = async () => (await focused.innerText()) || (await focused.ariaSnapshot());
      await expect.poll(name).toContain(kind);
    }
    await page.getByLabel('Search blocks').fill('quo');
    await page.keyboard.press('Enter');
    // The form that opens has the focus.
    await page.keyboard.type('Still warm.');
    await expect.poll(() => listBlockTitles(page)).toEqual(['One', 'Still warm.']);
    await expectFocus(page, 'Quote');
    await addBlock(page, 'Event');
    await page.getByRole('switch', { name: 'All day' }).click();
    expect(await page.getByLabel('Ends').getAttribute('type')).toBe('date');
    expect(await page.getByLabel('Time zone').count()).toBe(0);
  });

  it('starts events in the zone of the account, and then in the one chosen last', async () => {
    const account = await createAccountWith('One');
    await account.owner.account.updateTimeZone({ time_zone: 'Pacific/Auckland' });
    const { page } = await dashboard.open(account, 'Page');
    await addBlock(page, 'Event');
    const zone = page.getByLabel('Time zone');
    expect(await zone.inputValue()).toBe('Pacific/Auckland');
    await zone.selectOption('UTC');
    await page.getByText('These times are UTC. Choose your time zone.').waitFor();
    await zone.selectOption('Asia/Tokyo');
    await addBlock(page, 'Countdown');
    expect(await zone.inputValue()).toBe('Asia/Tokyo');
  });

  it('adds an event whose end moves with its start', async () => {
    const { page } = await dashboard.open(await createAccountWith('One'), 'Page');
    await addBlock(page, 'Event');
    const [start, end] = [page.getByLabel('Starts'), page.getByLabel('Ends (optional)')];
    await start.fill('2027-01-16T10:00');
    await expect.poll(() => end.getAttribute('min')).toBe('2027-01-16T10:00');
    await end.fill('2027-01-16T12:00');
    // An empty input forgets no length.
    await start.fill('');
    await start.fill('2027-02-20T11:00');
    await expect.poll(() => end.inputValue()).toBe('2027-02-20T13:00');
    // While the date has the focus, it alone says why the block cannot be saved.
    await page.getByLabel('Repeats', { exact: true }).selectOption('weekly');
    await page.getByLabel('Repeats until').fill('2027-02-19');
    await page.getByText('Choose a day that is not before “Starts”.').waitFor();
  });

  it('leaves out dates of an event that repeats', async () => {
    const { account, visit, page } = await dashboard.openNew('Page');
    await addBlock(page, 'Event');
    await page.getByLabel('Title').fill('Choir');
    await page.getByLabel('Starts').fill('2037-12-15T19:00');
    await page.getByLabel('Repeats', { exact: true }).selectOption('weekly');
    await page.getByText('Holidays and other exceptions').click();
    const holidays = ['Tue, Dec 22, 2037', 'Tue, Dec 29, 2037'];
    for (const name of holidays) await page.getByRole('button', { name }).click();
    await page.getByText('Next: Tue, Dec 15, 2037 · Tue, Jan 5, 2038').waitFor();
    await page.getByRole('button', { name: holidays[1]! }).click();
    await page.getByText('Next: Tue, Dec 15, 2037 · Tue, Dec 29, 2037').waitFor();
    await saveDraft(page);
    const { blocks } = await account.client.site.getSiteConfiguration();
    expect(blocks.at(-1)).toMatchObject({ repeats_except: ['2037-12-22'] });
    await expectNoProblems(visit);
  });

  it('opens between two blocks from the plus button or the menu, and inserts there', async () => {
    const account = await createAccountWith('One', 'Two');
    const { page } = await dashboard.open(account, 'Page');
    const quote = page.getByRole('button', { name: /^Quote/ });
    await page.locator('.block .block-name', { hasText: 'One' }).hover();
    await page.getByRole('button', { name: 'Add a block below Heading One' }).click();
    await quote.click();
    await page.getByRole('textbox', { name: 'Quote' }).fill('After one');
    await chooseBlockCommand(page, 'Heading Two', 'Add block below');
    await quote.click();
    await page.getByRole('textbox', { name: 'Quote' }).fill('After two');
    await expect
      .poll(() => listBlockTitles(page))
      .toEqual(['One', 'After one', 'Two', 'After two']);
  });
});

describe('the preview', () => {
  it('selects a clicked block, and highlights the edited one', async () => {
    const account = await dashboard.server.createAccount();
    const textBlocks = Array.from({ length: 20 }, (_, index) => ({
      type: 'text' as const,
      content: `Text ${index}`,
    }));
    const link = { type: 'link', url: 'https://mira.example', title: 'Shop' } as const;
    await account.client.site.updateSiteConfiguration({ blocks: [link, ...textBlocks] });
    const { page, context, messages } = await dashboard.open(account, 'Page');
    await findPreviewFrame(page).getByRole('link', { name: 'Shop' }).click();
    await expectFocus(page, 'Address');
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Shop');
    expect(context.pages()).toHaveLength(1);
    const lastText = findPreviewFrame(page).getByText('Text 19', { exact: true });
    const measureRelativeTop = () =>
      lastText.evaluate(
        (element) =>
          element.getBoundingClientRect().top / element.ownerDocument.documentElement.clientHeight,
      );
    await expect.poll(() => measureRelativeTop()).toBeGreaterThan(1);
    await page.locator('.block .block-name', { hasText: 'Text 19' }).click();
    await expect.poll(measureRelativeTop).toBeLessThan(1);
    await page.getByLabel('Text').last().fill('Text 19, changed');
    await findPreviewFrame(page).getByText('Text 19, changed').waitFor();
    expect(messages).toEqual([]);
  });

  it('shows a phone and a desktop, in light and dark, and replaces the editor on a phone', async () => {
    const account = await createAccountWith('One');
    const { page, messages } = await dashboard.open(account, 'Page');
    const heading = findPreviewFrame(page).getByRole('heading', { name: 'One' });
    const readPage = () =>
      heading.evaluate(({ ownerDocument: { defaultView: view, documentElement } }) => {
        const { colorScheme, backgroundColor } = view!.getComputedStyle(documentElement);
        return { width: documentElement.clientWidth, colorScheme, backgroundColor };
      });
    await expect.poll(readPage).toMatchObject({ width: 390 });
    await page.getByRole('radio', { name: 'Desktop' }).check({ force: true });
    await expect.poll(readPage).toMatchObject({ width: 1280, colorScheme: 'light' });
    const { backgroundColor: light } = await readPage();
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await expect.poll(readPage).toMatchObject({ colorScheme: 'dark' });
    await expect.poll(async () => (await readPage()).backgroundColor).not.toBe(light);
    expect(messages).toEqual([]);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Preview' }).click();
    await heading.waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Blocks' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('heading', { name: 'Blocks' }).waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    await heading.click();
    await expectFocus(page, 'Heading');
  });

  it('reports only pictures that fail, also lazy ones outside the viewport', async () => {
    const account = await dashboard.server.createAccount();
    const texts = Array.from({ length: 40 }, () => ({
      type: 'text' as const,
      content: 'Down we go.',
    }));
    const image = (name: string) => ({
      type: 'image' as const,
      url: `https://pictures.example/${name}.png`,
      alt: name,
    });
    await account.client.site.updateSiteConfiguration({
      avatar_url: 'https://pictures.example/me.png',
      blocks: [image('Broken'), ...texts, image('Whole')],
    });
    const { page } = await dashboard.open(account);
    const body = await createImage().png().toBuffer();
    await page.route('https://pictures.example/**', (route) =>
      route.request().url().endsWith('Broken.png')
        ? route.abort()
        : route.fulfill({ contentType: 'image/png', body }),
    );
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`${dashboard.base}/dashboard/page`);
      if (width === 390) await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText('Image “Broken”: the picture could not be loaded.').waitFor();
      await expect.poll(() => page.getByText('the picture could not be loaded').count()).toBe(1);
    }
  });

  it('shows an earlier version with its changes, returns to the draft, and restores a version', async () => {
    const account = await dashboard.server.createAccount();
    await account.client.site.updateSiteConfiguration({ bio: 'Potter in Lisbon.' });
    await account.client.site.updateSiteConfiguration({ bio: 'Potter in Porto.', mood: 'glad' });
    await account.client.site.updateSiteConfiguration({ location: 'Porto' });
    const { visit, page } = await dashboard.open(account, 'Page');
    await openVersions(page);
    await page.getByText('Bio and mood changed').waitFor();
    await page.locator('ins', { hasText: '…Porto.' }).waitFor();
    await page.getByRole('button', { name: 'View version 1' }).click();
    await findPreviewFrame(page).getByText('Potter in Lisbon.').waitFor();
    await expectNoProblems(visit);
    await page.getByRole('button', { name: 'Back to your draft' }).click();
    await findPreviewFrame(page).getByText('Potter in Porto.').waitFor();
    await page.getByRole('button', { name: 'View version 1' }).click();
    await openProfile(page);
    await page.getByLabel('Bio').fill('Potter anywhere.');
    await findPreviewFrame(page).getByText('Potter anywhere.').waitFor();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    const dialog = page.getByRole('dialog', { name: /version 1/ });
    await dialog.getByText('Your unsaved changes will be lost.').waitFor();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await findPreviewFrame(page).getByText('Potter in Lisbon.').waitFor();
    await waitForSaveState(page, 'Saved');
    const { site } = await account.client.site.getSiteConfiguration();
    expect(site.bio).toBe('Potter in Lisbon.');
  });

  it('says which color is shown instead of one that is hard to read, and in which mode', async () => {
    const account = await createAccountWith('Mugs');
    const { page } = await dashboard.open(account, 'Page');
    await openEditorTab(page, 'Design');
    await page.getByRole('button', { name: 'Custom colors' }).click();
    const links = page.getByLabel('Links', { exact: true });
    await links.fill('#ffff00');
    await page.getByText(/^Shown as #\w{6} in light mode and #ffff00 in dark mode, for/).waitFor();
    // A page with its own background looks the same in both modes.
    await page.getByRole('textbox', { name: 'Background', exact: true }).fill('#ffffff');
    await page.getByText(/^Shown as #\w{6}, for better contrast/).waitFor();
    await links.fill('#1d4ed8');
    await expect.poll(() => page.getByText(/^Shown as/).count()).toBe(0);
  });
});

describe('themes', () => {
  it('label the option of the theme, which can be chosen again, and include the looks, which a theme replaces', async () => {
    const account = await createAccountWith('Mugs');
    const { visit, page } = await dashboard.open(account, 'Page');
    await openEditorTab(page, 'Design');
    const expectSettings = async (expected: object) => {
      await page.keyboard.press('Control+s');
      const readSettings = async () => (await account.client.site.getSiteConfiguration()).blocks[0];
      const settings = { id: expect.any(String) as string, enabled: true, type: 'page' };
      await expect.poll(readSettings).toEqual({ ...settings, ...expected });
    };
    await page.locator('.theme', { hasText: 'Citrus' }).click();
    await expectSettings({ look: 'citrus' });
    const buttons = page.getByRole('radiogroup', { name: 'Buttons' });
    await page.locator('.theme', { hasText: 'Paper' }).click();
    await expect.poll(() => buttons.getByRole('radio').first().isChecked()).toBe(true);
    await page.locator('.theme', { hasText: 'Meadow' }).click();
    await expect.poll(() => buttons.getByLabel('As in Meadow').isChecked()).toBe(true);
    await buttons.getByLabel('As in Meadow').press('ArrowRight');
    await expect.poll(() => buttons.getByLabel('Outline').isChecked()).toBe(true);
    await expectSettings({ buttons: 'outline' });
    await expectNoProblems(visit);
    await buttons.getByLabel('Outline').press('ArrowLeft');
    await expect.poll(() => buttons.getByLabel('As in Meadow').isChecked()).toBe(true);
    await expectSettings({});
    const { site } = await account.client.site.getSiteConfiguration();
    expect(site.themes).toMatchObject({ name: 'Meadow' });
  });

  it('are three in a row on a phone, above a small preview that covers no option and opens the large one', async () => {
    const { page } = await dashboard.openNew('Page');
    await page.setViewportSize({ width: 390, height: 844 });
    const preview = page.getByRole('region', { name: 'Preview' });
    const screenArea = page.locator('.preview-screen');
    await openEditorTab(page, 'Design');
    await expect.poll(async () => (await screenArea.boundingBox())?.width).toBeLessThan(140);
    const tops = await page
      .locator('.theme')
      .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().top));
    expect(tops.filter((top) => top === tops[0])).toHaveLength(3);
    const { y: previewTop } = (await preview.boundingBox())!;
    const measureBottom = async (name: string) => {
      const { y, height } = (await page.locator('.option-tile', { hasText: name }).boundingBox())!;
      return y + height;
    };
    for (const name of ['Hard shadow', 'Relaxed']) {
      await page.getByRole('radio', { name }).focus();
      await expect.poll(() => measureBottom(name)).toBeLessThan(previewTop);
    }
    await preview.getByRole('button').last().click();
    await expect.poll(async () => (await screenArea.boundingBox())?.width).toBeGreaterThan(340);
  });

  it('are shown as thumbnails of the page itself, rendered when scrolled into view', async () => {
    const account = await createAccountWith('Potter');
    const { page, requests, messages } = await dashboard.open(account, 'Page');
    const listPreviews = () => requests.filter((url) => url.endsWith('/dashboard/preview'));
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.reload();
    await findPreviewFrame(page).getByText('Potter').waitFor();
    requests.length = 0;
    await openEditorTab(page, 'Design');
    await page.getByText('Terminal').scrollIntoViewIfNeeded();
    const terminal = page.locator('.theme', { hasText: 'Terminal' });
    await terminal.locator('iframe.shown').waitFor({ state: 'attached' });
    await terminal.frameLocator('iframe').getByRole('heading', { name: 'Potter' }).waitFor();
    expect(listPreviews().length).toBeGreaterThan(0);
    await page.getByRole('radio', { name: 'Terminal' }).check();
    await waitForSaveState(page, 'Not saved');
    expect(messages).toEqual([]);
  });
});

describe('a hidden page', () => {
  it('is published from the editor with the latest input, after a save that is in flight', async () => {
    const account = await dashboard.server.createNamedAccount('mira-ok');
    const { page } = await dashboard.open(account, 'Page');
    await addBlock(page, 'Link');
    await page.getByLabel('Address').fill('mira.example');
    const mainAction = page.locator('.title .primary');
    await expect.poll(() => mainAction.allInnerTexts()).toEqual(['Publish page']);
    await findSaveBar(page).getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved. Only you see the page so far.').waitFor();
    await page.getByLabel('Address').fill('mira.example/');
    const saveReleased = Promise.withResolvers<void>();
    await page.route(
      '**/owner/page/update-page',
      async (route) => {
        await saveReleased.promise;
        await route.continue();
      },
      { times: 1 },
    );
    await page.keyboard.press('Control+s');
    await waitForSaveState(page, 'Saving…');
    await page.getByLabel('Address').fill('mira.example/shop');
    await mainAction.click();
    saveReleased.resolve();
    const dialog = page.getByRole('dialog', { name: 'Your page is live' });
    await dialog.getByText('/@mira-ok').waitFor();
    const link = dialog.getByRole('link', { name: 'View page' });
    await expect.poll(() => link.getAttribute('href')).toMatch(/\/@mira-ok$/);
    expect((await account.client.site.getSiteStatus()).enabled).toBe(true);
    const { blocks } = await account.client.site.getSiteConfiguration();
    expect(blocks).toMatchObject([{ url: 'https://mira.example/shop' }]);
    await dialog.getByRole('button', { name: 'QR code' }).click();
    const qrCode = page.getByRole('img', { name: /^QR code of .*\/@mira-ok$/ });
    await qrCode.waitFor();
    await page.keyboard.press('Escape');
    await qrCode.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Next: add a profile picture' }).click();
    await waitForDialogClosed(dialog);
    await page.getByRole('link', { name: 'View page' }).waitFor();
    await openProfile(page);
    await page.getByLabel('Name', { exact: true }).fill('Mira');
    await findSaveBar(page).getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. Visitors see it now.').waitFor();
    await page.getByLabel('Bio').fill('Potter.');
    await expect.poll(() => mainAction.allInnerTexts()).toEqual(['Save']);
    await openEditorTab(page, 'Design');
    await page.getByRole('radio', { name: 'Ember' }).waitFor();
  });

  it('is published with samples or a block without a required field only after a confirmation, with unsaved changes', async () => {
    const account = await dashboard.server.createNamedAccount('mira-sample');
    await account.client.site.updateSiteConfiguration({
      blocks: [
        { type: 'heading', content: 'Opening hours' },
        { type: 'countdown', title: 'Until the doors open', starts_at: '' },
        { type: 'contact', email: 'hello@example.com' },
        {
          type: 'quote',
          cite: 'Marta, who owns four',
          content: 'The mug everybody reaches for first.',
        },
      ],
    });
    const { page } = await dashboard.open(account, 'Home');
    const publishButton = page.getByRole('button', { name: 'Publish page' });
    await publishButton.click();
    const confirmDialog = page.getByRole('dialog', { name: 'Publish anyway?' });
    await confirmDialog
      .getByText(
        'What is not finished is not shown yet: Countdown “Until the doors open”. These are still samples: Contact “hello@example.com” and Quote “The mug everybody reaches for first.”.',
      )
      .waitFor();
    await confirmDialog.getByRole('button', { name: 'Edit page' }).click();
    await openProfile(page);
    await page.getByLabel('Bio').fill('Potter.');
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    const readStored = async () => [
      (await account.client.site.getSiteStatus()).enabled,
      (await account.client.site.getSiteConfiguration()).site.bio,
    ];
    expect(await readStored()).toEqual([false, null]);
    await publishButton.click();
    await confirmDialog.getByRole('button', { name: 'Publish anyway' }).click();
    await page.getByRole('dialog', { name: 'Your page is live' }).waitFor();
    expect(await readStored()).toEqual([true, 'Potter.']);
    await page.keyboard.press('Escape');
    await page.getByText('Hidden', { exact: true }).click();
    await page.getByText('Your page is hidden.').waitFor();
    expect(await readStored()).toEqual([false, 'Potter.']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('radio', { name: 'Public', checked: true }).waitFor();
    expect(await readStored()).toEqual([true, 'Potter.']);
    await page.getByText('Members', { exact: true }).click();
    await page.getByText('Members see your page now.').waitFor();
    await page.getByRole('radio', { name: 'Members', checked: true }).waitFor();
    await page.getByText('Public', { exact: true }).click();
    await confirmDialog.waitFor();
  });
});

it('while the server is unreachable other screens open, report the problem once and retry, and the preview is paused', async () => {
  const { page, messages } = await dashboard.openNew('Page');
  await findPreviewFrame(page).locator('main').waitFor();
  const listResources = `performance.getEntriesByType('resource').map(({ name }) => name).join(' ')`;
  for (const chunk of ['metrics-', 'account-', 'overview-'])
    await expect.poll(() => page.evaluate(listResources)).toContain(chunk);
  await page.route('**/*', (route) => route.abort());
  await openProfile(page);
  await page.getByLabel('Bio').fill('Typed without a server.');
  await page.getByText('Preview paused').waitFor();
  await page.getByText('The server cannot be reached. Your changes stay in this tab').waitFor();
  for (const screen of ['Metrics', 'Keys']) {
    await page.getByRole('link', { name: screen, exact: true }).click();
    await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
  }
  await page.getByRole('button', { name: 'Try again' }).first().waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Create key' }).waitFor();
  await page.getByText('Your changes stay in this tab').waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Page (unsaved changes)' }).click();
  await findPreviewFrame(page).getByText('Typed without a server.').waitFor();
  expect(messages.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
});

it('the fields of a contact form are added, moved and removed with the keyboard', async () => {
  const { account, page } = await dashboard.openNew('Page');
  await addBlock(page, 'Contact form');
  const add = page.getByRole('button', { name: 'Add a field' });
  for (const label of ['Boat', 'Crew', 'Class']) {
    await add.press('Enter');
    await page.getByLabel('Label').last().fill(label);
  }
  expect(await page.getByLabel('Options 3').count()).toBe(0);
  await page.getByLabel('Kind 3').selectOption('Choice');
  await page.getByLabel('Options 3').focus();
  await page.getByLabel('Kind 3').focus();
  await page.getByText('Options 3 is missing.').waitFor();
  await page.getByText('Missing: Options').waitFor();
  await page.getByLabel('Options 3').fill('Laser\n470');
  await page.getByRole('button', { name: 'Move field 3 with the arrow keys' }).press('ArrowUp');
  await expectFocus(page, 'Move field 2 with the arrow keys');
  await page.getByRole('button', { name: 'Remove field 1' }).press('Enter');
  await page.getByLabel('Required 1').press('Space');
  await page.keyboard.press('Control+s');
  await waitForSaveState(page, 'Saved');
  const { blocks } = await account.client.site.getSiteConfiguration();
  expect(blocks[0]).toMatchObject({
    fields: [
      { label: 'Class', type: 'choice', options: 'Laser\n470', required: true },
      { label: 'Crew' },
    ],
  });
});

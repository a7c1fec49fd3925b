import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/test-app.ts';
import { tryDashboard } from './support/dashboard.ts';
import { expectSound } from './support/visit.ts';

const tried = tryDashboard(startTestApp);

const shownIn = (page: Page) => page.frameLocator('.preview iframe.shown');
const bar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });
const order = (page: Page) => page.locator('.blocks .name').allInnerTexts();
const add = async (page: Page, kind: string) => {
  await page.getByLabel('Kind of block').selectOption(kind);
  await page.getByRole('button', { name: 'Add block' }).click();
};

async function accountWith(...contents: string[]) {
  const account = await tried.server.createAccount();
  const blocks = contents.map((content) => ({ type: 'heading', content }));
  await account.client.site.updateSiteConfiguration({ blocks });
  return account;
}

describe('an address', () => {
  it('gets the scheme that it lacks, keeps one of two, and keeps nothing else from being saved while it is not finished', async () => {
    const account = await tried.server.createAccount();
    const opened = await tried.open(account, 'Page');
    const { page } = opened;
    const address = page.getByLabel('Address');
    await add(page, 'link');
    expect(await address.inputValue()).toBe('');
    await address.fill('https://https://mira.example/shop');
    expect(await address.inputValue()).toBe('https://mira.example/shop');
    await add(page, 'link');
    await address.fill('mira.example/blog');
    await add(page, 'link');
    await address.fill('nowhere');
    await page.getByLabel('Bio').fill('Potter.');
    const flaw = page.getByText('Address must be a web address, such as https://example.com.');
    await flaw.waitFor();
    await address.fill('nowhere.example');
    await flaw.waitFor({ state: 'detached' });
    await address.fill('');
    await page.getByLabel('Bio').focus();
    await page.getByText('Address is missing.').waitFor();
    await expectSound(opened);
    await page.keyboard.press('Control+s');
    await bar(page).getByText('Not finished, so not saved yet: Link').waitFor();
    await page.getByText('All other changes saved.').waitFor();
    const read = async () => {
      const { site, blocks } = await account.client.site.getSiteConfiguration();
      return [site.bio, ...blocks.map(({ url }) => url)];
    };
    const finished = ['Potter.', 'https://mira.example/shop', 'https://mira.example/blog'];
    expect(await read()).toEqual(finished);

    page.removeAllListeners('dialog');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByRole('link', { name: 'Page (unsaved changes)' }).waitFor();
    await page.getByRole('button', { name: 'Not finished' }).click();
    await address.fill('mira.example');
    await page.keyboard.press('Control+s');
    await page.getByText('All changes saved').waitFor();
    expect(await read()).toEqual([...finished, 'https://mira.example']);
    await page.getByRole('link', { name: 'Page', exact: true }).waitFor();
  });
});

describe('what was done', () => {
  it('is undone by the message that offers it, by keys, and done again; a message covers no bar', async () => {
    const account = await accountWith('One', 'Two', 'Three');
    const { page, said } = await tried.open(account, 'Page');
    const headings = async () => (await order(page)).map((text) => text.replace('Heading ', ''));
    await expect.poll(headings).toEqual(['One', 'Two', 'Three']);
    await page.getByRole('button', { name: 'Delete Heading One' }).click();
    await page.getByRole('button', { name: 'Delete Heading Two' }).click();
    const messages = page.locator('.message');
    expect(await messages.allInnerTexts()).toEqual([
      expect.stringContaining('Heading “Two” deleted.'),
    ]);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const message = (await messages.boundingBox())!;
      const { x, y } = (await bar(page).boundingBox())!;
      expect([width, message.y + message.height <= y || message.x > x]).toEqual([width, true]);
    }
    await messages.getByRole('button', { name: 'Undo' }).click();
    expect(await headings()).toEqual(['Two', 'Three']);
    await page.getByRole('heading', { name: 'Blocks' }).click();
    await page.keyboard.press('Control+z');
    expect(await headings()).toEqual(['One', 'Two', 'Three']);
    await page.keyboard.press('Control+Shift+z');
    expect(await headings()).toEqual(['Two', 'Three']);
    await bar(page).getByRole('button', { name: 'Undo' }).click();
    expect(await headings()).toEqual(['One', 'Two', 'Three']);
    await bar(page).getByRole('button', { name: 'Redo' }).click();
    expect(await headings()).toEqual(['Two', 'Three']);

    await page.getByRole('button', { name: 'Delete Heading Two' }).click();
    await messages.getByRole('button', { name: 'Undo' }).waitFor();
    await page.getByLabel('Bio').fill('Potter.');
    await messages.waitFor({ state: 'detached' });
    expect(said).toEqual([]);
  });

  it('is one message alone, and tells of moves those who do not see them', async () => {
    const account = await accountWith('One', 'Two');
    const { page } = await tried.open(account, 'Page');
    await page.getByRole('button', { name: 'Move Heading One down' }).click();
    await page.getByText('Heading “One”: block 2 of 2.').waitFor({ state: 'attached' });
    expect(await page.locator('.message').count()).toBe(0);
  });
});

describe('a block', () => {
  it.each(['mouse', 'finger'])('is dragged with a %s to where the line shows it', async (by) => {
    const account = await accountWith('One', 'Two', 'Three', 'Four');
    const { page, context, said } = await tried.open(account, 'Page');
    const touch = await context.newCDPSession(page);
    const put = async (type: 'Start' | 'Move' | 'End', x: number, y: number) => {
      if (by === 'finger')
        await touch.send('Input.dispatchTouchEvent', {
          type: `touch${type}`,
          touchPoints: type === 'End' ? [] : [{ x, y }],
        });
      else if (type === 'Move') await page.mouse.move(x, y, { steps: 3 });
      else if (type === 'End') await page.mouse.up();
      else {
        await page.mouse.move(x, y);
        await page.mouse.down();
      }
    };
    await page.setViewportSize({ width: 1280, height: 1600 });
    const from = (await page.locator('.grip').first().boundingBox())!;
    const third = (await page.locator('.blocks li').nth(2).boundingBox())!;
    await put('Start', from.x + 5, from.y + 10);
    await put('Move', from.x + 5, third.y + third.height - 4);
    await page.locator('.blocks li.before', { hasText: 'Four' }).waitFor();
    await put('End', from.x + 5, third.y + third.height - 4);
    await expect
      .poll(() => order(page))
      .toEqual(['Two', 'Three', 'One', 'Four'].map((name) => `Heading ${name}`));
    expect(await page.locator('.blocks .before').count()).toBe(0);
    expect(said).toEqual([]);
  });

  it('is moved by the arrow keys on its grip, which keeps the focus', async () => {
    const account = await accountWith('One', 'Two', 'Three');
    const { page } = await tried.open(account, 'Page');
    await page.getByRole('button', { name: 'Move Heading One with the arrow keys' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => order(page)).toEqual(['Heading Two', 'Heading Three', 'Heading One']);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => order(page)).toEqual(['Heading Two', 'Heading One', 'Heading Three']);
  });

  it('with a number offers the numbers that the metrics of its project have', async () => {
    const account = await tried.server.createAccount();
    const projectId = await tried.server.createProject(account);
    await account.client.stats.ingestMetrics({
      projectId,
      payload: { visitors: 42, shop: { orders: 1 }, page: 'home' },
    });
    const { page, said } = await tried.open(account, 'Page');
    await add(page, 'metric');
    await page.getByText('Choose a project first.').waitFor();
    await page.getByLabel('Project').selectOption(projectId);
    const field = page.getByLabel('Field');
    await expect
      .poll(async () => (await field.getByRole('option').allInnerTexts()).toSorted())
      .toEqual(['Number of metrics', 'shop.orders', 'visitors']);
    await field.selectOption('visitors');
    expect(await page.getByLabel('Calculation').inputValue()).toBe('sum');
    await shownIn(page).getByText('42', { exact: true }).waitFor();
    expect(said).toEqual([]);
  });

  it('more than a page can have is not added, and that is told before', async () => {
    const account = await accountWith(...Array.from({ length: 99 }, (_, at) => `${at + 1}`));
    const { page } = await tried.open(account, 'Page');
    await page.getByText('A page can have 100 blocks: you can add 1 more.').waitFor();
    await page.getByRole('button', { name: 'Duplicate Heading 7', exact: true }).click();
    await page.getByText('A page can have 100 blocks. Delete one to add another.').waitFor();
    expect(await page.getByRole('button', { name: 'Add block' }).isDisabled()).toBe(true);
    const duplicate = page.getByRole('button', { name: 'Duplicate Heading 9', exact: true });
    await duplicate.click({ force: true });
    expect(await page.locator('.blocks > li').count()).toBe(100);
  });
});

describe('the preview', () => {
  it('says which picture cannot be loaded', async () => {
    const account = await tried.server.createAccount();
    const { page } = await tried.open(account, 'Page');
    await page.route('https://pictures.example/**', (route) => route.abort());
    await page.getByLabel('Picture').fill('https://pictures.example/me.png');
    await page.getByText('A picture cannot be loaded: https://pictures.example/me.png').waitFor();
    await page.getByLabel('Picture').fill('');
    await page.getByText('A picture cannot be loaded').waitFor({ state: 'detached' });
  });

  it('shows an earlier version, which says what it changed, and leads back to the draft', async () => {
    const account = await tried.server.createAccount();
    await account.client.site.updateSiteConfiguration({ bio: 'Potter in Lisbon.' });
    await account.client.site.updateSiteConfiguration({ bio: 'Potter in Porto.', mood: 'glad' });
    await account.client.site.updateSiteConfiguration({ location: 'Porto' });
    const opened = await tried.open(account, 'Page');
    const { page } = opened;
    await page.getByText('Earlier versions').click();
    await page.getByRole('cell', { name: 'bio and mood' }).waitFor();
    await page.getByRole('button', { name: 'View version 1' }).click();
    await shownIn(page).getByText('Potter in Lisbon.').waitFor();
    await expectSound(opened);
    await page.getByRole('button', { name: 'Back to your draft' }).click();
    await shownIn(page).getByText('Potter in Porto.').waitFor();
    await page.getByRole('button', { name: 'View version 1' }).click();
    await page.getByLabel('Bio').fill('Potter anywhere.');
    await shownIn(page).getByText('Potter anywhere.').waitFor();
  });

  it('and the swatches of a theme of one’s own show the colours that are used', async () => {
    const account = await tried.server.createAccount();
    await account.client.site.updateSiteConfiguration({
      blocks: [{ type: 'link', url: 'https://mira.example', title: 'Shop' }],
    });
    const { page } = await tried.open(account, 'Page');
    await page.getByRole('radio', { name: 'Custom' }).check();
    const swatch = page.getByLabel('Headings, buttons: choose');
    await expect.poll(() => swatch.inputValue()).toBe('#1d4ed8');
    const button = shownIn(page).getByRole('link', { name: 'Shop' });
    const shown = `getComputedStyle(document.querySelector('.button')).backgroundColor`;
    const frame = await (await button.elementHandle())!.ownerFrame();
    expect(await frame!.evaluate(shown)).toBe('rgb(29, 78, 216)');
  });
});

describe('without the server', () => {
  it('other screens open, say so once and go on by themselves, and the preview is paused', async () => {
    const account = await tried.server.createAccount();
    const { page, said } = await tried.open(account, 'Page');
    await shownIn(page).locator('main').waitFor();
    const loaded = `performance.getEntriesByType('resource').map(({ name }) => name).join(' ')`;
    for (const chunk of ['metrics-', 'account-', 'overview-'])
      await expect.poll(() => page.evaluate(loaded)).toContain(chunk);
    await page.route('**/*', (route) => route.abort());
    await page.getByLabel('Bio').fill('Typed without a server.');
    await page.getByText('Preview paused').waitFor();
    await page.getByText('The server cannot be reached. What you type stays here').waitFor();
    for (const screen of ['Metrics', 'Keys']) {
      await page.getByRole('link', { name: screen, exact: true }).click();
      await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
    }
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    await page.unrouteAll();
    await page.getByText('Label').waitFor();
    await page.getByText('What you type stays here').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Page (unsaved changes)' }).click();
    await shownIn(page).getByText('Typed without a server.').waitFor();
    expect(said.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
  });
});

it('a name is shown at the side at once, and becomes the title of the page as it was typed', async () => {
  const account = await tried.server.createAccount();
  const { page } = await tried.open(account);
  await page.getByText('No name yet').waitFor();
  await page.getByLabel('Name').fill('Mira Okafor');
  await page.getByRole('button', { name: 'Claim name' }).click();
  await page.locator('.who').getByText('@mira-okafor').waitFor();
  const title = async () => (await account.client.site.getSiteConfiguration()).site.display_name;
  await expect.poll(title).toBe('Mira Okafor');
});

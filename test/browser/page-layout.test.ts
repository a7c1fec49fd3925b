import { createServer, type ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BrandIcon, BRAND_ICONS } from '#contract/shared/icons.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { THEMES } from '#contract/themes.ts';
import { iconPaths } from '#page/icons/icon.ts';
import type { PublicSite } from '#page/public-site.ts';
import { DESIGNS, SITES, withDesign } from '../pages/support/designs.ts';
import {
  RENDER_CONTEXT,
  block,
  pageSettings,
  renderPage,
  renderSharePage,
} from '../pages/support/site.ts';
import { listen } from '../support/listen.ts';
import { sharedChromium } from './support/chromium.ts';
import {
  CONTRAST_RULES,
  findAccessibilityViolations,
  measureHorizontalOverflow,
} from './support/visit.ts';

const BROKEN_PICTURE = 'https://127.0.0.1:9/picture.png';
const LONG_WORD = 'w'.repeat(300);
const LONGEST_NAME = 'w'.repeat(LIMITS.displayNameMax);
const LONG_URL = `https://example.com/${LONG_WORD}`;

let tab: Page;
beforeAll(async () => {
  tab = await (await sharedChromium()).newPage();
});
afterAll(() => tab.close());

async function openSite(site: Partial<PublicSite>, width = 360): Promise<Page> {
  await tab.setViewportSize({ width, height: 800 });
  await tab.emulateMedia({ colorScheme: null, media: null });
  const avatarFailed = site.avatar_url && tab.waitForEvent('requestfailed');
  await tab.setContent(renderPage(site).html);
  await avatarFailed;
  return tab;
}

it.each([
  [1_440, 16],
  [1_680, 20],
  [2_560, 20],
])('a page in a window of %i px has text of %i px', async (width, size) => {
  const page = await openSite({}, width);
  const fontSize = await page.evaluate('parseFloat(getComputedStyle(document.body).fontSize)');
  expect(fontSize).toBeCloseTo(size, 2);
});

it('a page on a phone shows a two-line title beside the day of an event', async () => {
  const title = 'Open studio with a very long title that needs more than one line';
  const fields = { title, url: LONG_URL, starts_at: '2026-12-05T10:00Z' };
  const page = await openSite({ blocks: [block('event', fields)] });
  const [heading, time, day] = await page.evaluate<
    { height: number; top: number; bottom: number; left: number; right: number }[]
  >(
    `['h2 a', '.details', '.day'].map((selector) => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector(selector));
      return range.getBoundingClientRect().toJSON();
    })`,
  );
  expect(heading!.height).toBeGreaterThan(40);
  expect(time!.top - heading!.bottom).toBeGreaterThanOrEqual(0);
  expect(heading!.left - day!.right).toBeGreaterThan(6);
});

const THEME_IDS = [null, ...THEMES.map(({ id }) => id)];

it.each(Object.entries(DESIGNS))(
  'the profile of an empty page is in the middle of the window, without a rule below it, in the design "%s"',
  async (_name, design) => {
    for (const width of [390, 1280]) {
      const page = await openSite(withDesign({ bio: 'Potter.', blocks: [] }, design), width);
      for (const part of ['.avatar', 'h1', '.bio']) {
        const box = (await page.locator(part).boundingBox())!;
        expect([part, Math.abs(box.x + box.width / 2 - width / 2) < 12]).toEqual([part, true]);
      }
      const [rule, space] = await page.evaluate<[string, number]>(`(() => {
        const profile = document.querySelector('.profile');
        const rule = getComputedStyle(profile).borderBottomWidth;
        profile.after(document.createElement('div'));
        const [bio, placeholder] = [document.querySelector('.bio'), profile.nextElementSibling];
        return [rule, placeholder.getBoundingClientRect().top - bio.getBoundingClientRect().bottom];
      })()`);
      expect([rule, width < 400 || space >= 16]).toEqual(['0px', true]);
    }
  },
);

it('the icons of contacts stand before their text, on one edge, in languages from right to left', async () => {
  const contact = block('contact', { email: 'jane@example.com', phone: '+351 21 000 0000' });
  const page = await openSite({ settings: pageSettings({ lang: 'he' }), blocks: [contact] });
  const [iconEdges, textEdges] = await page.evaluate<[number[], number[]]>(
    `['.i', 'span'].map((part) => [...document.querySelectorAll('.contact ' + part)].map(
      (element) => element.getBoundingClientRect().right,
    ))`,
  );
  expect(new Set(iconEdges).size).toBe(1);
  expect(iconEdges[0]).toBeGreaterThan(Math.max(...textEdges));
});

it('no icon of a brand is a dash', async () => {
  const icons = Object.keys(BRAND_ICONS) as BrandIcon[];
  await tab.setContent(icons.map((name) => `<svg><g>${iconPaths(name)}</g></svg>`).join(''));
  const heights = await tab.evaluate<number[]>(
    `[...document.querySelectorAll('g:not(g g)')].map((icon) => icon.getBBox().height)`,
  );
  expect(icons.filter((_name, index) => heights[index]! < 8)).toEqual([]);
});

it.each(Object.entries(DESIGNS))(
  'a page with one link or none fits, is readable, and has its footer at the bottom in the design "%s"',
  async (name, design) => {
    const link = (title: string) => block('link', { url: LONG_URL, title, icon: '🏺' });
    const title = 'Donaudampfschifffahrtsgesellschaft Hoffmann & Töchter';
    for (const blocks of [[], [link(LONG_WORD)]]) {
      const site = { name: LONGEST_NAME, display_name: title, bio: LONG_WORD, blocks };
      const page = await openSite(withDesign(site, design));
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect([width, await measureHorizontalOverflow(page)]).toEqual([width, 0]);
      }
    }
    const page = await openSite(withDesign({ blocks: [link('Shop')] }, design), 1280);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const violations = await findAccessibilityViolations(page, CONTRAST_RULES);
      expect([colorScheme, violations]).toEqual([colorScheme, []]);
    }
    await page.setViewportSize({ width: 1280, height: 1200 });
    const { y, height } = (await page.locator('footer').boundingBox())!;
    // The frame of the design "paper" ends where its page ends.
    if (name !== 'paper') expect([y + height < 1200, y + height > 1120]).toEqual([true, true]);
  },
);

it.each(Object.entries(DESIGNS))(
  'a QR code is as high as its neighbor, a QR code alone is half as wide as the page, a video or a number fills its row, and columns are side by side in the design "%s"',
  async (_name, design) => {
    const text = block('text', { content: 'Fired twice a year.' });
    const measure = async (site: Partial<PublicSite>, ...selectors: string[]) => {
      const page = await openSite(withDesign(site, design), 1280);
      return Promise.all(selectors.map(async (part) => (await page.locator(part).boundingBox())!));
    };
    for (const neighbor of [
      block('code', { title: 'Celadon', content: 'feldspar 40' }),
      block('contact', { email: 'jane@example.com', phone: '+351 21 000 0000' }),
    ]) {
      const blocks = [text, neighbor, block('qr', { title: 'This page' }), text, text];
      const [box, qr] = await measure({ blocks }, `.${neighbor.type}`, '.qr');
      expect([qr!.y - box!.y, qr!.height - box!.height]).toEqual([0, 0]);
      expect(qr!.x).toBeGreaterThan(box!.x + box!.width);
    }

    const single = [
      block('embed', { url: 'https://vimeo.com/1', title: 'How a mug hums' }),
      block('metric', { title: 'Listeners' }),
      block('qr', { url: LONG_URL, title: 'Tickets' }),
    ];
    const rows = { blocks: single.flatMap((row) => [text, row]) };
    const parts = ['.blocks', '.film', '.metric', '.spark', '.qr'];
    const [page, film, metric, chart, qr] = await measure(rows, ...parts);
    expect(film!.height).toBeGreaterThan(170);
    expect([film!.width, metric!.width]).toEqual([page!.width, page!.width]);
    expect(qr!.width / page!.width).toBeCloseTo(0.49, 1);
    expect(chart!.width).toBeGreaterThan(metric!.width * 0.4);

    const settings = pageSettings({ ...design.settings, layout: 'columns' });
    const columns = { display_name: 'Mira Okafor', bio: 'Potter.', blocks: Array(4).fill(text) };
    const columnPage = await openSite({ ...columns, ...design.site, settings }, 1280);
    const [profile, list] = await Promise.all(
      ['.profile', '.blocks'].map(async (part) => (await columnPage.locator(part).boundingBox())!),
    );
    expect(Math.abs(list!.y - profile!.y)).toBeLessThan(60);
    expect(list!.x).toBeGreaterThan(profile!.x + profile!.width);
    const titleHeight = await columnPage.evaluate('document.querySelector("h1").clientHeight');
    expect(titleHeight).toBeLessThan(140);
  },
);

it('the only link of a page is larger than others in every theme', async () => {
  const link = (title: string) => block('link', { url: 'https://example.com', title });
  for (const themeId of THEME_IDS) {
    const measure = async (...titles: string[]) => {
      const page = await openSite({ theme_id: themeId, blocks: titles.map(link) });
      const size = await page.evaluate<string>(
        `getComputedStyle(document.querySelector('.label')).fontSize`,
      );
      return [Number.parseFloat(size), await measureHorizontalOverflow(page)];
    };
    const [[large, overflow], [usual]] = [await measure('Shop'), await measure('Shop', 'Blog')];
    expect([themeId, large! > usual! + 4, overflow]).toEqual([themeId, true, 0]);
  }
});

it.each(Object.entries(DESIGNS))(
  'on a phone, a page with one link is in the middle in the design "%s"',
  async (_name, design) => {
    const link = block('link', { url: 'https://example.com', title: 'Shop' });
    const page = await openSite(withDesign({ bio: 'Potter.', blocks: [link] }, design), 390);
    const [above, below] = await page.evaluate<[number, number]>(`(() => {
      const { top } = document.querySelector('.profile').getBoundingClientRect();
      const { bottom } = document.querySelector('.more').getBoundingClientRect();
      const area = document.querySelector('.page');
      const { paddingTop } = getComputedStyle(area);
      const footer = document.querySelector('footer').getBoundingClientRect();
      const { marginTop } = getComputedStyle(document.querySelector('footer'));
      return [
        top - area.getBoundingClientRect().top - parseFloat(paddingTop),
        footer.top - parseFloat(marginTop) - bottom,
      ];
    })()`);
    expect(Math.abs(above - below)).toBeLessThan(4);
  },
);

it('in Terminal, all rows of the profile start at one edge, and each is one line', async () => {
  const urls = [
    'https://open.spotify.com/artist/4Z8W4fKeB5YxbusRsdQVPb',
    'https://mastodon.social/@dev',
  ];
  const social = block('social', { items: urls.map((url) => ({ url })) });
  const page = await openSite(withDesign({ blocks: [social] }, DESIGNS['terminal']!), 1280);
  const rows = await page.evaluate<
    [number, number][]
  >(`[...document.querySelectorAll('.social a')].map((row) => {
    const { x, height } = row.getBoundingClientRect();
    return [row.firstElementChild.getBoundingClientRect().x - x, height];
  })`);
  expect(rows).toEqual([
    [0, 40],
    [0, 40],
  ]);
});

it('a name in a row of icons is one line in every theme, and never hides its host', async () => {
  const url = 'https://bsky.app/profile/lena.bsky.social';
  const label = `Follow me on paypal.com${' and elsewhere'.repeat(9)}`;
  const socialBlock = block('social', {
    items: [
      { url, icon: 'none' },
      { url, label },
    ],
  });
  for (const themeId of THEME_IDS) {
    const page = await openSite({ theme_id: themeId, blocks: [socialBlock] });
    const lines =
      await page.evaluate(`[...document.querySelectorAll('.social .named')].map((link) => {
      const text = link.firstElementChild;
      const texts = [text.firstChild, text.lastChild].map((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range;
      });
      const rows = texts.flatMap((range) => [...range.getClientRects()].map(({ y }) => Math.round(y)));
      const right = text.childNodes.length > 1 ? texts[1].getBoundingClientRect().right : 0;
      return [new Set(rows).size, right <= link.getBoundingClientRect().right];
    })`);
    const expected = [1, true];
    expect([themeId, lines, await measureHorizontalOverflow(page)]).toEqual([
      themeId,
      [expected, expected],
      0,
    ]);
  }
});

it('an avatar that cannot be loaded shows initials', async () => {
  const screenshotAvatar = async (title: string) =>
    (await openSite({ display_name: title, avatar_url: BROKEN_PICTURE }))
      .locator('.avatar')
      .screenshot();
  const [janeAvatar, janeAvatarAgain, bobAvatar] = [
    await screenshotAvatar('Jane Doe'),
    await screenshotAvatar('Jane Doe'),
    await screenshotAvatar('Bob'),
  ];
  expect(janeAvatar.equals(janeAvatarAgain)).toBe(true);
  expect(janeAvatar.equals(bobAvatar)).toBe(false);
});

const openPrintView = async (site: Partial<PublicSite>) => {
  const page = await openSite(site, 800);
  await page.emulateMedia({ media: 'print' });
  return page;
};

it('a printed page shows answers that are collapsed on screen', async () => {
  const page = await openPrintView({
    blocks: [block('faq', { question: 'Why?', answer: 'Because.' })],
  });
  const answerText = page.getByText('Because.');
  expect((await answerText.boundingBox())?.height).toBeGreaterThan(10);
  expect(await answerText.isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen' });
  expect(await answerText.isVisible()).toBe(false);
});

it('a printed page is dark on light and has no decorations, in dark themes too', async () => {
  const page = await openPrintView({ theme_id: THEMES[6].id });
  const style = await page.evaluate(`[
      getComputedStyle(document.documentElement).colorScheme,
      getComputedStyle(document.body, '::after').display,
    ]`);
  expect(style).toEqual(['light', 'none']);
});

it('a printed page has one QR code of its URL', async () => {
  const page = await openPrintView({
    blocks: [block('qr', {}), block('qr', { url: 'https://example.com/shop' })],
  });
  const codes = await page.locator('.qr').all();
  expect(await Promise.all(codes.map((code) => code.isVisible()))).toEqual([false, true]);
  expect(await page.locator('.print').isVisible()).toBe(true);
});

it('a printed page shows link URLs', async () => {
  const page = await openPrintView({
    blocks: [
      block('link', { url: LONG_URL, title: 'Shop' }),
      block('text', { content: '[Notes](https://example.com/notes)' }),
      block('contact', { email: 'jane@example.com' }),
    ],
  });
  const suffixes = await page.evaluate<string[]>(
    `[...document.querySelectorAll('main a:not([hidden])')]
        .map((link) => getComputedStyle(link, '::after').content)`,
  );
  expect(suffixes).toEqual([`" ${LONG_URL}"`, '" (https://example.com/notes)"', 'none']);
});

it('a printed page has the same rows in every design', async () => {
  const { blocks = [] } = SITES['ordinary']!;
  const styles = new Set<string>();
  for (const design of Object.values(DESIGNS)) {
    const page = await openPrintView(withDesign({ blocks }, design));
    styles.add(
      await page.evaluate<string>(
        `[...document.querySelectorAll('.link, .card, .quote, .event, .day, .faq details')].map((element) => {
          const { padding, borderWidth, borderRadius, textAlign, rotate } = getComputedStyle(element);
          return [element.className, padding, borderWidth, borderRadius, textAlign, rotate];
        }).join('; ')`,
      ),
    );
  }
  expect([...styles]).toHaveLength(1);
});

it('a printed page without content begins at the edge, too, and a printed share page has no links', async () => {
  const empty = await openPrintView({ display_name: 'Jane', avatar_url: null });
  const left = (await empty.locator('h1').boundingBox())!.x;
  const filled = await openPrintView({ display_name: 'Jane', avatar_url: null, bio: 'Potter.' });
  expect((await filled.locator('h1').boundingBox())!.x).toBe(left);
  await tab.setContent(renderSharePage({ display_name: 'Jane' }).html);
  expect(await tab.locator('.code').isVisible()).toBe(true);
  const links = await tab.locator('main a').all();
  expect(await Promise.all(links.map((link) => link.isVisible()))).not.toContain(true);
});

it('a printed page shows the URL of each link at the end of its row, and keeps links on one sheet', async () => {
  const link = (index: number) =>
    block('link', { url: 'https://example.com', title: `Shop ${index}`, half: index % 2 === 0 });
  const page = await openPrintView({ blocks: Array.from({ length: 30 }, (_, i) => link(i)) });
  // Columns break like sheets of paper.
  await page.addStyleTag({ content: 'main{columns:3;column-fill:auto;height:701px}' });
  const links = await page.evaluate<{ parts: number; urlWidth: number }[]>(
    `[...document.querySelectorAll('.link')].map((link) => ({
        parts: link.getClientRects().length,
        urlWidth: link.clientWidth - link.querySelector('.link-text').offsetWidth,
      }))`,
  );
  expect(links.filter(({ parts }) => parts > 1)).toEqual([]);
  expect(Math.min(...links.map(({ urlWidth }) => urlWidth))).toBeGreaterThan(80);
});

it('a printed page has a card that a long URL does not widen', async () => {
  const page = await openPrintView({ display_name: 'Jane Doe', bio: 'Potter in Lisbon.' });
  const measureHeight = async (address: string) => {
    await page.evaluate(
      `document.querySelector('.print small').textContent = ${JSON.stringify(address)}`,
    );
    return (await page.locator('.profile').boundingBox())!.height;
  };
  const usualHeight = await measureHeight(RENDER_CONTEXT.url);
  const longUrl = `https://${'pages.'.repeat(8)}example.org/@${'jane-'.repeat(12)}`;
  expect(await measureHeight(longUrl)).toBeLessThan(usualHeight + 40);
});

it('a page that arrives in two parts does not move', async () => {
  const daylight = THEMES.find(({ name }) => name === 'Daylight')!.id;
  const { html } = renderPage({ ...SITES['ordinary'], theme_id: daylight });
  const middle = html.indexOf('<main') + 4_000;
  const responses: ServerResponse[] = [];
  const { url, close } = await listen(
    createServer((_request, response) => {
      responses.push(response);
      response.setHeader('content-type', 'text/html; charset=utf-8').write(html.slice(0, middle));
    }),
  );
  const page = await (await sharedChromium()).newPage({ viewport: { width: 390, height: 844 } });
  try {
    await page.addInitScript(`window.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) shift += value;
      }).observe({ type: 'layout-shift', buffered: true });`);
    await page.route(/\/(fonts|pictures)\//, (route) => route.abort());
    const loaded = page.goto(url);
    await page.waitForTimeout(1_000);
    responses[0]!.end(html.slice(middle));
    await loaded;
    await page.locator('.plate').first().scrollIntoViewIfNeeded();
    expect(await page.evaluate('shift')).toBe(0);
  } finally {
    await page.close();
    await close();
  }
});

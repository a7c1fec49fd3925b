import { parse, wcagContrast } from 'culori';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PublicSite } from '#page/public-site.ts';
import { DESIGNS, withDesign } from '../pages/support/designs.ts';
import { block } from '../pages/support/site.ts';
import { sharedChromium } from './support/chromium.ts';
import { startSiteViewer } from './support/site-viewer.ts';
import { measureHorizontalOverflow } from './support/visit.ts';

let page: Page;
let show: (site: Partial<PublicSite>) => Promise<void>;
beforeAll(async () => {
  page = await (await sharedChromium()).newPage();
  show = await startSiteViewer(page);
});
afterAll(() => page.close());

const PICTURE_URL = `https://example.org/pictures/${'x'.repeat(22)}`;
const UPRIGHT = { url: `${PICTURE_URL}-800x1200/1200.webp`, alt: 'A bowl' };
const LANDSCAPE = { url: `${PICTURE_URL}-1200x800/1200.webp`, alt: 'A bowl' };
const LINK = { url: 'https://example.com', title: 'Letters from the studio' };
const QUOTE = { content: 'She photographs cooks the way others photograph dancers.' };
const EVENT = { title: 'Open studio', starts_at: '2026-12-05', location: 'Lisbon' };
const PHOTOGRAPHER = {
  display_name: 'Jonas Weber',
  bio: 'Photographer in Hamburg. Ports, people and the weather between them.',
  location: 'Hamburg',
};
const WORDS = { content: 'I throw stoneware by hand, and fire it in a wood kiln.' };

const TILES = [
  block('link', { ...LINK, picture: LANDSCAPE.url, size: 'third', description: '34 €' }),
  block('link', { ...LINK, picture: LANDSCAPE.url, size: 'third', description: '52 €' }),
  block('link', { ...LINK, picture: LANDSCAPE.url, featured: true, size: 'half' }),
  block('link', { ...LINK, size: 'third' }),
  ...['third', 'third', 'third'].map((size) => block('event', { ...EVENT, size })),
  block('quote', { ...QUOTE, size: 'third' }),
  block('image', { ...UPRIGHT, size: 'third' }),
  block('metric', { title: 'Sold', size: 'third' }),
  block('text', { ...WORDS, size: 'half' }),
  block('image', { ...LANDSCAPE, size: 'half' }),
  block('embed', { url: 'https://vimeo.com/1', size: 'half' }),
  block('faq', { question: 'Why?', answer: 'Because.', size: 'half' }),
  block('contact', { email: 'jane@example.com', size: 'third' }),
  block('qr', { title: 'This page', size: 'third' }),
  block('countdown', { title: 'Sale', starts_at: '2026-12-24', size: 'third' }),
  block('heading', { content: 'A row that is not full' }),
  block('code', { content: 'npm install', size: 'third' }),
];
const PAIR = [
  block('heading', { content: 'What I make' }),
  block('image', UPRIGHT),
  block('text', WORDS),
  block('image', LANDSCAPE),
];

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** For each group, the boxes of the tiles and of their content, relative to the group. */
const MEASURE = `[...document.querySelectorAll('.tiles')].map((group) => {
  const { x, y, right } = group.getBoundingClientRect();
  const box = (element) => {
    const at = element.getBoundingClientRect();
    return { left: at.x - x, right: right - at.right, top: at.y - y, bottom: at.bottom - y };
  };
  return [...group.children].map((tile) => ({ tile: box(tile), content: box(tile.querySelector('.text > p') ?? tile.firstElementChild) }));
})`;

/** For each letter, its color and the background of its circle or square. */
const ICON_COLORS = `[...document.querySelectorAll('span.icon')].map((icon) => {
  const { color, backgroundColor } = getComputedStyle(icon);
  return [color, backgroundColor];
})`;

it.each(Object.entries(DESIGNS))(
  'the letter instead of an icon is readable, also in featured links, in the design "%s"',
  async (_name, design) => {
    const links = [{ ...LINK, picture: LANDSCAPE.url }, LINK, { ...LINK, featured: true }];
    await show(withDesign({ blocks: links.map((link) => block('link', link)) }, design));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const icons: [string, string][] = await page.evaluate(ICON_COLORS);
      expect(icons).toHaveLength(2);
      // Without an opaque background, the letter has the color of the texts beside it.
      for (const [color, background] of icons.filter(
        (colors) => parse(colors[1])?.alpha === undefined,
      ))
        expect(wcagContrast(color, background)).toBeGreaterThanOrEqual(3);
    }
    await page.emulateMedia({ colorScheme: null });
  },
);

it.each(Object.entries(DESIGNS))(
  'tiles fill their rows, and a text starts at the edge of the picture above it, in the design "%s"',
  { timeout: 120_000 },
  async (_name, design) => {
    await show(withDesign({ blocks: [...TILES, ...PAIR] }, design));
    for (const width of [390, 768, 1280, 1680]) {
      await page.setViewportSize({ width, height: 800 });
      const groups = await page.evaluate<{ tile: Box; content: Box }[][]>(MEASURE);
      expect(groups.map((tiles) => tiles.length)).toEqual([17, 2, 3]);
      for (const tiles of groups) {
        const rows = [...Map.groupBy(tiles, ({ tile }) => Math.round(tile.top)).values()];
        // Two tiles with pictures, and two numbers, share a row on phones.
        if (width === 390) expect(rows.length).toBeGreaterThanOrEqual(tiles.length - 2);
        for (const row of rows) {
          expect([width, row[0]!.tile.left, row.at(-1)!.tile.right]).toEqual([
            width,
            expect.closeTo(0, 0),
            expect.closeTo(0, 0),
          ]);
          const bottoms = row.map(({ tile }) => Math.round(tile.bottom));
          expect(Math.max(...bottoms) - Math.min(...bottoms)).toBeLessThan(2);
        }
      }
      if (width === 390) {
        const [group, text] = await Promise.all(
          ['.tiles', '.tiles .text'].map((part) => page.locator(part).last().boundingBox()),
        );
        expect(text!.x).toBe(group!.x);
      }
      if (width >= 1280) {
        const [, picture, text] = groups[2]!;
        expect([text!.tile.top, picture!.tile.right > 300]).toEqual([picture!.tile.top, true]);
        const [above, below] = [text!.content.top, picture!.tile.bottom - text!.content.bottom];
        expect(Math.abs(above - text!.tile.top - below)).toBeLessThan(8);
      }
      expect(await measureHorizontalOverflow(page)).toBe(0);
    }
  },
);

it.each(['default', 'terminal', 'midnight'])(
  'the profile is above rows of pictures, and beside other blocks, in the design "%s"',
  async (name) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const items = [UPRIGHT, LANDSCAPE, UPRIGHT, LANDSCAPE];
    const products = items.map(({ url }) =>
      block('link', { ...LINK, picture: url, size: 'third' }),
    );
    const cases: [boolean, PublicSite['blocks']][] = [
      [true, [block('gallery', { items })]],
      [true, products],
      [false, products.slice(1)],
      [false, PAIR],
    ];
    for (const [isAbove, blocks] of cases) {
      const others = [block('text', WORDS), block('quote', QUOTE), block('event', EVENT)];
      await show(withDesign({ ...PHOTOGRAPHER, blocks: [...others, ...blocks!] }, DESIGNS[name]!));
      const [avatar, list] = await Promise.all(
        ['.avatar', '.blocks'].map(
          async (part) => (await page.locator(part).first().boundingBox())!,
        ),
      );
      const isAvatarAbove = avatar!.y + avatar!.height <= list!.y;
      expect([blocks, isAvatarAbove]).toEqual([blocks, isAbove]);
      expect(isAbove || avatar!.x + avatar!.width < list!.x).toBe(true);
    }
  },
);

it.each(Object.entries(DESIGNS))(
  'on a phone, the picture of a last product alone is as large as others, beside its name, in the design "%s"',
  async (_name, design) => {
    await page.setViewportSize({ width: 390, height: 800 });
    const product = block('link', { ...LINK, picture: LANDSCAPE.url, size: 'third' });
    const large = block('link', {
      ...LINK,
      picture: LANDSCAPE.url,
      size: 'full',
      featured: true,
    });
    await show(withDesign({ blocks: [product, product, product, large] }, design));
    const boxes = await Promise.all(
      ['.cover', '.link-text'].map((part) => page.locator(part).all()),
    ).then((parts) => Promise.all(parts.flat().map(async (part) => (await part.boundingBox())!)));
    const [first, , last, full, , , name] = boxes;
    expect(full!.width).toBeGreaterThan(2 * first!.width);
    expect(Math.abs(last!.width - first!.width)).toBeLessThan(8);
    expect(Math.abs(last!.height - first!.height)).toBeLessThan(8);
    expect(name!.x).toBeGreaterThanOrEqual(last!.x + last!.width);
    expect(name!.y).toBeLessThan(last!.y + last!.height);
  },
);

/** Links in each row of a list of seven. Other designs have one column. */
const LIST_ROWS: Record<string, number[]> = {
  daylight: [3, 2, 2],
  meadow: [4, 3],
  citrus: [3, 2, 2],
};

it.each(Object.entries(DESIGNS))(
  'a list of links has one composition on a wide screen in the design "%s"',
  async (name, design) => {
    const titles = 'Shop,Ride with me on Sundays,Letters from the studio,Prints,Tips,Workshops';
    const links = titles.split(',').map((title) => block('link', { ...LINK, title }));
    links.push(
      block('link', { title: 'Mail', url: `https://${'jean-luc.'.repeat(9)}example.com` }),
    );
    await show(withDesign({ display_name: 'Mira', blocks: links }, design));
    for (const width of [390, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await measureHorizontalOverflow(page)).toBe(0);
    }
    const tops = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.links > li')].map((item) => item.offsetTop)`,
    );
    const rows = [...Map.groupBy(tops, (top) => top).values()].map((row) => row.length);
    expect(rows).toEqual(LIST_ROWS[name] ?? Array(7).fill(1));

    const five = { ...PHOTOGRAPHER, blocks: links.slice(0, 5) };
    await show(withDesign(five, design));
    const pageHeight = 'document.documentElement.scrollHeight';
    expect(await page.evaluate(pageHeight)).toBeLessThanOrEqual(800);
    await page.setViewportSize({ width: 390, height: 800 });
    expect((await page.locator('footer nav').boundingBox())!.height).toBeLessThan(60);
  },
);

it('a word in half a row of a phone is whole', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  const titles = ['Newsletter', 'Workshops', 'Worksheets', 'Memberships'];
  const links = titles.map((title) => ({ ...LINK, title, icon: 'none', half: true }));
  for (const design of Object.values(DESIGNS)) {
    await show(withDesign({ blocks: links.map((link) => block('link', link)) }, design));
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const lines = await page.evaluate<
        number[]
      >(`[...document.querySelectorAll('.label')].map((label) => {
        const range = document.createRange();
        range.selectNodeContents(label);
        return range.getClientRects().length;
      })`);
      const overflow = await measureHorizontalOverflow(page);
      expect([width, design, lines, overflow]).toEqual([width, design, [1, 1, 1, 1], 0]);
    }
  }
});

it('a long word in a large heading of a phone is whole', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  const heading = block('heading', { content: 'Jahreshauptversammlungen' });
  await show(withDesign({ blocks: [heading, block('text', WORDS)] }, DESIGNS['ember']!));
  expect((await page.locator('.blocks > h2').boundingBox())!.height).toBeLessThan(30);
});

it('a text has room above it, and a heading is nearer to its blocks than to others', async () => {
  const link = block('link', LINK);
  const [quote, heading] = [block('quote', QUOTE), block('heading', { content: 'Links' })];
  for (const design of Object.values(DESIGNS)) {
    await show(withDesign({ blocks: [link, block('text', WORDS), quote, heading, link] }, design));
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const [aboveText, aboveHeading, belowHeading] = await page.evaluate<
        number[]
      >(`['.text', 'h2', 'h2 + *'].map((selector) => {
        const element = document.querySelector('.blocks > ' + selector);
        const above = element.previousElementSibling.getBoundingClientRect();
        return element.getBoundingClientRect().top - above.bottom;
      })`);
      const distances = [aboveText! >= 16, belowHeading! < aboveHeading! / 2];
      expect([design, width, distances]).toEqual([design, width, [true, true]]);
    }
  }
});

it('in Meadow, a featured link without a picture is as green as others', async () => {
  const links = [{ ...LINK, featured: true }, LINK].map((link) => block('link', link));
  await show(withDesign({ blocks: links }, DESIGNS['meadow']!));
  const colors = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.link')].map((link) => getComputedStyle(link).backgroundColor)`,
  );
  expect(new Set(colors).size).toBe(1);
});

it('lines of code break', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  const content = 'npx tinyqueue init --database postgres://localhost/app';
  for (const design of Object.values(DESIGNS)) {
    await show(withDesign({ blocks: [block('code', { content })] }, design));
    const [width, scrollWidth] = await page.evaluate<[number, number]>(
      `(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth])(document.querySelector('pre'))`,
    );
    expect([design, scrollWidth]).toEqual([design, width]);
  }
});

it('in Gallery, one rule separates the profile from the blocks', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const link = block('link', LINK);
  const text = block('text', WORDS);
  const cover = block('link', { ...LINK, picture: LANDSCAPE.url, featured: true });
  const event = block('event', EVENT);
  const cases: [string, PublicSite['blocks']][] = [
    ['0px', [link, text]],
    ['0px', [event, text]],
    ['1px', [text, link]],
    ['1px', [cover, text]],
    ['1px', [...PAIR.slice(1), link]],
  ];
  for (const [width, blocks] of cases) {
    const others = [text, block('quote', QUOTE), event, text];
    await show(withDesign({ blocks: [...blocks!, ...others] }, DESIGNS['gallery']!));
    const rule = await page.evaluate(
      `getComputedStyle(document.querySelector('.profile')).borderBottomWidth`,
    );
    expect([blocks, rule]).toEqual([blocks, width]);
  }
});

it.each(Object.entries(DESIGNS))(
  'a featured link without a picture is a row in the design "%s"',
  async (_name, design) => {
    const links = [LINK, { ...LINK, featured: true }, LINK, LINK];
    const icon = '🏺';
    await show(
      withDesign(
        { blocks: [...links, LINK].map((link) => block('link', { ...link, icon })) },
        design,
      ),
    );
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const [ordinary, featured] = await page.evaluate<{ start: number; height: number }[]>(
        `[...document.querySelectorAll('.link')].map((link) => ({
          start: link.querySelector('.label').getBoundingClientRect().x - link.getBoundingClientRect().x,
          height: link.getBoundingClientRect().height,
        }))`,
      );
      expect(featured!.height).toBeLessThan(160);
      if (width === 390) expect(Math.abs(featured!.start - ordinary!.start)).toBeLessThan(24);
    }
  },
);

it.each([2, 3, 4, 5])('a large first link and the %i links after it fill rows', async (count) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const links = Array.from({ length: count }, () => block('link', LINK));
  await show({
    blocks: [block('link', { ...LINK, picture: LANDSCAPE.url, featured: true }), ...links, ...PAIR],
  });
  const [large, ...others] = await page.evaluate<Box[]>(`(() => {
    const list = document.querySelector('.links').getBoundingClientRect();
    return [...document.querySelectorAll('.links > li')].map((item) => {
      const at = item.getBoundingClientRect();
      return { left: at.x - list.x, right: list.right - at.right, top: at.y - list.y, bottom: at.bottom - list.y };
    });
  })()`);
  const beside = others.slice(0, 3);
  expect(large).toMatchObject({ left: 0, top: 0, bottom: beside.at(-1)!.bottom });
  for (const link of beside) expect(link.left).toBeGreaterThan(300);
  expect(beside[0]!.top).toBe(0);
  expect(others.at(-1)!.right).toBe(0);
  const lastRow = others.slice(3).filter(({ top }) => top === others.at(-1)!.top);
  if (lastRow.length > 0) expect(lastRow[0]!.left).toBe(0);
});

it.each([3, 4, 5, 6, 7, 8])('%i links fill rows of thirds or halves', async (count) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const links = Array.from({ length: count }, () => block('link', LINK));
  await show({ blocks: [...links, block('text', WORDS), ...PAIR] });
  const shares = await page.evaluate<[number, number][]>(`(() => {
    const list = document.querySelector('.links').getBoundingClientRect();
    return [...document.querySelectorAll('.links > li')].map((item) => {
      const { y, width } = item.getBoundingClientRect();
      return [y, Math.round((6 * width) / list.width)];
    });
  })()`);
  const rows = [...Map.groupBy(shares, ([top]) => top).values()];
  for (const row of rows) expect(row.reduce((sum, [, sixths]) => sum + sixths, 0)).toBe(6);
  expect(rows.length).toBe(Math.ceil(count / 3));
});

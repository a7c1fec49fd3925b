import { expect, it } from 'vitest';
import { justifiedRows } from '#page/picture-rows.ts';
import { renderSite } from '#page/render-site.ts';
import {
  EMPTY_SITE,
  RENDER_CONTEXT,
  attribute,
  block,
  renderPage,
  readText,
} from './support/site.ts';

const LANDSCAPE = 1.5;
const PORTRAIT = 2 / 3;

const storedPicture = (width: number, height: number, letter = 'x') =>
  `https://example.org/pictures/${letter.repeat(22)}-${width}x${height}/1200.webp`;

const rowsOf = (...ratios: number[]) =>
  [1.75, 4.1].map((target) => justifiedRows(ratios, target).map((row) => row.length));

it('the rows of a gallery have about the same height, also the last one', () => {
  expect(rowsOf(LANDSCAPE, PORTRAIT, 1, 0.8, 7 / 3, LANDSCAPE, 1.75, PORTRAIT)).toEqual([
    [2, 2, 1, 1, 2],
    [4, 1, 3],
  ]);
  expect(rowsOf(...Array<number>(4).fill(LANDSCAPE))).toEqual([
    [1, 1, 1, 1],
    [2, 2],
  ]);
  expect(rowsOf(...Array<number>(5).fill(PORTRAIT))).toEqual([[3, 2], [5]]);
  expect(rowsOf(PORTRAIT)).toEqual([[1], [1]]);
});

it('the rows of a gallery keep 50 pictures in their order', () => {
  const ratios = Array.from({ length: 50 }, (_, index) => 0.2 + ((index * 7) % 11) / 2);
  for (const target of [1.75, 4.1]) expect(justifiedRows(ratios, target).flat()).toEqual(ratios);
});

const classesOf = (page: ReturnType<typeof renderPage>) =>
  page.findAll('li').map((item) => attribute(item, 'class'));
const styleOf = (page: ReturnType<typeof renderPage>) => readText(page.findAll('style')[0]!);

const galleryImages = (page: ReturnType<typeof renderPage>) =>
  page
    .findAll('img')
    .filter((image) => attribute(image, 'loading') && attribute(image, 'decoding'));

it('a page with pictures opens its list of pictures, and steps through them', () => {
  const items = [{ url: storedPicture(900, 600), alt: 'A' }, { url: storedPicture(400, 600) }];
  const blocks = [block('gallery', { items }), block('gallery', { items })];
  const page = renderPage({ blocks });
  const ids = page.elements.map((element) => attribute(element, 'id'));
  const buttons = page
    .findAll('button')
    .map((button) => ['popovertarget', 'aria-label'].map((name) => attribute(button, name)))
    .filter(([target]) => target!.startsWith('v'));
  expect(buttons).toEqual(
    ['v0', 'v1'].flatMap((id) => [
      [id, undefined],
      [id, '2 / 2'],
      [id, 'Close'],
    ]),
  );
  const steps = page
    .findAll('a')
    .map((link) => attribute(link, 'href')!)
    .filter((href) => href.startsWith('#'));
  expect(steps).toHaveLength(8);
  for (const id of ['v0', 'v1', ...steps.map((href) => href.slice(1))])
    expect(ids.filter((other) => other === id)).toHaveLength(1);

  const context = { ...RENDER_CONTEXT, isFramed: true };
  const preview = renderSite({ ...EMPTY_SITE, blocks }, context, { abuseContact: undefined });
  expect(preview.html).not.toContain('v0');
});

it('a page with pictures gives the first of four pictures a row of its own', () => {
  const items = Array(4).fill({ url: storedPicture(900, 600) });
  const galleryClasses = (count: number) =>
    classesOf(renderPage({ blocks: [block('gallery', { items: items.slice(0, count) })] }));
  expect(galleryClasses(4)).toEqual([
    'first',
    expect.any(String),
    expect.any(String),
    expect.any(String),
    'close',
  ]);
  expect(galleryClasses(3)).not.toContain('first');
});

it('a page with pictures gives pictures of unknown size a fixed shape', () => {
  const page = renderPage({
    blocks: [block('gallery', { items: [{ url: 'http://example.com/a.png', alt: 'A' }] })],
  });
  const [image] = galleryImages(page);
  expect(['src', 'alt', 'class', 'width'].map((name) => attribute(image!, name))).toEqual([
    'https://example.com/a.png',
    'A',
    'unsized',
    undefined,
  ]);
});

it('a page with pictures shows adjacent images in rows, and a single one without a row', () => {
  const image = block('image', { url: storedPicture(900, 600) });
  const external = block('image', { url: 'https://example.com/a.png' });
  expect(classesOf(renderPage({ blocks: [image, image, external] }))).toEqual(['g0', 'g0']);
  for (const blocks of [[image], [image, external], [image, block('divider'), image]]) {
    const page = renderPage({ blocks });
    expect(classesOf(page)).toEqual([]);
    expect(styleOf(page)).not.toContain('.gallery{');
  }
});

import { expect, it } from 'vitest';
import { attribute, block, renderPage } from './support/site.ts';

const picture = (width: number, height: number, fields = {}) =>
  block('image', {
    url: `https://example.org/pictures/${'x'.repeat(22)}-${width}x${height}/1200.webp`,
    ...fields,
  });
const UPRIGHT = picture(400, 600);
const TEXT = block('text', { content: 'Words.' });
const HEADING = block('heading', { content: 'Work' });

/** For each group of tiles, the classes of the tiles and their number of blocks. */
function tilesOf(...blocks: ReturnType<typeof block>[]) {
  const page = renderPage({ blocks });
  const groups = page.elements.filter((element) =>
    attribute(element, 'class')?.split(' ').includes('tiles'),
  );
  return groups.map((group) =>
    group.childNodes.flatMap((tile) =>
      'attrs' in tile
        ? [
            `${attribute(tile, 'class')!.replace('blocks size-', '')} ${
              tile.childNodes.filter((child) => 'attrs' in child).length
            }`,
          ]
        : [],
    ),
  );
}

it('blocks with a size are tiles of one group, each in its own tile', () => {
  const link = block('link', { url: 'https://example.com', size: 'third' });
  const quote = block('quote', { content: 'Slow.', size: 'half' });
  expect(tilesOf(link, link, quote, block('faq', { size: 'half' }))).toEqual([
    ['third 1', 'third 1', 'half 1'],
  ]);
  expect(tilesOf(quote, block('divider'), link)).toEqual([['half 1'], ['third 1']]);
  expect(tilesOf({ ...UPRIGHT, size: 'third' })).toEqual([['third upright 1']]);
});

it('blocks with a size take the heading before them with them', () => {
  const event = block('event', { title: 'Fair', starts_at: '2026-12-05', size: 'third' });
  expect(tilesOf(HEADING, event, event, HEADING, event)).toEqual([
    ['full 1', 'third 1', 'third 1'],
    ['full 1', 'third 1'],
  ]);
});

it('blocks with a size are as before for sizes that do not exist', () => {
  for (const size of ['auto', 'wide', 3, null, ['half']])
    expect(tilesOf(block('quote', { content: 'Slow.', size }))).toEqual([]);
});

const small = block('contact', { email: 'jane@example.com' });
const quote = block('quote', { content: 'Slow.' });
const others = (count: number) => Array.from({ length: count }, () => ({ ...small }));

it('blocks that need little width are rows of three or two', () => {
  const sizes = (count: number) => tilesOf(...others(count))[0]?.map((tile) => tile.slice(0, -2));
  const [third, half] = ['third', 'half'];
  expect([1, 2, 3, 4, 5].map(sizes)).toEqual([
    undefined,
    [third, third],
    [third, third, third],
    [half, half, half, half],
    [third, third, third, third, third],
  ]);
  expect(sizes(7)).toEqual([third, third, third, half, half, half, half]);
});

it('blocks that need little width stack players of sound beside a film', () => {
  const film = block('embed', { url: 'https://vimeo.com/1' });
  const sound = block('embed', { url: 'https://open.spotify.com/track/1' });
  expect(tilesOf(film, sound, { ...sound }, { ...sound })).toEqual([['half 1', 'third 3']]);
  expect(tilesOf(film, sound)).toEqual([['third 1', 'third 1']]);
});

it('blocks that need little width are beside a quote if they are alone', () => {
  expect(tilesOf(quote, small, TEXT)).toEqual([['half 1', 'third 1']]);
  expect(tilesOf(small, quote)).toEqual([['third 1', 'half 1']]);
  expect(tilesOf(quote, ...others(2))).toEqual([['third 1', 'third 1']]);
});

it('blocks that need little width are code with short lines, and players that are closed', () => {
  const code = (length: number) => block('code', { content: 'a'.repeat(length) });
  const player = { url: 'https://vimeo.com/1' };
  expect(tilesOf(small, code(32))).toEqual([['third 1', 'third 1']]);
  expect(tilesOf(small, code(33))).toEqual([]);
  expect(tilesOf(small, block('embed', player))).toEqual([['third 1', 'third 1']]);
  expect(tilesOf(small, block('embed', { ...player, inline: true }))).toEqual([]);
  expect(tilesOf(small, block('qr', { url: 'x' }))).toEqual([]);
});

it('a picture is beside the text before it, with its heading, or else the text after it', () => {
  expect(tilesOf(HEADING, TEXT, UPRIGHT, { ...TEXT })).toEqual([['half 2', 'third 1']]);
  expect(tilesOf(HEADING, UPRIGHT, TEXT)).toEqual([['full 1', 'third 1', 'half 1']]);
  expect(tilesOf(UPRIGHT, TEXT, { ...UPRIGHT, id: 'other' })).toEqual([['third 1', 'half 1']]);
});

it('a picture stays alone without text, and in the row of another picture', () => {
  expect(tilesOf(UPRIGHT, block('divider'), TEXT)).toEqual([]);
  expect(tilesOf(UPRIGHT, block('text', { content: ' ' }))).toEqual([]);
  expect(tilesOf(picture(600, 400), UPRIGHT, TEXT)).toEqual([]);
});

it('a picture is alone if it is not upright and the text is long', () => {
  expect(tilesOf(HEADING, TEXT, picture(600, 400))).toEqual([['half 2', 'third 1']]);
  const longText = block('text', { content: 'words '.repeat(120) });
  expect(tilesOf(longText, picture(600, 400))).toEqual([]);
  expect(tilesOf(longText, UPRIGHT)).toEqual([['half 1', 'third 1']]);
});

it('a picture takes a third of the row beside a text that is shorter than half of it', () => {
  const text = block('text', { content: 'words '.repeat(80) });
  expect(tilesOf(text, picture(600, 400))).toEqual([['half 1', 'half 1']]);
  expect(tilesOf(text, picture(600, 600))).toEqual([['half 1', 'third 1']]);
});

it('a picture takes the whole row if it is more than twice as wide as high', () => {
  expect(tilesOf(TEXT, picture(1680, 720))).toEqual([]);
});

it('a picture does not take text whose width the owner chose', () => {
  expect(tilesOf(UPRIGHT, { ...TEXT, size: 'half' })).toEqual([['half 1']]);
});

import { expect, it } from 'vitest';
import { BLOCKS } from '#contract/shared/blocks.ts';
import { findKinds, groupKinds, newBlock, summaryOf } from '#dashboard/screens/page/kinds.ts';

const QUESTION = { question: 'Do you ship?', answer: 'Yes.' };

it.each([
  [{ type: 'link', url: 'https://example.com', title: ' My shop ' }, 'My shop'],
  [{ type: 'faq', ...QUESTION }, 'Do you ship?'],
  [{ type: 'faq', items: [QUESTION, { question: 'Where?' }] }, 'Do you ship?, Where?'],
  [{ type: 'social', items: [{ label: 'Code', url: 'https://a.example' }, 7, null] }, 'Code'],
  [{ type: 'divider', items: 'none' }, ''],
  [{ type: 'image', url: 'https://a.example/1.png' }, ''],
  [{ type: 'gallery', items: [{ url: '/1.png' }, { url: '/2.png', caption: 'Mugs' }] }, 'Mugs'],
  [
    { type: 'text', content: '## Hi, I am **Mira**\n- [Shop](https://a.example)' },
    'Hi, I am Mira\nShop',
  ],
  [{ type: 'text', content: 'x'.repeat(200) }, `${'x'.repeat(119)}…`],
])('the summary of a block is its most specific text: %j', (block, summary) => {
  expect(summaryOf(block)).toBe(summary);
});

it.each([
  ['link', { url: '' }],
  ['text', { content: '' }],
  ['social', { items: [] }],
  ['metric', { project: '', aggregate: 'sum', days: 30, display: 'sparkline' }],
  ['divider', {}],
  ['poll', {}],
])('a new block of the kind %s contains its required fields', (type, fields) => {
  expect(newBlock(type)).toEqual({ type, ...fields });
});

it('the gallery lists every kind, and then the kind "other"', () => {
  const types = findKinds('').map(({ type }) => type);
  expect(types).toEqual([...Object.keys(BLOCKS), 'other']);
});

it('a search finds no kind by a word that it does not have', () => {
  expect(findKinds('undefined')).toEqual([]);
});

it('the gallery begins with four favorites, and every kind is in one group', () => {
  const groups = groupKinds(findKinds(''));
  expect(groups[0]?.[1].map(({ type }) => type).toSorted()).toEqual([
    'image',
    'link',
    'social',
    'text',
  ]);
  const types = groups.flatMap(([, kinds]) => kinds.map(({ type }) => type));
  expect(types.toSorted()).toEqual([...Object.keys(BLOCKS), 'other'].toSorted());
});

it.each([
  ['  LINK ', 'link'],
  ['youtube', 'social'],
  ['photo', 'image'],
  ['portfolio', 'gallery'],
  ['pgp', 'key'],
  ['json', 'other'],
  ['insta', 'social'],
  ['opening hours', 'text'],
  ['map', 'embed'],
  ['music', 'embed'],
  ['phone', 'contact'],
  ['calendar', 'event'],
  ['shop', 'link'],
  ['newsletter', 'link'],
])('a search for %s finds the kind %s', (search, type) => {
  expect(findKinds(search).map((kind) => kind.type)).toContain(type);
});

it('a search lists prefix matches first, and nothing for unknown words', () => {
  expect(
    findKinds('co')
      .slice(0, 4)
      .map(({ type }) => type),
  ).toEqual(['contact', 'contact_form', 'countdown', 'code']);
  expect(findKinds('teapot')).toEqual([]);
});

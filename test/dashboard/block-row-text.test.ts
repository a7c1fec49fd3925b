import { expect, it } from 'vitest';
import { blockRowText } from '#dashboard/screens/page/block-row-text.ts';
import type { Block } from '#dashboard/screens/page/site.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const url = 'https://www.example.com/shop/';
const UPLOADED = `/pictures/${'x'.repeat(22)}-1200x800/96.webp`;

it.each([
  [
    { type: 'link', url, title: 'My shop' },
    { title: 'My shop', note: 'example.com/shop' },
  ],
  [
    { type: 'link', url },
    { title: 'example.com/shop', note: 'Link' },
  ],
  [
    { type: 'link', url: '' },
    { title: 'Link', note: 'Missing: Address', pill: { text: 'Not finished', variant: 'warn' } },
  ],
  [
    { type: 'heading', title: 'Shop' },
    { title: 'Shop', note: 'Heading' },
  ],
  [
    { type: 'text', content: 'About me' },
    { title: 'About me', note: 'Text' },
  ],
  [
    {
      type: 'text',
      content: 'I throw **stoneware** in a [kiln](https://example.com/kiln).\n- Mugs',
    },
    { title: 'I throw stoneware in a kiln.\nMugs', note: 'Text' },
  ],
  [
    { type: 'social', items: [] },
    { title: 'Social links', note: 'Missing: Links' },
  ],
  [
    {
      type: 'social',
      items: [
        { label: 'Code', url },
        { label: 'Film', url },
      ],
    },
    { title: 'Social links', note: 'Code, Film' },
  ],
  [
    { type: 'gallery', items: [{ url }, { url }] },
    { title: 'Gallery', note: '2 pictures', picture: url },
  ],
  [
    { type: 'image', url: `http://localhost:3000${UPLOADED.replace('/96', '/1200')}` },
    { title: 'Image', note: '', picture: UPLOADED },
  ],
  [
    { type: 'gallery', items: [] },
    { title: 'Gallery', note: 'Missing: Pictures' },
  ],
  [
    { type: 'image', url },
    { title: 'Image', note: '', picture: url },
  ],
  [
    { type: 'text', content: '' },
    { title: 'Text', note: 'Missing: Text' },
  ],
  [
    { type: 'event', title: 'Fair' },
    { title: 'Fair', note: 'Missing: Starts' },
  ],
  [{ type: 'divider' }, { title: 'Divider', note: '' }],
  [
    { type: 'link', url: 'github.com/mira', title: 'Code' },
    { title: 'Code', note: 'github.com/mira', brand: 'github' },
  ],
  [
    {
      type: 'social',
      items: [
        { url, label: 'Shop' },
        { url: 'https://instagram.com/mira', label: 'Photos' },
      ],
    },
    { title: 'Social links', note: 'Shop, Photos', brand: 'instagram' },
  ],
  [
    { type: 'link', url, title: 'Shop', until: '2026-11-01T00:00:00Z', featured: true },
    { title: 'Shop', note: 'example.com/shop', pill: { text: 'Ended', variant: '' } },
  ],
  [
    { type: 'link', url, title: 'Shop', featured: true },
    { title: 'Shop', note: 'example.com/shop', pill: { text: 'Featured', variant: 'good' } },
  ],
])('the row of %j shows its content', (fields, expected) => {
  const block = { id: 'a', enabled: true, ...fields } as Block;
  expect(blockRowText(block, NOW)).toEqual(expected);
});

it('a scheduled link shows its start', () => {
  const block = { id: 'a', enabled: true, type: 'link', url, from: '2026-12-01T12:00:00Z' };
  expect(blockRowText(block as Block, NOW).pill?.text).toMatch(/^From .*1/);
});

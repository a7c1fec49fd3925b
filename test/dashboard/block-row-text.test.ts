import { expect, it } from 'vitest';
import { blockRowText } from '#dashboard/screens/page/block-row-text.ts';
import type { Block } from '#dashboard/screens/page/site.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const url = 'https://www.example.com/shop/';
const rowOf = (fields: object) => blockRowText({ id: 'a', enabled: true, ...fields } as Block, NOW);
const UPLOADED = `/pictures/${'x'.repeat(22)}-1200x800/96.webp`;

const CODE = { url, label: 'Code' };
const PHOTOS = { url: 'https://instagram.com/mira', label: 'Photos' };
const PUBLIC = `http://localhost:3000${UPLOADED.replace('/96', '/1200')}`;
const ENDED = '2026-11-01T00:00:00Z';

it.each([
  [{ type: 'link', url, title: 'My shop' }, 'My shop', 'example.com/shop'],
  [{ type: 'link', url }, 'example.com/shop', 'Link'],
  [{ type: 'link', url: 'HTTPS://Example.com/A' }, 'Example.com/A', 'Link'],
  [{ type: 'heading', title: 'Shop' }, 'Shop', 'Heading'],
  [
    { type: 'text', content: 'A **kiln** [here](https://a.b).\n- Mugs' },
    'A kiln here.\nMugs',
    'Text',
  ],
  [{ type: 'text', content: '' }, 'Text', 'Missing: Text'],
  [{ type: 'social', items: [] }, 'Social links', 'Missing: Links'],
  [{ type: 'social', items: [CODE, CODE] }, 'Social links', 'Code, Code'],
  [{ type: 'gallery', items: [] }, 'Gallery', 'Missing: Pictures'],
  [{ type: 'event', title: 'Fair' }, 'Fair', 'Missing: Starts'],
  [
    { type: 'contact_form', title: 'Book', fields: [{}, { label: 'Boat', type: 'choice' }] },
    'Book',
    'Missing: Label, Options',
  ],
  [{ type: 'contact_form', title: 'Book', fields: [{ label: 'Boat' }] }, 'Book', 'Contact form'],
  [
    { type: 'event', title: 'Fair', starts_at: '2026-12-05T22:00Z', time_zone: 'Asia/Tokyo' },
    'Fair',
    'Event · Dec 6, 7:00 AM',
  ],
  [
    { type: 'event', title: 'Fair', starts_at: '2016-11-30', repeats: 'yearly' },
    'Fair',
    'Event · Nov 30',
  ],
  [{ type: 'countdown', starts_at: '2026-12-24' }, 'Countdown', 'Dec 24'],
  [{ type: 'countdown', starts_at: '2025-12-24' }, 'Countdown', 'Dec 24, 2025'],
  [{ type: 'divider' }, 'Divider', ''],
])('the row of %j shows its content', (fields, title, note) => {
  expect(rowOf(fields)).toMatchObject({ title, note });
});

it.each([
  [{ type: 'link', url: '' }, { pill: { text: 'Not finished', variant: 'warn' } }],
  [{ type: 'link', url, until: ENDED, featured: true }, { pill: { text: 'Ended', variant: '' } }],
  [{ type: 'link', url, until: '2026-11-21' }, {}],
  [{ type: 'link', url, until: '2026-11-20' }, { pill: { text: 'Ended', variant: '' } }],
  [{ type: 'link', url, featured: true }, { pill: { text: 'Featured', variant: 'good' } }],
  [{ type: 'link', url: 'github.com/mira' }, { brand: 'github' }],
  [{ type: 'social', items: [CODE, PHOTOS] }, { brand: 'instagram' }],
  [
    { type: 'gallery', items: [{ url }, { url }] },
    { note: '2 pictures', picture: url },
  ],
  [{ type: 'image', url: PUBLIC }, { picture: UPLOADED }],
  [{ type: 'image', url }, { picture: url }],
  [{ type: 'text', content: 'About me' }, {}],
])('the row of %j shows its state, service or picture', (fields, expected) => {
  const { title: _title, note, ...rest } = rowOf(fields);
  expect({ note, ...rest }).toEqual({ note, ...expected });
});

it('a scheduled link shows its start', () => {
  const { pill } = rowOf({ type: 'link', url, from: '2026-12-01T12:00:00Z' });
  expect(pill?.text).toMatch(/^From .*1/);
});

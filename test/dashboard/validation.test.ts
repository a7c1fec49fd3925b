import { expect, it } from 'vitest';
import { mapSiteTexts } from '#contract/shared/site-fields.ts';
import type { Site } from '#dashboard/screens/page/site.ts';
import { blockError, toSavableSite } from '#dashboard/screens/page/validation.ts';

const STORED_SITE: Site = {
  ...mapSiteTexts(() => null),
  bio: 'Potter.',
  avatar_url: 'https://a.example/me.png',
  custom_theme: { text_color: '#111111', accent_color: '#222222' },
  theme_id: null,
  settings: null,
  blocks: [
    { id: '1', type: 'link', enabled: true, url: 'https://a.example' },
    { id: '2', type: 'text', enabled: true, content: 'Hello' },
  ],
};

it('a draft is saved unchanged if it is complete', () => {
  expect(toSavableSite(STORED_SITE, STORED_SITE)).toEqual(STORED_SITE);
});

it('a draft keeps the stored version of an incomplete block, and saves the others', () => {
  const [link, text] = STORED_SITE.blocks as [Site['blocks'][0], Site['blocks'][0]];
  const draft = {
    ...STORED_SITE,
    blocks: [
      { ...text, content: 'Changed' },
      { ...link, url: 'no' },
    ],
  };
  expect(toSavableSite(draft, STORED_SITE).blocks).toEqual([{ ...text, content: 'Changed' }, link]);
});

it('a draft is saved without an incomplete new block', () => {
  const newBlock = { id: '3', type: 'link', enabled: true, url: '' };
  const draft = { ...STORED_SITE, bio: 'New.', blocks: [newBlock, ...STORED_SITE.blocks] };
  expect(toSavableSite(draft, STORED_SITE)).toEqual({ ...STORED_SITE, bio: 'New.' });
});

it('a draft is saved with the scheme that an address lacks', () => {
  const block = { id: '3', type: 'link', enabled: true, url: 'mira.example' };
  expect(toSavableSite({ ...STORED_SITE, blocks: [block] }, STORED_SITE).blocks).toEqual([
    { ...block, url: 'https://mira.example' },
  ]);
});

it('a draft keeps the stored picture and colors while the new ones are incomplete', () => {
  const draft = {
    ...STORED_SITE,
    avatar_url: 'nowhere',
    custom_theme: { text_color: '#11', accent_color: '#333333', primary_color: '#4' },
  };
  expect(toSavableSite(draft, STORED_SITE)).toEqual({
    ...STORED_SITE,
    custom_theme: { text_color: '#111111', accent_color: '#333333' },
  });
});

it.each([
  [{ type: 'link' }, 'Address is missing.'],
  [{ type: 'image', url: '' }, 'Picture is missing.'],
  [{ type: 'qr' }, undefined],
  [{ type: 'link', url: 'tel:123' }, undefined],
  [{ type: 'link', url: 'matrix:u/jane:example.com' }, undefined],
  [
    { type: 'image', url: 'tel:123' },
    'Picture must be a web address, such as https://example.com.',
  ],
  [{ type: 'Not a type' }, 'Type must be 1 to 32 characters: a to z, 0 to 9, _ and -.'],
  [{ type: 'text', content: '' }, undefined],
  [{ type: 'event', starts_at: '2026-12-02T10:00', ends_at: '2026-12-02' }, undefined],
  [
    { type: 'event', starts_at: '2026-12-02T10:00', ends_at: '2026-12-01' },
    'Choose a day that is not before “Starts”.',
  ],
  // The form does not show this field.
  [{ type: 'event', starts_at: '2026-12-02', repeats_until: '2026-12-01' }, undefined],
  [
    { type: 'event', starts_at: '2026-12-02', repeats: 'weekly', repeats_until: '2026-12-01' },
    'Choose a day that is not before “Starts”.',
  ],
  [
    {
      type: 'link',
      url: 'https://a.example',
      from: '2026-12-02T10:00Z',
      until: '2026-12-02T09:00Z',
    },
    'Choose a time after “Show from”.',
  ],
])('an incomplete block has an error message: %j', (block, expectedMessage) => {
  expect(blockError({ id: '1', enabled: true, ...block })?.message).toBe(expectedMessage);
});

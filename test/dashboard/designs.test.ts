import { expect, it } from 'vitest';
import {
  DESIGN_SETTINGS,
  customThemeLike,
  lookOf,
  thumbnailRequest,
  withDesignSettings,
} from '#dashboard/screens/page/designs.ts';
import type { Block, Site } from '#dashboard/screens/page/site.ts';

const settings = { id: 'p', position: 0, fields: { lang: 'pt', pronouns: 'they' } };
const text = (id: string, enabled = true): Block => ({ id, type: 'text', enabled, content: id });

it('a design replaces the previous one and keeps the other page settings', () => {
  const oldDesign = Object.fromEntries(DESIGN_SETTINGS.map((name) => [name, 'old']));
  const oldSettings = { ...settings, fields: { ...settings.fields, ...oldDesign } };
  expect(withDesignSettings(oldSettings)).toEqual(settings);
  expect(withDesignSettings(oldSettings, { corners: 'pill' })).toEqual({
    ...settings,
    fields: { ...settings.fields, corners: 'pill' },
  });
});

it('applying a design creates missing page settings, and removing it does not', () => {
  expect(withDesignSettings(null, { corners: 'pill' })).toEqual({
    id: expect.any(String),
    position: 0,
    fields: { corners: 'pill' },
  });
  expect(withDesignSettings(null)).toBe(null);
});

it.each([
  ['Paper', { fonts: 'playfair', buttons: 'underline', corners: 'square', avatar: 'blob' }],
  ['Midnight', { fonts: 'grotesk', corners: 'round', background: 'gradient', avatar: 'blob' }],
])('custom colors begin with those and the shapes of the theme %s', (name, design) => {
  const colors = Object.fromEntries(
    ['background', 'primary', 'text', 'accent'].map((color) => [`${color}_color`, '#123456']),
  );
  const site = {
    theme_id: name,
    settings: withDesignSettings(settings, { avatar: 'blob' }),
  } as Site;
  expect(customThemeLike(site, name, colors)).toEqual({
    custom_theme: colors,
    settings: withDesignSettings(settings, design),
  });
});

it('only a known look is a look', () => {
  expect(lookOf(withDesignSettings(settings, { look: 'citrus' }))).toBe('citrus');
  for (const look of ['theme', 'lagoon', undefined])
    expect(lookOf(withDesignSettings(settings, { look }))).toBe(undefined);
  expect(lookOf(null)).toBe(undefined);
});

it('a thumbnail shows the first visible blocks in the theme', () => {
  const site = { bio: 'Potter.', theme_id: 'old', custom_theme: null } as Site;
  const blocks = Array.from({ length: 20 }, (_, index) => text(`${index}`, index !== 1));
  const request = JSON.parse(
    thumbnailRequest(
      { ...site, settings, blocks: blocks },
      { theme_id: 'new', custom_theme: null },
    ),
  ) as Site;
  expect(request).toMatchObject({ bio: 'Potter.', theme_id: 'new' });
  expect(request.blocks.map(({ id }) => id)).toEqual(['p', '0', '2', '3', '4', '5']);
});

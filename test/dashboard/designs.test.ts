import { expect, it } from 'vitest';
import { DESIGN_PRESETS } from '#contract/design-presets.ts';
import {
  DESIGN_SETTINGS,
  matchingPreset,
  thumbnailRequest,
  withDesign,
} from '#dashboard/screens/page/designs.ts';
import type { Block, Site } from '#dashboard/screens/page/site.ts';

const settings = { id: 'p', position: 0, fields: { lang: 'pt', pronouns: 'they' } };
const text = (id: string, enabled = true): Block => ({ id, type: 'text', enabled, content: id });

it('a design replaces the previous one and keeps the other page settings', () => {
  const old = Object.fromEntries(DESIGN_SETTINGS.map((name) => [name, 'old']));
  const stored = { ...settings, fields: { ...settings.fields, ...old } };
  expect(withDesign(stored)).toEqual(settings);
  expect(withDesign(stored, { corners: 'pill' })).toEqual({
    ...settings,
    fields: { ...settings.fields, corners: 'pill' },
  });
});

it('a design creates page settings if there are none, and no design creates none', () => {
  expect(withDesign(null, { corners: 'pill' })).toEqual({
    id: expect.any(String),
    position: 0,
    fields: { corners: 'pill' },
  });
  expect(withDesign(null)).toBe(null);
});

it('a page matches a preset until its colours or its design differ', () => {
  const [look] = DESIGN_PRESETS;
  const site = { custom_theme: look!.custom_theme, theme_id: null } as Site;
  const chosen = withDesign(settings, look!.page);
  const other = withDesign(settings, { ...look!.page, corners: 'pill' });
  expect(matchingPreset({ ...site, settings: chosen })).toBe(look);
  expect(matchingPreset({ ...site, settings: other })).toBe(undefined);
  expect(matchingPreset({ ...site, custom_theme: {}, settings: chosen })).toBe(undefined);
});

it('a thumbnail shows the top of the page in its theme, without hidden blocks', () => {
  const site = { bio: 'Potter.', theme_id: 'old', custom_theme: null } as Site;
  const many = Array.from({ length: 20 }, (_, at) => text(`${at}`, at !== 1));
  const shown = JSON.parse(
    thumbnailRequest({ ...site, settings, blocks: many }, { theme_id: 'new', custom_theme: null }),
  ) as Site;
  expect(shown).toMatchObject({ bio: 'Potter.', theme_id: 'new' });
  expect(shown.blocks.map(({ id }) => id)).toEqual(['p', '0', '2', '3', '4', '5']);
});

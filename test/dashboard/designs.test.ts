import { expect, it } from 'vitest';
import { LOOKS } from '../../contract/looks.ts';
import {
  DESIGN_SETTINGS,
  lookOf,
  thumbOf,
  withDesign,
} from '../../dashboard/screens/page/designs.ts';
import type { Block, Site } from '../../dashboard/screens/page/site.ts';

const page = { id: 'p', type: 'page', enabled: true, lang: 'pt', pronouns: 'they' } as Block;
const text = (id: string, enabled = true): Block => ({ id, type: 'text', enabled, content: id });

it('a design replaces the one before and leaves the other settings of the page', () => {
  const old = Object.fromEntries(DESIGN_SETTINGS.map((name) => [name, 'old']));
  const blocks = [{ ...page, ...old }, text('a')];
  expect(withDesign(blocks)).toEqual([page, text('a')]);
  expect(withDesign(blocks, { corners: 'pill' })).toEqual([
    { ...page, corners: 'pill' },
    text('a'),
  ]);
});

it('a design of a page without settings makes some, and no design makes none', () => {
  expect(withDesign([text('a')], { corners: 'pill' }, () => 'new')).toEqual([
    { id: 'new', type: 'page', enabled: true, corners: 'pill' },
    text('a'),
  ]);
  expect(withDesign([text('a')])).toEqual([text('a')]);
});

it('a page has a look until its colours or its design differ', () => {
  const [look] = LOOKS;
  const site = { custom_theme: look!.custom_theme, theme_id: null } as Site;
  const blocks = withDesign([page], look!.page);
  expect(lookOf({ ...site, blocks })).toBe(look);
  expect(lookOf({ ...site, blocks: withDesign([page], { ...look!.page, corners: 'pill' }) })).toBe(
    undefined,
  );
  expect(lookOf({ ...site, custom_theme: {}, blocks })).toBe(undefined);
});

it('a thumbnail shows the beginning of the page in its theme, without hidden blocks', () => {
  const site = { bio: 'Potter.', theme_id: 'old', custom_theme: null } as Site;
  const many = Array.from({ length: 20 }, (_, at) => text(`${at}`, at !== 1));
  const shown = JSON.parse(
    thumbOf({ ...site, blocks: [...many, page] }, { theme_id: 'new', custom_theme: null }),
  ) as Site;
  expect(shown).toMatchObject({ bio: 'Potter.', theme_id: 'new' });
  expect(shown.blocks.map(({ id }) => id)).toEqual(['p', '0', '2', '3', '4', '5']);
});

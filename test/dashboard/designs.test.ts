import { expect, it } from 'vitest';
import { DESIGN_SETTINGS, thumbOf, withDesign } from '../../dashboard/screens/page/designs.ts';
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

it('a thumbnail shows the beginning of the page in its theme, without hidden blocks', () => {
  const site = { bio: 'Potter.', theme_id: 'old', custom_theme: null } as Site;
  const many = Array.from({ length: 20 }, (_, at) => text(`${at}`, at !== 1));
  const shown = JSON.parse(
    thumbOf({ ...site, blocks: [...many, page] }, { theme_id: 'new', custom_theme: null }),
  ) as Site;
  expect(shown).toMatchObject({ bio: 'Potter.', theme_id: 'new' });
  expect(shown.blocks.map(({ id }) => id)).toEqual(['p', '0', '2', '3', '4', '5']);
});

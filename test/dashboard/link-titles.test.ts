import { expect, it } from 'vitest';
import type { Block } from '#contract/block.ts';
import { findLinkTitles } from '#dashboard/screens/visitors/link-titles.ts';

const link = (title: string, url: string) => ({ type: 'link', title, url }) as unknown as Block;

it('an address of several links is named by all their titles', () => {
  const shop = link('The shop', 'https://mira.example');
  const mugs = link('Mugs · Bowls', 'https://MIRA.example/');
  const titles = findLinkTitles([shop, mugs, shop, mugs]);
  expect([...titles]).toEqual([['https://mira.example/', 'The shop · Mugs · Bowls']]);
});

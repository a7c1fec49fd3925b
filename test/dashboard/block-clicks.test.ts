import { expect, it } from 'vitest';
import { countClicks, sharesClicks } from '#dashboard/screens/page/block-clicks.ts';
import type { Block } from '#dashboard/screens/page/site.ts';

const clicks = new Map([
  ['https://mira.example/', 3],
  ['https://social.example/@mira', 4],
]);
const count = (fields: object) =>
  countClicks({ id: 'a', enabled: true, type: 'link', ...fields } as Block, clicks);

it('the editor counts clicks by the normalized address, with those on the items of a list', () => {
  expect(count({ url: 'https://MIRA.example' })).toBe(3);
  expect(
    count({ items: [{ url: 'https://social.example/@mira' }, { url: 'nowhere' }, null] }),
  ).toBe(4);
});

it('the editor counts an address that occurs twice in a block once', () => {
  const items = [{ url: 'https://mira.example' }, { url: 'https://mira.example/' }];
  expect(count({ items })).toBe(3);
});

it('the editor knows whether another block has the same address', () => {
  const [shop, sameShop, other] = [
    { url: 'https://mira.example' },
    { items: [{ url: 'https://MIRA.example/' }] },
    { url: 'https://social.example/@mira' },
  ].map((fields, index) => ({ id: `${index}`, enabled: true, type: 'link', ...fields }) as Block);
  expect(sharesClicks(shop!, [shop!, other!])).toBe(false);
  expect(sharesClicks(shop!, [shop!, sameShop!, other!])).toBe(true);
});

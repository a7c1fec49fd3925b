import { describe, expect, it } from 'vitest';
import { describeChanges, countChanges } from '#dashboard/screens/page/changes.ts';
import type { Block, Site } from '#dashboard/screens/page/site.ts';

const SITE: Site = {
  bio: 'Potter.',
  avatar_url: null,
  theme_id: null,
  custom_theme: null,
  display_name: null,
  location: null,
  mood: null,
  settings: null,
  blocks: [],
};
const block = (id: string, content = id): Block => ({ id, type: 'text', enabled: true, content });
const [blockA, blockB, blockC] = ['a', 'b', 'c'].map((id) => block(id));

describe('the number of changes between two states of a site', () => {
  it.each([
    ['nothing', [blockA, blockB], {}, [blockA, blockB], 0],
    ['two details', [blockA], { bio: 'Baker.', mood: 'glad' }, [blockA], 2],
    ['a block that is new and one that is gone', [blockA, blockB], {}, [blockB, blockC], 2],
    ['a block that is different', [blockA, blockB], {}, [block('a', 'x'), blockB], 1],
    ['the order of several blocks', [blockA, blockB, blockC], {}, [blockC, blockB, blockA], 1],
    [
      'a block between others, which leaves their order',
      [blockA, blockC],
      {},
      [blockA, blockB, blockC],
      1,
    ],
  ] as const)('counts %s', (_what, siteFieldsBefore, details, after, count) => {
    const siteBefore = { ...SITE, blocks: [...siteFieldsBefore] as Block[] };
    const siteAfter = { ...SITE, ...details, blocks: [...after] as Block[] };
    expect(countChanges(siteBefore, siteAfter)).toBe(count);
  });
});

describe('a version', () => {
  it.each([
    [['bio'], [], 'Bio changed'],
    [['blocks'], [], 'Blocks moved'],
    [['blocks', 'bio'], [['link', 'added', 2]], '2 links added, bio changed'],
    [
      ['blocks'],
      [
        ['link', 'added', 2],
        ['text', 'added', 1],
      ],
      '2 links and 1 text added',
    ],
    [
      ['blocks'],
      [
        ['qr', 'added', 1],
        ['code', 'removed', 3],
      ],
      '1 QR code added, 3 code blocks removed',
    ],
    [
      ['blocks'],
      [
        ['social', 'changed', 1],
        ['poll', 'added', 1],
      ],
      '1 poll block added, 1 social links block changed',
    ],
    [['theme_id', 'mood'], [], 'Theme and mood changed'],
  ] as const)('that changed %j describes the change', (changed, blocks, description) => {
    const changes = blocks.map(([type, change, count]) => ({ type, change, count }));
    expect(describeChanges({ changed, blocks: changes })).toBe(description);
  });
});

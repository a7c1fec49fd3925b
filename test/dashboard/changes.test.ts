import { expect, it } from 'vitest';
import { describeChanges, findTextChange, joinVersions } from '#dashboard/screens/page/changes.ts';

it.each([
  [['bio'], {}, 'Bio changed'],
  [['blocks'], {}, 'Blocks moved'],
  [['blocks', 'bio'], { link: ['added', 2] }, '2 links added, bio changed'],
  [['blocks'], { link: ['added', 2], text: ['added', 1] }, '2 links and 1 text added'],
  [
    ['blocks'],
    { qr: ['added', 1], code: ['removed', 3] },
    '1 QR code added, 3 code blocks removed',
  ],
  [
    ['blocks'],
    { social: ['changed', 1], poll: ['added', 1] },
    '1 poll block added, 1 social links block changed',
  ],
  [['theme_id', 'mood'], {}, 'Theme and mood changed'],
] as const)('a version that changed %j describes the change', (changed, blocks, description) => {
  const changes = Object.entries(blocks).map(([type, [change, count]]) => ({
    type,
    change,
    count,
  }));
  expect(describeChanges({ changed, blocks: changes })).toBe(description);
});

it.each([
  ['I make mugs.', 'I make mugs that hum.', '…mugs.', '…mugs that hum.'],
  ['Potter in Lisbon.', 'Potter and writer in Lisbon.', '', '…and writer …'],
  [null, 'Potter.', '', 'Potter.'],
  ['Potter.', 'w'.repeat(80), 'Potter.', `${'w'.repeat(60)}…`],
])('the change from %j to %j shows the words that differ', (before, after, removed, added) => {
  const contentOf = (bio: string | null) => ({ site: { bio }, blocks: [] });
  expect(findTextChange(contentOf(before), contentOf(after))).toEqual({ removed, added });
  const blockOf = (content: string | null) => ({ site: {}, blocks: [{ id: 'a', content }] });
  expect(findTextChange(blockOf(before), blockOf(after))).toEqual({ removed, added });
  expect(findTextChange(blockOf(after), { site: {}, blocks: [] })).toBeUndefined();
});

it('a version of the same field within ten minutes replaces the earlier one in the list', () => {
  const rows = [
    [6, 'bio', 29],
    [5, 'bio', 20],
    [4, 'mood', 19],
    [3, 'blocks', 18],
    [2, 'blocks', 17],
    [1, 'bio', 0],
  ] as const;
  const versions = rows.map(([version, field, minute]) => ({
    version,
    changed: [field],
    blocks: [],
    created_at: new Date(minute * 60_000).toISOString(),
  }));
  expect(joinVersions(versions).map(({ version, previous }) => [version, previous])).toEqual([
    ...[
      [6, 4],
      [4, 3],
      [3, 2],
      [2, 1],
    ],
    [1, undefined],
  ]);
});

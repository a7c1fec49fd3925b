import { expect, it } from 'vitest';
import { describeChanges } from '#dashboard/screens/page/changes.ts';

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

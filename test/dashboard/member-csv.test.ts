import { expect, it } from 'vitest';
import { type CheckedMember, formatMemberList } from '#dashboard/screens/invitations/member-csv.ts';
import { readMemberCsv } from '#server/features/invitations/read-member-csv.ts';

it.each([
  ['no titles', 'Ann Lee;ann@example.com\n\nBen;ben@example.com\nEve;\n', [1, 3, 4]],
  ['titles', 'name;email\nAnn Lee;ann@example.com\nBen;ben@example.com\nEve;\n', [2, 3, 4]],
  // The titles take the first line, so that the person on it is kept.
  ['a name like a formula', `name;email\n''=1;ann@example.com\n`, [2]],
  ['a bad first address', 'Ann Lee;ann@\n\nBen;ben@example.com\nEve;\n', [2, 3, 4]],
])('people of a list with %s keep their lines when it is checked again', async (_, csv, lines) => {
  const { rows } = await readMemberCsv({ csv });
  const again = await readMemberCsv(formatMemberList(rows as CheckedMember[]));
  expect(again.rows).toEqual(rows.map((row, index) => ({ ...row, line: lines[index] })));
});

it('other requests run while a long list is read', async () => {
  const addresses = Array.from({ length: 5_000 }, (_, index) => `jane-${index}@example.com`);
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const { rows } = await readMemberCsv({ csv: `email\n${addresses.join('\n')}` });
  clearImmediate(timer);
  expect(rows.map(({ email }) => email)).toEqual(addresses);
  expect(turns).toBeGreaterThan(20);
});

import { expect, it } from 'vitest';
import { diffRecipients } from '#server/features/addresses/diff-recipients.ts';

const anna = { id: '1', account_id: 'anna', email: 'anna@example.com' };
const harbor = { id: '2', account_id: null, email: 'Harbor@example.org' };
const deleted = { id: '3', account_id: null, email: null };
const current = [anna, harbor, deleted];

it('all recipients stay without a new list', () => {
  expect(diffRecipients(current)).toEqual({ added: [], removed: [], kept: current });
});

it('a member stays whatever the email, and an outside address in any spelling', () => {
  const wanted = [{ account_id: 'anna' }, { email: 'harbor@EXAMPLE.org' }];
  expect(diffRecipients(current, wanted)).toEqual({
    added: [],
    removed: [deleted],
    kept: [anna, harbor],
  });
});

it('a recipient that is repeated is added once, also beside a deleted account', () => {
  const carl = { account_id: 'carl' };
  const town = [{ email: 'Town@example.org' }, { email: 'town@example.org' }];
  expect(diffRecipients([deleted], [carl, carl, ...town])).toEqual({
    added: [carl, town[1]],
    removed: [deleted],
    kept: [],
  });
  expect(diffRecipients(current, [])).toEqual({ added: [], removed: current, kept: [] });
});

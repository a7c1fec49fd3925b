import { expect, it } from 'vitest';
import { recordChange, createHistory, redo, undo } from '#dashboard/screens/page/history.ts';

it('a history has nothing to redo after another change', () => {
  const history = recordChange(undo(recordChange(createHistory('a'), 'b')), 'c');
  expect(redo(history).present).toBe('c');
  expect(undo(history).present).toBe('a');
});

it('a history keeps a hundred steps', () => {
  let history = createHistory(0);
  for (let step = 1; step <= 150; step += 1) history = recordChange(history, step);
  for (let step = 1; step <= 150; step += 1) history = undo(history);
  expect(history.present).toBe(50);
});

import { describe, expect, it } from 'vitest';
import { recordChange, createHistory, redo, undo } from '#dashboard/screens/page/history.ts';

describe('a history', () => {
  it('undoes and redoes step by step', () => {
    const history = recordChange(recordChange(createHistory('a'), 'b'), 'c');
    expect(undo(history).present).toBe('b');
    expect(undo(undo(undo(history))).present).toBe('a');
    expect(redo(undo(undo(history))).present).toBe('b');
    expect(redo(redo(undo(undo(history)))).present).toBe('c');
    expect(redo(history)).toBe(history);
  });

  it('undoes a typed word as one step', () => {
    const history = recordChange(recordChange(createHistory(''), 'w'), 'wo', { isSameStep: true });
    expect(undo(history).present).toBe('');
  });

  it('has nothing to redo after another change', () => {
    const history = recordChange(undo(recordChange(createHistory('a'), 'b')), 'c');
    expect(redo(history).present).toBe('c');
    expect(undo(history).present).toBe('a');
  });

  it('keeps a hundred steps', () => {
    let history = createHistory(0);
    for (let step = 1; step <= 150; step += 1) history = recordChange(history, step);
    for (let step = 1; step <= 150; step += 1) history = undo(history);
    expect(history.present).toBe(50);
  });
});

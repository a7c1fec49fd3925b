import { describe, expect, it } from 'vitest';
import { changed, historyOf, redone, undone } from '#dashboard/screens/page/history.ts';

describe('a history', () => {
  it('goes back step by step, and forth again', () => {
    const history = changed(changed(historyOf('a'), 'b'), 'c');
    expect(undone(history).present).toBe('b');
    expect(undone(undone(undone(history))).present).toBe('a');
    expect(redone(undone(undone(history))).present).toBe('b');
    expect(redone(redone(undone(undone(history)))).present).toBe('c');
    expect(redone(history)).toBe(history);
  });

  it('undoes the letters of a word as one step', () => {
    const typed = changed(changed(historyOf(''), 'w'), 'wo', { isSameStep: true });
    expect(undone(typed).present).toBe('');
  });

  it('has nothing to redo after something else was changed', () => {
    const history = changed(undone(changed(historyOf('a'), 'b')), 'c');
    expect(redone(history).present).toBe('c');
    expect(undone(history).present).toBe('a');
  });

  it('keeps a hundred steps', () => {
    let history = historyOf(0);
    for (let step = 1; step <= 150; step += 1) history = changed(history, step);
    for (let step = 1; step <= 150; step += 1) history = undone(history);
    expect(history.present).toBe(50);
  });
});

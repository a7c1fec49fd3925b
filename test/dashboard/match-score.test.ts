import { describe, expect, it } from 'vitest';
import { matchScore } from '#dashboard/palette/match-score.ts';

describe('the match score of the command palette', () => {
  it('prefers the start of the text, then the start of a word, then the middle of a word, then letters in order', () => {
    const ranks = ['Keys', 'Create key', 'Monkey', 'Kites everyday'].map((text) =>
      matchScore(text, 'key')!,
    );
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(new Set(ranks).size).toBe(ranks.length);
  });

  it('requires every typed word, in any order', () => {
    expect(matchScore('Create key', 'KEY cr')).toBeDefined();
    expect(matchScore('Create key', 'key mail')).toBeUndefined();
    expect(matchScore('Create key', 'yek')).toBeUndefined();
    expect(matchScore('Create key', '  ')).toBe(0);
  });
});

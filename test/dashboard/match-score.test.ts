import { describe, expect, it } from 'vitest';
import { matchScore, wordStartScore } from '#dashboard/palette/match-score.ts';

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

it('texts of blocks match whole words and beginnings of words only', () => {
  const text = 'Mugs from the north example.com/shop';
  expect(wordStartScore(text, 'NOR mug')).toBeDefined();
  expect(wordStartScore(text, 'example.com')).toBeDefined();
  expect(wordStartScore(text, 'shop')).toBeDefined();
  expect(wordStartScore(text, 'orth')).toBeUndefined();
  expect(wordStartScore(text, 'mgs')).toBeUndefined();
});

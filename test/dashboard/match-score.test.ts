import { describe, expect, it } from 'vitest';
import { matchScore, splitMatches } from '#dashboard/palette/match-score.ts';

describe('the match score of the command palette', () => {
  it('prefers the start of the title, then of a word, then the inside of a word, then keywords', () => {
    const ranks = [
      ['Keys', ''],
      ['Create key', ''],
      ['Monkey', ''],
      ['Settings', 'a key to sign in'],
    ].map(([title, keywords]) => matchScore(title!, keywords!, 'key')!);
    expect(ranks).toEqual([0, 1, 2, 3]);
  });

  it('requires every typed word, in any order', () => {
    expect(matchScore('Create key', '', 'KEY cr')).toBeDefined();
    expect(matchScore('Create key', '', 'key mail')).toBeUndefined();
    expect(matchScore('Création', 'Işıl', 'CRE\u0301A ışı')).toBeDefined();
    expect(matchScore('Create key', '', '  ')).toBe(0);
  });

  it('ignores scattered letters, the inside of keywords, and two letters inside a word', () => {
    expect(matchScore('Kites everyday', '', 'key')).toBeUndefined();
    expect(matchScore('Settings', 'monkey', 'key')).toBeUndefined();
    expect(matchScore('Home', '', 'me')).toBeUndefined();
    expect(matchScore('Über uns', '', 'üb')).toBe(0);
  });

  it('takes every character literally', () => {
    expect(matchScore('What? (FAQ)', '', '(faq) what?')).toBeDefined();
    expect(matchScore('Keys', '', '.*')).toBeUndefined();
  });
});

it('splits titles into parts, every second of which matches', () => {
  expect(splitMatches('Create key', 'key cr')).toEqual(['', 'Cr', 'eate ', 'key', '']);
  expect(splitMatches('Home menu', 'me')).toEqual(['Home ', 'me', 'nu']);
  expect(splitMatches('Home', ' ')).toEqual(['Home']);
});

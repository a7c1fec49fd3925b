import { foldText } from '#contract/shared/fold-text.ts';

/** Shorter words match only beginnings of words. */
const MIN_LENGTH_INSIDE_WORD = 3;
const WORD_START = String.raw`(?<![\p{L}\p{N}])`;

/**
 * Scores how well a title, or else its keywords, match a search. Lower is better, and undefined
 * means no match. Every word of the search must match. From best to worst, it can match at the start
 * of the title, at the start of a word of the title, inside a word, or at the start of a keyword.
 */
export function matchScore(title: string, keywords: string, search: string): number | undefined {
  const foldedTitle = foldText(title);
  const scores = patternsOf(foldText(search)).map((word) => {
    const wordStart = new RegExp(WORD_START + word, 'u');
    const index = foldedTitle.search(wordStart);
    if (index >= 0) return Math.min(index, 1);
    if (new RegExp(insideWord(word), 'u').test(foldedTitle)) return 2;
    return wordStart.test(foldText(keywords)) ? 3 : Infinity;
  });
  const score = scores.reduce((sum, wordScore) => sum + wordScore, 0);
  return score === Infinity ? undefined : score;
}

/** Splits a title into parts, every second of which matches a word of the search. */
export function splitMatches(title: string, search: string): string[] {
  const pattern = patternsOf(search).map(insideWord).join('|');
  return pattern === '' ? [title] : title.split(new RegExp(`(${pattern})`, 'iu'));
}

function insideWord(word: string): string {
  return word.length < MIN_LENGTH_INSIDE_WORD ? WORD_START + word : word;
}

function patternsOf(search: string): string[] {
  return search
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
}

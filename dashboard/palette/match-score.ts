/** Shorter words match only beginnings of words. */
const MIN_LENGTH_INSIDE_WORD = 3;
const WORD_START = String.raw`(?<![\p{L}\p{N}])`;

/**
 * Scores how well a title, or else its keywords, match a search. Lower is better, and undefined
 * means no match. Every word of the search must match. From best to worst, it can match at the start
 * of the title, at the start of a word of the title, inside a word, or at the start of a keyword.
 */
export function matchScore(title: string, keywords: string, search: string): number | undefined {
  let score = 0;
  for (const word of patternsOf(search)) {
    const wordStart = new RegExp(WORD_START + word, 'iu');
    const index = title.search(wordStart);
    if (index > 0) score += 1;
    else if (index < 0 && isFoundInside(title, word)) score += 2;
    else if (index < 0 && wordStart.test(keywords)) score += 3;
    else if (index < 0) return undefined;
  }
  return score;
}

/** Splits a title into parts, every second of which matches a word of the search. */
export function splitMatches(title: string, search: string): string[] {
  const patterns = patternsOf(search).map((word) =>
    word.length < MIN_LENGTH_INSIDE_WORD ? WORD_START + word : word,
  );
  return patterns.length === 0 ? [title] : title.split(new RegExp(`(${patterns.join('|')})`, 'iu'));
}

function isFoundInside(title: string, word: string): boolean {
  return word.length >= MIN_LENGTH_INSIDE_WORD && new RegExp(word, 'iu').test(title);
}

/** The words of a search as regular expressions. */
function patternsOf(search: string): string[] {
  return search
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
}

/**
 * Scores how well a text matches a search. Lower is better, and undefined means no match. Every
 * word of the search must match. From best to worst, it can match at the start of the text, at the
 * start of a word, inside a word, or as letters in the same order with gaps.
 */
export function matchScore(text: string, search: string): number | undefined {
  const lowerText = text.toLowerCase();
  let score = 0;
  for (const word of search.toLowerCase().split(/\s+/).filter(Boolean)) {
    const index = lowerText.indexOf(word);
    if (index === 0) continue;
    else if (lowerText.includes(` ${word}`)) score += 1;
    else if (index > 0) score += 2;
    else if (hasLettersInOrder(lowerText, word)) score += 4;
    else return undefined;
  }
  return score;
}

/** Scores texts in which every word of the search begins a word, like `matchScore`. */
export function wordStartScore(text: string, search: string): number | undefined {
  const words = wordsOf(text);
  return wordsOf(search).every((typed) => words.some((word) => word.startsWith(typed)))
    ? matchScore(text, search)
    : undefined;
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

function hasLettersInOrder(text: string, word: string): boolean {
  let index = -1;
  return [...word].every((letter) => (index = text.indexOf(letter, index + 1)) >= 0);
}

/**
 * Scores how well a text matches a search. Lower is better, and undefined means no match. Every
 * word of the search must match. From best to worst, it can match at the start of the text, at the
 * start of a word, inside a word, or as letters in the same order with gaps.
 */
export function matchScore(text: string, search: string): number | undefined {
  const haystack = text.toLowerCase();
  let total = 0;
  for (const word of search.toLowerCase().split(/\s+/).filter(Boolean)) {
    const index = haystack.indexOf(word);
    if (index === 0) continue;
    else if (haystack.includes(` ${word}`)) total += 1;
    else if (index > 0) total += 2;
    else if (hasLettersInOrder(haystack, word)) total += 4;
    else return undefined;
  }
  return total;
}

function hasLettersInOrder(haystack: string, word: string): boolean {
  let index = -1;
  return [...word].every((letter) => (index = haystack.indexOf(letter, index + 1)) >= 0);
}

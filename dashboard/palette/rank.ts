/**
 * Rank of a text for what was typed; the lower the better, `undefined` if it does not match. Every typed
 * word has to be in the text: at the start of it, at the start of a word, inside a word, or as letters in
 * their order with others between them.
 */
export function rank(text: string, typed: string): number | undefined {
  const hay = text.toLowerCase();
  let total = 0;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const at = hay.indexOf(word);
    if (at === 0) continue;
    else if (hay.includes(` ${word}`)) total += 1;
    else if (at > 0) total += 2;
    else if (hasInOrder(hay, word)) total += 4;
    else return undefined;
  }
  return total;
}

/** Whether a text has all letters of a word, one after the other. */
function hasInOrder(hay: string, word: string): boolean {
  let at = -1;
  return [...word].every((letter) => (at = hay.indexOf(letter, at + 1)) >= 0);
}

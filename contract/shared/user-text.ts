/** Built once, because that takes longer than most texts. */
const segmenter = new Intl.Segmenter();

/** What readers see as one character: a flag, a family, a letter with its signs. */
export function firstCharacter(text: string): string {
  return segmenter.segment(text).containing(0)?.segment ?? '';
}

/**
 * Cuts to at most `max` code points, and not within what readers see as one character, unless the
 * first one is longer.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const { length: end } = [...text.slice(0, 2 * max)].slice(0, max).join('');
  if (end === text.length) return text;
  const { index } = segmenter.segment(text.slice(0, end + 2)).containing(end)!;
  return text.slice(0, index || end);
}

/** Cuts to at most `max` code points, of which the last one is an ellipsis. */
export function shortenText(text: string, max: number): string {
  return cutText(text, max) === text ? text : `${cutText(text, max - 1).trimEnd()}…`;
}

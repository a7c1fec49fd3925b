const EMOJI = /^\p{RGI_Emoji}$/v;

/** A mood that is a picture by itself. */
export function isEmoji(text: string): boolean {
  return EMOJI.test(text);
}

const segmenter = new Intl.Segmenter();

/** A picture for who has none: the first letters of the first two words. */
export function initialsOf(title: string): string {
  return title
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...segmenter.segment(word)][0]?.segment ?? '')
    .join('')
    .toUpperCase();
}

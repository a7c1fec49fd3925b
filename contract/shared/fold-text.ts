/** Letters, in lower case, that Unicode does not split into a Latin letter and an accent. */
const UNSPLIT_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
};
const UNSPLIT = new RegExp(`[${Object.keys(UNSPLIT_LETTERS).join('')}]`, 'g');

/** Text to compare in a search, without regard to case, accents, and how they are encoded. */
export function foldText(text: string): string {
  return replaceUnsplit(
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036F]/g, '')
      .toLowerCase(),
  );
}

/** The text is in lower case. */
export function replaceUnsplit(text: string): string {
  return text.replace(UNSPLIT, (letter) => UNSPLIT_LETTERS[letter]!);
}

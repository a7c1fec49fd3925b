import stringWidth from 'string-width';

/** Classes by the room that a title takes, in letters: of the title, and of its longest word. */
export function titleClass(title: string): string {
  const [all, word] = [
    stringWidth(title),
    Math.max(...title.split(/\s+/).map((one) => stringWidth(one))),
  ];
  if (all > 40 || word > 20) return ' long longest';
  if (all > 18 || word > 10) return ' long';
  return word <= 6 ? ' short' : '';
}

/** Texts of people, and the URL in each. */
export const URLS_IN_TEXT: readonly (readonly [text: string, url: string])[] = [
  ['See https://a.example/x. Next', 'https://a.example/x'],
  ...['x,', 'x;', 'x:', 'x!', 'x?', 'x…', 'x)', 'x**', 'x"', 'x|'].map(
    (end) => [`https://a.example/${end}`, 'https://a.example/x'] as const,
  ),
  ...['<>', '""', "''", '“”', '«»', '„“', '「」', '（）', '**', '\u200B\u200B', '\u2068\u2069'].map(
    ([open, close]) => [`${open}https://a.example/x${close}`, 'https://a.example/x'] as const,
  ),
  ['\uFEFFhttps://a.example/x\u00AD', 'https://a.example/x'],
  ['https://a.example/x\u200B next', 'https://a.example/x'],
  ['请看https://a.example/x。谢谢', 'https://a.example/x'],
  ['زوروا https://a.example/x، شكرا', 'https://a.example/x'],
  ['https://a.example/x؟', 'https://a.example/x'],
  ['(https://a.example/X_(y))', 'https://a.example/X_(y)'],
  ['https://a.example/a,b;c?d=1&e=2#f', 'https://a.example/a,b;c?d=1&e=2#f'],
  ['https://münchen.example/straße', 'https://münchen.example/straße'],
  ['http://例え.jp/パス', 'http://例え.jp/パス'],
  ['http://[2001:db8::1]:8080/x', 'http://[2001:db8::1]:8080/x'],
];

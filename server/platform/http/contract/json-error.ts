const TOKEN =
  // JSON forbids control characters in strings.
  // oxlint-disable-next-line no-control-regex
  /[ \t\n\r]*([{}[\],:]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null)?/y;

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd';

/** Where text that `JSON.parse` refuses stops being JSON; V8 does not always say. */
export function findJsonError(text: string): { line: number; column: number } {
  const before = text.slice(0, findJsonErrorIndex(text));
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: before.length - lineStart + 1 };
}

function findJsonErrorIndex(text: string): number {
  const openObjects: boolean[] = [];
  let expected: Expected = 'value';
  TOKEN.lastIndex = 0;
  for (;;) {
    // Matches at least nothing.
    const token = TOKEN.exec(text)![1] ?? '';
    const next = follow(token, expected, openObjects.at(-1));
    if (next === undefined) return TOKEN.lastIndex - token.length;
    if (token === '{' || token === '[') openObjects.push(token === '{');
    else if (token === '}' || token === ']') openObjects.pop();
    expected = next;
  }
}

/** What may come after the token; undefined if the token itself is wrong. */
function follow(
  token: string,
  expected: Expected,
  isInObject: boolean | undefined,
): Expected | undefined {
  if (token === '') return undefined;
  if (token === '}' || token === ']')
    return expected.endsWith('OrEnd') && isInObject === (token === '}') ? 'commaOrEnd' : undefined;
  if (token === ':') return expected === 'colon' ? 'value' : undefined;
  if (token === ',')
    return expected === 'commaOrEnd' && isInObject !== undefined
      ? isInObject
        ? 'key'
        : 'value'
      : undefined;
  if (expected.startsWith('key')) return token.startsWith('"') ? 'colon' : undefined;
  if (!expected.startsWith('value')) return undefined;
  return token === '{' ? 'keyOrEnd' : token === '[' ? 'valueOrEnd' : 'commaOrEnd';
}

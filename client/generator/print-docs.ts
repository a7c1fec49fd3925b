export function printComment(lines: readonly string[]): string {
  const escapedLines = lines
    .flatMap((text) => text.split('\n'))
    .filter(Boolean)
    .map((line) => line.replaceAll('*/', '*\\/'));
  if (escapedLines.length === 0) return '';
  if (escapedLines.length === 1) return `/** ${escapedLines[0]!} */`;
  return ['/**', ...escapedLines.map((line) => ` * ${line}`), ' */'].join('\n');
}

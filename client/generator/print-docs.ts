export function printComment(lines: readonly string[]): string {
  const escapedLines = lines.filter(Boolean).map((line) => line.replaceAll('*/', '*\\/'));
  if (escapedLines.length === 0) return '';
  if (escapedLines.length === 1) return `/** ${escapedLines[0]!} */`;
  return ['/**', ...escapedLines.map((line) => ` * ${line}`), ' */'].join('\n');
}

import { styleText } from 'node:util';
import type { Command } from '@commander-js/extra-typings';
import stringWidth from 'string-width';
import { CONTROL_CHARACTERS, toPrintable } from '#server/platform/text/printable-text.ts';

export type Program = Command<[], { json?: true | undefined }>;

export function printResult<Result>(
  command: Pick<Program, 'optsWithGlobals'>,
  result: Result,
  render: (result: Result) => string,
): void {
  const { json } = command.optsWithGlobals();
  process.stdout.write(
    `${json ? escapeControlCharacters(JSON.stringify(result)) : render(result)}\n`,
  );
}

type Cell = string | null | ColoredText;

export function formatTable(headings: string[], rows: Cell[][], emptyText: string): string {
  if (rows.length === 0) return emptyText;
  const texts = rows.map((row) => row.map(formatCell));
  const widths = headings.map((heading, column) =>
    texts.reduce((width, row) => Math.max(width, stringWidth(row[column]!)), heading.length),
  );
  const line = (cells: string[]) =>
    cells
      .map((text, column) => text + ' '.repeat(widths[column]! - stringWidth(text)))
      .join('  ')
      .trimEnd();
  return [styleText('bold', line(headings)), ...texts.map(line)].join('\n');
}

export function formatDetails(fields: Record<string, Cell>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(
      ([name, value]) =>
        `${styleText('bold', name)}${' '.repeat(width - name.length)}  ${formatCell(value)}`,
    )
    .join('\n');
}

export function formatTime(time: Date | null): string | null {
  return time && `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function formatCell(cell: Cell): string {
  if (cell === null) return '-';
  if (typeof cell === 'string') return toPrintable(cell);
  // Colors text only if standard output is a terminal and NO_COLOR is not set.
  return styleText(COLORS[cell.tone], toPrintable(cell.text));
}

export function toPrintableLines(text: string): string {
  return text.split('\n').map(toPrintable).join('\n');
}

/**
 * Leaves tabs and line breaks, which JSON allows only outside strings. So only strings are escaped,
 * and the JSON value is unchanged.
 */
export function escapeControlCharacters(json: string): string {
  return json.replace(CONTROL_CHARACTERS, (character) =>
    '\t\n\r'.includes(character)
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export interface ColoredText {
  text: string;
  tone: Tone;
}

type Tone = 'good' | 'warning' | 'bad';

const COLORS = { good: 'green', warning: 'yellow', bad: 'red' } as const;

export const LEVEL_TONES = { error: 'bad', warning: 'warning', ok: 'good' } as const;

export function colored(tone: Tone, text: string | null): ColoredText | null {
  return text === null ? null : { tone, text };
}

/** Colors text only if standard error is a terminal and NO_COLOR is not set. */
export function colorError(text: string): string {
  return styleText(COLORS.bad, text, { stream: process.stderr });
}

export function examples(...commands: string[]): string {
  const heading = commands.length === 1 ? 'Example:' : 'Examples:';
  return ['', heading, ...commands.map((command) => `  nameplate ${command}`)].join('\n');
}

import { stripVTControlCharacters, styleText } from 'node:util';
import type { Command } from '@commander-js/extra-typings';
import stringWidth from 'string-width';

/** Program that every command belongs to. */
export type Program = Command<[], { json?: true | undefined }>;

/** Prints what a command answered: for people, or with `--json` as one JSON value. */
export function show<Answer>(
  command: Pick<Program, 'optsWithGlobals'>,
  answer: Answer,
  render: (answer: Answer) => string,
): void {
  const { json } = command.optsWithGlobals();
  process.stdout.write(`${json ? escaped(JSON.stringify(answer)) : render(answer)}\n`);
}

type Cell = string | null | Toned;

/** A table; `none` is the sentence for an empty one. */
export function table(headings: string[], rows: Cell[][], none: string): string {
  if (rows.length === 0) return none;
  const texts = rows.map((row) => row.map(shown));
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

/** Formats rows for other programs (RFC 4180). A cell that spreadsheets would run gets a ' before it. */
export function csv(headings: string[], rows: (string | null)[][]): string {
  const quoted = (cell: string | null) => {
    const text = printable(cell ?? '').replaceAll('"', '""');
    return `"${/^\s*[=+\-@]/.test(text) ? "'" : ''}${text}"`;
  };
  const line = (cells: (string | null)[]) => cells.map(quoted).join(',');
  return [headings.join(','), ...rows.map(line)].join('\r\n');
}

/** One thing, a line for each of its fields. */
export function details(fields: Record<string, Cell>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(
      ([name, value]) =>
        `${styleText('bold', name)}${' '.repeat(width - name.length)}  ${shown(value)}`,
    )
    .join('\n');
}

/** A time as people read it, to the second. */
export function time(at: Date | null): string | null {
  return at && `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A number of bytes as people read it. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function shown(cell: Cell): string {
  if (cell === null) return '-';
  if (typeof cell === 'string') return printable(cell);
  return coloured({ ...cell, text: printable(cell.text) });
}

/** Characters that command a terminal, break its lines or turn the direction of its text. */
const COMMANDING = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Foreign text must not reach the terminal as commands to it. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(COMMANDING, ' ');
}

/** Makes text of several lines printable, and keeps the lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** JSON that means the same and holds nothing of the kind but white space between its tokens. */
export function escaped(json: string): string {
  return json.replace(COMMANDING, (character) =>
    '\t\n\r'.includes(character)
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Text that is coloured in a terminal. */
export interface Toned {
  text: string;
  tone: Tone;
}

type Tone = 'good' | 'warning' | 'bad';

const COLOURS = { good: 'green', warning: 'yellow', bad: 'red' } as const;

export const LEVEL_TONES = { error: 'bad', warning: 'warning' } as const;

export function toned(tone: Tone, text: string | null): Toned | null {
  return text === null ? null : { tone, text };
}

/** Coloured if standard output is a terminal and NO_COLOR is not set. */
function coloured({ text, tone }: Toned): string {
  return styleText(COLOURS[tone], text);
}

/** Red if standard error is a terminal and NO_COLOR is not set. */
export function errorText(text: string): string {
  return styleText(COLOURS.bad, text, { stream: process.stderr });
}

/** The examples at the end of a command's help. */
export function examples(...commands: string[]): string {
  const heading = commands.length === 1 ? 'Example:' : 'Examples:';
  return ['', heading, ...commands.map((words) => `  nameplate ${words}`)].join('\n');
}

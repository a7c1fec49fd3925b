import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import type { Command } from '@commander-js/extra-typings';

/** What every command belongs to. */
export type Program = Command<[], { json?: true | undefined }>;

/** Prints what a command answered: for people, or with `--json` as one JSON value. */
export function show<Answer>(
  command: Pick<Program, 'optsWithGlobals'>,
  answer: Answer,
  render: (answer: Answer) => string,
): void {
  const { json } = command.optsWithGlobals();
  process.stdout.write(`${json ? JSON.stringify(answer) : render(answer)}\n`);
}

type Cell = string | null;

/** A table; `none` is the sentence for an empty one. */
export function table(headings: string[], rows: Cell[][], none: string): string {
  if (rows.length === 0) return none;
  const borders = Object.fromEntries(
    ['top', 'bottom', 'left', 'right']
      .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
      .map((part) => [part, '']),
  );
  const text = new Table({
    head: headings,
    chars: { ...borders, mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '', middle: '  ' },
    style: {
      'padding-left': 0,
      'padding-right': 0,
      border: [],
      head: process.stdout.isTTY ? ['bold'] : [],
    },
  });
  text.push(...rows.map((row) => row.map(shown)));
  return withoutTrailingSpaces(text.toString());
}

/** One thing, a line for each of its fields. */
export function details(fields: Record<string, Cell>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`)
    .join('\n');
}

/** A time as people read it, to the second. */
export function time(at: Date | null): Cell {
  return at && `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function shown(cell: Cell): string {
  return cell === null ? '-' : printable(cell);
}

/** Foreign text must not reach the terminal as commands to it. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what it is about
  return stripVTControlCharacters(text).replace(/[\x00-\x1f\x7f-\x9f]/g, ' ');
}

function withoutTrailingSpaces(text: string): string {
  return text.replace(/ +$/gm, '');
}

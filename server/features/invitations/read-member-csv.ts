import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, type Options, parse } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { MEMBER_LIST_REFUSALS } from '#contract/owner/member-lists.ts';
import { withAsciiDomain } from '#contract/shared/ascii-email.ts';
import { unguardFormula } from '#contract/shared/csv-formula.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { cutText } from '#contract/shared/user-text.ts';
import { mapInChunks } from '#server/platform/limits/map-in-chunks.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { BIDI_CONTROLS } from '#server/platform/text/printable-text.ts';
import {
  type MemberColumn,
  type MemberColumns,
  findFirstLine,
  guessColumns,
  isAddress,
  recognizeColumns,
  SAMPLED_LINES,
} from './member-columns.ts';

const refuse = createRefuser(MEMBER_LIST_REFUSALS);

export interface MemberRow {
  /** Line number in the file, starting at 1. */
  line: number;
  name: string | null;
  email: string | null;
  display_name: string | null;
  forward_to_email: string | null;
  /** Names, with commas between them. */
  groups: string | null;
}

/** The columns that the user chose, if any. */
type Chosen = readonly (MemberColumn | null)[] | undefined;

const MAX_SHOWN_LENGTH = 100;
const EXAMPLE_LINES = 3;
const MAX_COLUMNS = 300;
/** Characters. */
const MAX_LINE_LENGTH = 10_000;
const CHUNK_BYTES = 16_384;
const DELIMITERS = [',', ';', '\t', '|'];

const SALUTATION = /^(?:Frau|Herrn?|Familie|Mr|Mrs|Ms)\.? +(?=\p{L})/u;
const ACADEMIC_TITLES =
  /(?<![\p{L}.])(?:(?:Prof|Dr|Dipl|Mag|Ing|med|rer|nat|phil|jur|dent|h\. ?c)\.(?:-(?=\p{L}))?|(?:Prof|Dr|O?StD|O?StR|StRef)(?![\p{L}.-]))\s*/gu;

/** `Doe, Dr. Jane` becomes `Jane Doe`. */
function cleanName(name: string | null | undefined): string | null {
  return (
    name
      ?.replace(SALUTATION, '')
      .replace(ACADEMIC_TITLES, '')
      .replace(/^([^,]+),([^,]+)$/, '$2 $1')
      .trim() || null
  );
}

const shorten = (text: string) => cutText(text, MAX_SHOWN_LENGTH);
const clean = (cell = '') => unguardFormula(cell.replace(/[\s\p{Cc}]+/gu, ' ').trim());

/** Ignores empty lines and unknown columns. */
export async function readMemberCsv({ csv, columns: chosen }: { csv: string; columns?: Chosen }) {
  const records = await readRecords(csv.replace(BIDI_CONTROLS, ''));
  const { titles, isTitled, columns, lines, isGuessed } = readTable(records, chosen);
  if (!chosen && titles.length > 0 && !columns.get('email')?.length) {
    const named = titles.filter((title) => title !== '').slice(0, 10);
    throw refuse('memberColumnsMissing', { titles: named.map(shorten).join(', ') });
  }
  if (lines.length === 0) throw refuse('memberListEmpty');
  if (lines.length > LIMITS.members) throw refuse('memberListTooLong');
  const fields = new Map(
    [...columns].flatMap(([field, indexes]) => indexes.map((index) => [index, field])),
  );
  let line = 0;
  return {
    columns: titles.slice(0, LIMITS.memberColumns).map((title, index) => ({
      title: isTitled ? shorten(title) : (fields.get(index) ?? ''),
      field: fields.get(index) ?? null,
      examples: lines.slice(0, EXAMPLE_LINES).map(({ record }) => shorten(clean(record[index]))),
    })),
    rows: await mapInChunks(lines, ({ record, info }) => {
      line = Math.max(line + 1, info.lines);
      return { line, ...readLine(record, columns, isGuessed) };
    }),
  };
}

function readTable(records: CsvRecord[], chosen: Chosen = []) {
  const cells = records.map(({ record }) => record);
  const first = findFirstLine(cells);
  const widths = cells.slice(first, first + SAMPLED_LINES).map(({ length }) => length);
  const length = Math.min(MAX_COLUMNS, Math.max(0, ...widths));
  const titles = Array.from({ length }, (_, index) => clean(cells[first]?.[index]));
  const isChosen = chosen.length > 0;
  const columns: MemberColumns = isChosen
    ? Map.groupBy(chosen.keys(), (index) => chosen[index] ?? null)
    : recognizeColumns(titles, cells.slice(first + 1));
  const email = columns.get('email') ?? [];
  // Otherwise the first line is a person, maybe one without an address.
  const isTitled =
    !titles.some((title) => title.includes('@')) &&
    (email.length === 0 || email.some((index) => titles[index]));
  const lines = records.slice(isTitled ? first + 1 : first);
  if (isChosen || isTitled) return { titles, isTitled, columns, lines, isGuessed: false };
  const guessed = guessColumns(cells.find((line) => line.some(isAddress)) ?? cells[first]!);
  const people = lines.flatMap(splitRecipients);
  return { titles, isTitled, columns: guessed, lines: people, isGuessed: true };
}

/**
 * In a list with another separator, people type lines such as `Jane Doe;jane@example.org`, and in one
 * without titles also `Jane Doe <jane@example.org>`. A line with nothing in the columns is a name.
 */
function readLine(
  record: readonly string[],
  columns: MemberColumns,
  isGuessed: boolean,
): Omit<MemberRow, 'line'> {
  const filled = record.filter((text) => text.trim() !== '');
  const isElsewhere = isGuessed && !columns.get('email')?.some((index) => isAddress(record[index]));
  const cells = filled.length === 1 ? filled[0]!.split(';') : isElsewhere ? filled : [];
  const [address, second] = cells.filter((text) => text.includes('@'));
  const isOther = (cells.length > 1 || isElsewhere) && isAddress(address) && second === undefined;
  if (isOther) return readRow(cells, guessColumns(cells));
  const row = readRow(record, columns);
  return Object.values(row).some(Boolean) ? row : { ...row, name: clean(filled.join(' ')) };
}

function readRow(record: readonly string[], columns: MemberColumns): Omit<MemberRow, 'line'> {
  const read = (column: MemberColumn) =>
    (columns.get(column) ?? []).map((index) => clean(record[index])).filter(Boolean);
  const addresses = read('email');
  const found = addresses.find((cell) => cell.includes('@')) ?? addresses[0];
  // Google writes several addresses in one cell.
  const email = found?.split(' ::: ')[0] ?? null;
  // As mail programs copy an address: Jane Doe <jane@example.org>
  const [, label, address] = /^"?([^"<]*?)"? ?<(.*)>$/.exec(email ?? '') ?? [];
  const parts = [...read('first_name'), ...read('last_name')].join(' ');
  return {
    name: cleanName(read('name').find((name) => !isAddress(name)) ?? (parts || label)),
    email: email && withAsciiDomain(address ?? email),
    display_name: read('display_name')[0] ?? null,
    forward_to_email: read('forward_to_email').map(withAsciiDomain)[0] ?? null,
    groups: read('groups').join(', ') || null,
  };
}

/** The recipients of a mail on one line: `Jane <jane@example.org>; John <john@example.org>`. */
function splitRecipients({ record, info }: CsvRecord): CsvRecord[] {
  const cells = record.filter((cell) => cell.trim() !== '');
  const labeledCount = cells.filter((cell) => /<[^<>@]*@[^<>]*>/.test(cell)).length;
  if (labeledCount < 2 && !cells.every((cell) => cell.includes('@'))) return [{ record, info }];
  return cells.map((cell) => ({ record: [cell], info }));
}

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

async function readRecords(csv: string): Promise<CsvRecord[]> {
  const longLine = csv.split(/\r?\n|\r/).findIndex(({ length }) => length > MAX_LINE_LENGTH);
  if (longLine !== -1) throw refuse('memberListUnreadable', { line: longLine + 1 });
  // Excel reads and writes this line, but does not show it.
  const delimiter = /^\uFEFF?"?sep=([^\r\n"])/i.exec(csv)?.[1];
  try {
    const parser = parse({
      ...PARSER_OPTIONS,
      delimiter: delimiter ?? detectDelimiter(csv),
      from_line: delimiter ? 2 : 1,
      // Room for lines above the people.
      to: LIMITS.members + SAMPLED_LINES,
    });
    return await Readable.from(readChunks(csv)).pipe(parser).toArray();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as CsvError & { lines?: number };
    throw refuse('memberListUnreadable', { line: lines ?? 1 });
  }
}

const PARSER_OPTIONS: Options = {
  bom: true,
  info: true,
  max_record_size: MAX_LINE_LENGTH,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
};

/** Other requests run after each chunk. */
async function* readChunks(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES);
    await nextTurn();
  }
}

/** The delimiter that yields the most addresses, otherwise the most titles. */
function detectDelimiter(csv: string): string {
  const rate = (delimiter: string) => {
    try {
      const lines = parseSync(csv, {
        ...PARSER_OPTIONS,
        delimiter,
        info: false,
        to: SAMPLED_LINES,
      }) as string[][];
      const titles = lines[findFirstLine(lines)] ?? [];
      // A line with more cells than titles has the delimiter in a text.
      const isTooLong = (cells: string[]) =>
        !titles.some(isAddress) && cells.findLastIndex(Boolean) >= titles.length;
      const cells = lines.flatMap((line) => (isTooLong(line) ? [] : line));
      return cells.filter(isAddress).length * MAX_LINE_LENGTH + titles.filter(Boolean).length;
    } catch {
      return 0;
    }
  };
  const ratings = DELIMITERS.map(rate);
  return DELIMITERS[ratings.indexOf(Math.max(...ratings))]!;
}

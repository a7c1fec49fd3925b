import { CsvError, parse } from 'csv-parse/sync';
import { LIMITS } from '#contract/shared/limits.ts';
import { MEMBER_LIST_REFUSALS } from '#contract/owner/operator-members.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser(MEMBER_LIST_REFUSALS);

export interface MemberRow {
  /** Line number in the file, starting at 1. */
  line: number;
  name: string | null;
  email: string | null;
  display_name: string | null;
  forward_to: string | null;
}

type Column = Exclude<keyof MemberRow, 'line'> | 'first_name' | 'last_name';

/** Null if the column is not used. First and last names are parts of `name`. */
type ColumnField = Exclude<keyof MemberRow, 'line'> | null;

interface MemberCsv {
  columns: { title: string; field: ColumnField }[];
  rows: MemberRow[];
}

const MAX_TITLE_LENGTH = 100;
/** Characters, and so at most as many columns. */
const MAX_LINE_LENGTH = 10_000;

/** English and German column titles without case, spaces and punctuation. */
const COLUMN_TITLES: ReadonlyMap<string, Column> = new Map([
  ['name', 'name'],
  ['fullname', 'name'],
  ['firstname', 'first_name'],
  ['givenname', 'first_name'],
  ['forename', 'first_name'],
  ['vorname', 'first_name'],
  ['lastname', 'last_name'],
  ['surname', 'last_name'],
  ['familyname', 'last_name'],
  ['nachname', 'last_name'],
  ['familienname', 'last_name'],
  ['email', 'email'],
  ['emailaddress', 'email'],
  ['mail', 'email'],
  ['mailaddress', 'email'],
  ['emailadresse', 'email'],
  ['mailadresse', 'email'],
  ['displayname', 'display_name'],
  ['adressname', 'display_name'],
  ['anzeigename', 'display_name'],
  ['wunschname', 'display_name'],
  ['forwardto', 'forward_to'],
  ['weiterleitungan', 'forward_to'],
]);

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

/** Ignores empty lines and unknown columns. */
export function readMemberCsv(csv: string): MemberCsv {
  const records = readRecords(csv);
  if (!records[0]) throw refuse('memberListEmpty');
  const header = readTitles(records[0].record) ?? guessTitles(records[0].record);
  const lines = header.isGuessed ? records.flatMap(splitRecipients) : records.slice(1);
  const { columns } = header;
  const found = columns.filter((column) => column !== undefined);
  if (!found.includes('email') || new Set(found).size < found.length)
    throw refuse('memberColumnsMissing');
  if (lines.length === 0) throw refuse('memberListEmpty');
  if (lines.length > LIMITS.members) throw refuse('memberListTooLong');
  const indexes = new Map(columns.map((column, index) => [column, index]));
  let line = 0;
  const rows = lines.map(({ record, info }) => {
    line = Math.max(line + 1, info.lines);
    const cellOf = (column: Column) =>
      record[indexes.get(column) ?? -1]?.replace(/[\s\p{Cc}]+/gu, ' ').trim() || null;
    const join = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ') || null;
    // As mail programs copy an address: Jane Doe <jane@example.org>
    const email = cellOf('email');
    const [, label, address] = /^"?([^"<]*?)"? ?<(.*)>$/.exec(email ?? '') ?? [];
    const [first, last] = [cellOf('first_name'), cellOf('last_name')];
    const name = cellOf('name') ?? (first || last ? null : label || null);
    return {
      line,
      // In a list with first names but no last names, the column "Name" usually has the last names.
      name: cleanName(
        found.includes('last_name') ? (name ?? join(first, last)) : join(first, name),
      ),
      email: address ?? email,
      display_name: cellOf('display_name'),
      forward_to: cellOf('forward_to'),
    };
  });
  return {
    columns: header.titles
      .map((title, index) => ({
        title: title
          .replace(/[\s\p{Cc}]+/gu, ' ')
          .trim()
          .slice(0, MAX_TITLE_LENGTH),
        field: fieldOf(columns[index]),
      }))
      .filter(({ title }) => title !== '')
      .slice(0, LIMITS.memberColumns),
    rows,
  };
}

interface Header {
  titles: string[];
  columns: (Column | undefined)[];
  isGuessed?: boolean;
}

/** Returns undefined if no column has a known title. */
function readTitles(titles: string[]): Header | undefined {
  const columns = titles.map((title) =>
    COLUMN_TITLES.get(title.toLowerCase().replace(/[^\p{L}]/gu, '')),
  );
  return columns.some((column) => column !== undefined) ? { titles, columns } : undefined;
}

/** For a list without titles, by its first line: an address, and a name in one or two columns. */
function guessTitles(cells: string[]): Header {
  const email = cells.findIndex((cell) => cell.includes('@'));
  if (email === -1) throw refuse('memberColumnsMissing');
  const texts = cells.flatMap((cell, index) =>
    cell.trim() === '' || cell.includes('@') ? [] : [index],
  );
  const names: Column[] = texts.length === 2 ? ['first_name', 'last_name'] : ['name'];
  const columns = cells.map((_cell, index) =>
    index === email ? 'email' : names[texts.indexOf(index)],
  );
  return { titles: columns.map((column) => column ?? ''), columns, isGuessed: true };
}

/** The recipients of a mail on one line: `Jane <jane@example.org>; John <john@example.org>`. */
function splitRecipients({ record, info }: CsvRecord): CsvRecord[] {
  const cells = record.filter((cell) => cell.trim() !== '');
  const labeledCount = cells.filter((cell) => /<[^<>@]*@[^<>]*>/.test(cell)).length;
  if (labeledCount < 2 && !cells.every((cell) => cell.includes('@'))) return [{ record, info }];
  return cells.map((cell) => ({ record: [cell], info }));
}

function fieldOf(column: Column | undefined): ColumnField {
  return column === 'first_name' || column === 'last_name' ? 'name' : (column ?? null);
}

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

function readRecords(csv: string): CsvRecord[] {
  const longLine = csv.split(/\r?\n|\r/).findIndex(({ length }) => length > MAX_LINE_LENGTH);
  if (longLine !== -1) throw refuse('memberListUnreadable', { line: longLine + 1 });
  try {
    return parse(csv, {
      bom: true,
      delimiter: detectDelimiter(csv),
      info: true,
      max_record_size: MAX_LINE_LENGTH,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      to: LIMITS.members + 2,
    }) as unknown as CsvRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as CsvError & { lines?: number };
    throw refuse('memberListUnreadable', { line: lines ?? 1 });
  }
}

/** The most frequent separator of the first line. */
function detectDelimiter(csv: string): string {
  const header = /\S.*/.exec(csv.replace(/^\uFEFF/, ''))?.[0] ?? '';
  if (/> *;/.test(header)) return ';';
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0]!;
}

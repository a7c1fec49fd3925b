import type { MemberContact } from '#db/queries/members.ts';
import { escapeText, joinContentLines } from '#page/files/content-lines.ts';
import { vcardNameLines } from '#page/files/vcard.ts';
import { formatCsvCell } from '#server/platform/text/csv-cell.ts';

interface ExportOptions {
  format: 'csv' | 'vcf';
  separator: 'comma' | 'semicolon';
  pagesOrigin: string;
}

/** The import of invitations reads the first three. */
const COLUMNS = ['name', 'email', 'display_name', 'state', 'joined', 'groups'];

/** In pieces, so that other requests come in between. */
const MEMBERS_PER_PIECE = 500;

export function* formatMembers(
  members: readonly MemberContact[],
  { format, separator, pagesOrigin }: ExportOptions,
): Generator<string> {
  const delimiter = separator === 'semicolon' ? ';' : ',';
  const formatLine = (cells: readonly (string | null)[]) =>
    `${cells.map(formatCsvCell).join(delimiter)}\r\n`;
  // Spreadsheets read UTF-8 only after a byte order mark.
  if (format === 'csv') yield `\uFEFF${formatLine(COLUMNS)}`;
  for (let start = 0; start < members.length; start += MEMBERS_PER_PIECE)
    yield members
      .slice(start, start + MEMBERS_PER_PIECE)
      .map((member) =>
        format === 'csv' ? formatLine(cellsOf(member)) : renderCard(member, pagesOrigin),
      )
      .join('');
}

function cellsOf(member: MemberContact): (string | null)[] {
  const { page_title, email, display_name, state, joined, groups } = member;
  return [page_title, email, display_name, state, joined, groups];
}

/** vCard 3.0 (RFC 2426), as the card of a page. With `UID`, address books can recognize people. */
function renderCard(
  { id, display_name: name, page_title, email, page_visible }: MemberContact,
  pagesOrigin: string,
): string {
  return joinContentLines([
    'BEGIN:VCARD',
    'VERSION:3.0',
    `UID:urn:uuid:${id}`,
    ...vcardNameLines(page_title ?? name ?? email ?? id),
    ...(name === null ? [] : [`NICKNAME:${escapeText(name)}`]),
    ...(email === null ? [] : [`EMAIL:${escapeText(email)}`]),
    ...(page_visible ? [`URL:${pagesOrigin}/@${name}`] : []),
    'END:VCARD',
  ]);
}

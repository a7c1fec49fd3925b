import { NameplateError } from '#client/errors.ts';
import type { CheckedMember, MemberColumn } from '#client/generated/owner-operations.ts';
import { guardFormula } from '#contract/shared/csv-formula.ts';
import { decodeTextFile } from '#contract/shared/decode-text-file.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { t } from '#dashboard/translate.ts';

export type { CheckedMember, MemberColumn };
/** Null removes the member. */
export type MemberChange = (member: CheckedMember) => CheckedMember | null;

export const COLUMNS = ['name', 'email', 'display_name', 'forward_to_email', 'groups'] as const;
export type MemberCells = Pick<CheckedMember, (typeof COLUMNS)[number]>;

export async function readCsvFile(file: File): Promise<string> {
  if (file.size > LIMITS.memberCsv)
    throw new NameplateError(t('This file is larger than 1 MB. Split it.'));
  const text = decodeTextFile(new Uint8Array(await file.arrayBuffer()));
  if (text === undefined)
    throw new NameplateError(t('This is not a text file. Save your list as CSV.'));
  return text;
}

/** Every member stays on its line, because problems name lines. */
export function formatMemberList(members: readonly CheckedMember[]) {
  const [first] = members;
  // If a member is on line 1, the list has no header. Without an address, line 1 would be read as one.
  const isTitled = first?.line !== 1 || !/^[^\s@]+@[^\s@]+$/.test(first.email ?? '');
  const formatCell = (value: string | null) => {
    const cell = guardFormula(value ?? '');
    return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  const lines = isTitled ? [COLUMNS.join(',')] : [];
  for (const member of members) {
    while (lines.length < member.line - 1) lines.push('');
    lines.push(COLUMNS.map((column) => formatCell(member[column])).join(','));
  }
  return { csv: lines.join('\n'), columns: isTitled ? undefined : [...COLUMNS] };
}

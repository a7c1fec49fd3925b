import { toPrintable } from '#server/platform/text/printable-text.ts';

export interface InvitedMember {
  name: string | null;
  email: string;
  display_name: string | null;
  invitation_url: string;
}

const COLUMNS = ['name', 'email', 'display_name', 'invitation_url'] as const;

export function formatInvitationLinksCsv(members: readonly InvitedMember[]): string {
  const lines = members.map((member) => COLUMNS.map((column) => quote(member[column])).join(','));
  return [COLUMNS.join(','), ...lines].join('\r\n');
}

/** A cell that a spreadsheet would run as a formula gets a leading `'`. */
function quote(cell: string | null): string {
  const text = toPrintable(cell ?? '').replaceAll('"', '""');
  return `"${/^\s*[=+\-@]/.test(text) ? "'" : ''}${text}"`;
}

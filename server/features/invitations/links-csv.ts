import { formatCsvCell } from '#server/platform/text/csv-cell.ts';

export interface InvitedMember {
  name: string | null;
  email: string;
  display_name: string | null;
  invitation_url: string;
}

const COLUMNS = ['name', 'email', 'display_name', 'invitation_url'] as const;

export function formatInvitationLinksCsv(members: readonly InvitedMember[]): string {
  const lines = members.map((member) =>
    COLUMNS.map((column) => formatCsvCell(member[column])).join(','),
  );
  return [COLUMNS.join(','), ...lines].join('\r\n');
}

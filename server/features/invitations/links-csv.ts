import { formatCsv } from '#server/platform/text/format-csv.ts';

export interface InvitedMember {
  name: string | null;
  email: string;
  display_name: string | null;
  invitation_url: string;
}

const COLUMNS = ['name', 'email', 'display_name', 'invitation_url'] as const;

export function formatInvitationLinksCsv(members: readonly InvitedMember[]): string {
  return formatCsv(
    [...COLUMNS],
    members.map((member) => COLUMNS.map((column) => member[column])),
  );
}

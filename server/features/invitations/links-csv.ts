import { formatCsv } from '#server/platform/text/format-csv.ts';
import type { InvitedMember } from './invite-members.ts';

const COLUMNS = ['name', 'email', 'display_name', 'invitation_link'] as const;

export function formatInvitationLinksCsv(members: readonly InvitedMember[]): string {
  return formatCsv(
    [...COLUMNS],
    members.map((member) => COLUMNS.map((column) => member[column])),
  );
}

import { formatCsv } from '#server/format-csv.ts';
import type { InvitedMember } from './invite-members.ts';

const COLUMNS = ['name', 'email', 'display_name', 'invitation_link'] as const;

export function formatLinksCsv(links: readonly InvitedMember[]): string {
  return formatCsv(
    [...COLUMNS],
    links.map((link) => COLUMNS.map((column) => link[column])),
  );
}

import { t } from '#dashboard/translate.ts';

/** Operations (some with a flag of the detail) or commands. Entries of 0.1.0 have the old name. */
const ACTIONS: readonly (readonly [label: string, action: string, oldName?: string])[] = [
  [t('Created account'), 'members.createMember', 'accounts create'],
  [t('Deleted account'), 'members.deleteMember', 'accounts delete'],
  [t('Exported account'), 'members.exportMember', 'accounts export'],
  [t('Changed picture storage'), 'members.updatePictureLimit', 'accounts limit'],
  [t('Changed email address'), 'members.updateMemberEmail'],
  [t('Renamed account'), 'members.updateMemberName', 'accounts rename'],
  [t('Renamed account'), 'account.updateDisplayName'],
  [t('Renamed account'), 'account.updateAccountName'],
  [t('Created address'), 'addresses.createAddress'],
  [t('Changed who reads an address'), 'addresses.updateAddress'],
  [t('Deleted address'), 'addresses.deleteAddress'],
  [t('Asked an outside address again'), 'addresses.sendConfirmation'],
  [t('Resumed account'), 'members.resumeMember', 'accounts resume'],
  [t('Suspended account'), 'members.suspendMember', 'accounts suspend'],
  [t('Started backup'), 'server.createBackup', 'backup'],
  [t('Downloaded backup'), 'server.exportBackup', 'backup download'],
  [t('Synced mail forwarding'), 'forwarding sync'],
  [t('Changed appearance or legal texts'), 'server.updateInstance', 'instance set'],
  [t('Created invitation'), 'invitations.createInvitationLink', 'invite'],
  [t('Created key'), 'keys.createKey', 'keys create'],
  [t('Revoked key'), 'keys.revokeKey', 'keys revoke'],
  [t('Created login link'), 'login'],
  [t('Created login link'), 'members.createLoginLink'],
  [t('Tested sending mail'), 'server.sendTestMail', 'mail test'],
  [t('Tried a mail server'), 'server.checkMailServer'],
  [t('Connected mail'), 'server.updateMailServer'],
  [t('Disconnected mail'), 'server.deleteMailServer'],
  [t('Invited members'), 'invitations.createInvitations', 'members import'],
  [t('Corrected the address of an invitation'), 'invitations.updateInvitation', 'members correct'],
  [t('Sent invitations again'), 'invitations.sendInvitations', 'members resend'],
  [t('Revoked invitation'), 'invitations.revokeInvitation', 'members revoke'],
  [t('Sent a message to members'), 'messages.createMessage'],
  [t('Stopped a message to members'), 'messages.cancelMessage'],
  [t('Released name'), 'members.deleteHeldName', 'names release'],
  [t('Added operator'), 'members.updateMemberRole operator', 'operators add'],
  [t('Removed operator'), 'members.updateMemberRole', 'operators remove'],
  [t('Showed page again'), 'members.resumeMember page_only', 'pages resume'],
  [t('Hid page'), 'members.suspendMember page_only', 'pages suspend'],
  [t('Closed reports: no problem'), 'reports.closeReports', 'reports close'],
  [t('Reopened reports'), 'reports.reopenReports', 'reports reopen'],
];

/** Details that are part of the label. */
export const ACTION_FLAGS: readonly string[] = ['operator', 'page_only'];

/** Undefined for operations that an administrator ran for the owner of an account. */
export function describeAction(
  action: string,
  detail: Readonly<Record<string, unknown>> = {},
): string | undefined {
  const flag = ACTION_FLAGS.find((key) => detail[key] === true);
  const name = flag === undefined ? action : `${action} ${flag}`;
  return ACTIONS.find(([, ...names]) => names.includes(name))?.[0];
}

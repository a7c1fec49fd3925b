import { t } from '#dashboard/translate.ts';

/** Labels by operation, by operation and a detail that is set, and by command. */
const ACTIONS: Readonly<Record<string, string>> = {
  'members.approveMembers': t('Let people in'),
  'members.declineMembers': t('Declined people'),
  'members.createMember': t('Created account'),
  'members.deleteMember': t('Deleted account'),
  'members.exportMember': t('Exported account'),
  'members.exportMembers': t('Exported the list of members'),
  'members.updatePictureLimit': t('Changed picture storage'),
  'members.updateMemberEmail': t('Changed email address'),
  'members.updateMemberEmail cancelled': t('Cancelled the change of an email address'),
  'members.updateMemberEmail resent': t('Sent the link to an email address again'),
  'members.updateMemberName': t('Renamed account'),
  'account.updateDisplayName': t('Renamed account'),
  'account.updateAccountName': t('Renamed account'),
  'addresses.createAddress': t('Created address'),
  'addresses.updateAddress': t('Changed who reads an address'),
  'addresses.updateAddress from': t('Renamed address'),
  'addresses.deleteAddress': t('Deleted address'),
  'addresses.sendConfirmation': t('Asked an outside address again'),
  'members.refuseSignOn': t('Refused a sign-on: left the group'),
  'members.resumeMember': t('Resumed account'),
  'members.suspendMember': t('Suspended account'),
  'server.createBackup': t('Started backup'),
  'server.exportBackup': t('Downloaded backup'),
  'forwarding sync': t('Synced mail forwarding'),
  'server.updateInstance': t('Changed appearance or legal texts'),
  'invitations.createInvitationLink': t('Created invitation'),
  'keys.createKey': t('Created key'),
  'keys.revokeKey': t('Revoked key'),
  login: t('Created login link'),
  'members.createLoginLink': t('Created login link'),
  'server.sendTestMail': t('Tested sending mail'),
  'server.exportMailSettings': t('Showed the stored mail settings'),
  'server.deleteMailSettings': t('Deleted the stored mail settings'),
  'invitations.createInvitations': t('Invited members'),
  'invitations.updateInvitation': t('Corrected the address of an invitation'),
  'invitations.sendInvitations': t('Sent invitations again'),
  'invitations.revokeInvitation': t('Revoked invitation'),
  'messages.createMessage': t('Sent a message to members'),
  'messages.createMessage official': t('Sent an official notice'),
  'messages.cancelMessage': t('Stopped a message to members'),
  'members.deleteHeldName': t('Released name'),
  'members.updateMemberRole operator': t('Added operator'),
  'members.updateMemberRole': t('Removed operator'),
  'members.resumeMember page_only': t('Showed page again'),
  'members.suspendMember page_only': t('Hid page'),
  'reports.closeReports': t('Closed reports: no problem'),
  'reports.reopenReports': t('Reopened reports'),
  'clients.createClient': t('Added website'),
  'clients.updateClient': t('Changed website'),
  'clients.rotateClientSecret': t('Replaced the secret of a website'),
  'clients.rotateSigningKeys': t('Replaced the key that signs logins'),
  'clients.deleteClient': t('Deleted website'),
};

/** Details that are part of the label. */
const ACTION_FLAGS: readonly string[] = [
  'operator',
  'page_only',
  'cancelled',
  'resent',
  'from',
  'official',
];

/** Undefined for operations that an administrator ran for the owner of an account. */
export function describeAction(
  action: string,
  detail: Readonly<Record<string, unknown>> = {},
): string | undefined {
  const flag = ACTION_FLAGS.find((key) => detail[key] && `${action} ${key}` in ACTIONS);
  return ACTIONS[flag === undefined ? action : `${action} ${flag}`];
}

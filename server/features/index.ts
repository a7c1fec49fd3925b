import { deletionMail } from './accounts/deletion-mail.ts';
import { resumptionMail, suspensionMail } from './accounts/suspension-mail.ts';
import { groupMail, readerMail, recipientMail } from './addresses/group-mails.ts';
import { backupMail } from './backups/backup-mail.ts';
import { alertMail, eventMail } from './connections/connection-mails.ts';
import { changeMail, confirmationMail } from './forwarding/destination-mails.ts';
import { invitationMail } from './invitations/invitation-mail.ts';
import { keyMail } from './keys/key-mail.ts';
import type { Mail } from './mails/define-mail.ts';
import { memberMessageMail } from './messages/member-message-mail.ts';
import { visitorMessageMail } from './messages/visitor-message-mail.ts';
import { loginLinkMail } from './operators/login-link-mail.ts';
import { operatorMail } from './operators/operator-mail.ts';
import { reportMail } from './operators/report-mail.ts';
import { passkeyMail } from './passkeys/passkey-mail.ts';
import { loginMail } from './sessions/login-mail.ts';
import { identityMail } from './sign-on/identity-mail.ts';
import { signUpMail } from './sign-up/sign-up-mail.ts';

const MAILS: readonly Mail[] = [
  alertMail,
  backupMail,
  changeMail,
  confirmationMail,
  deletionMail,
  eventMail,
  groupMail,
  identityMail,
  invitationMail,
  keyMail,
  loginLinkMail,
  loginMail,
  memberMessageMail,
  operatorMail,
  passkeyMail,
  readerMail,
  recipientMail,
  reportMail,
  resumptionMail,
  signUpMail,
  suspensionMail,
  visitorMessageMail,
];

export const MAILS_BY_KIND: ReadonlyMap<string, Mail> = new Map(
  MAILS.map((mail) => [mail.kind, mail]),
);

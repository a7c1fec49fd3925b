import { LOGIN_LINK_MINUTES, MINUTE_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { recordRefusedRecipient, setRecipientToken } from '#db/queries/addresses.ts';
import { setConfirmationToken } from '#db/queries/destination-mails.ts';
import { findInstance, type InstanceRow } from '#db/queries/instance.ts';
import { lockMailJob } from '#db/queries/jobs.ts';
import { countOpenReports } from '#db/queries/reports.ts';
import { findConfirmedAddress, listAccountsByAddress } from '#db/queries/owner-mails.ts';
import { findMessageMail, recordMessageMail } from '#db/queries/messages.ts';
import { recordInvitationMail, setInvitationToken } from '#db/queries/invitations.ts';
import { setSignUpToken } from '#db/queries/sign-ups.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { isForeignKeyViolation } from '#db/sql-state.ts';
import { JobFailedError } from '#server/platform/jobs/job-queue.ts';
import { invitationLink } from '../invitations/invitation.ts';
import { writeInvitationMail } from '../invitations/invitation-mail.ts';
import { replyAddress } from '../messages/message-mail.ts';
import { createLoginLink } from '../sessions/login-link.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { createToken, hashToken } from '#server/platform/secrets/token.ts';
import { composeMail, type MailContent } from '#server/platform/mail/compose-mail.ts';
import type { QueuedMail } from './mail-job.ts';
import { MailError } from '#server/platform/mail/smtp-client.ts';
import { writeMail } from './templates.ts';
import type { MailServerStore } from './mail-server-store.ts';
import type { Core } from '#server/core.ts';

/** Login emails that have waited longer are not sent, because the person has probably given up. */
const MAX_LOGIN_MAIL_AGE_MS = LOGIN_LINK_MINUTES * MINUTE_MS;

export type MailSender = Pick<Core, 'config' | 'db' | 'log'> & { mailServers: MailServerStore };

export async function sendMail(
  { config, db, log, mailServers }: MailSender,
  mail: QueuedMail,
  jobId: string,
): Promise<void> {
  await mailServers.refresh();
  if (!mailServers.current) throw new JobFailedError('There is no mail server.');
  const smtp = await mailServers.createClient(mailServers.current);
  const token = createToken();
  const instance = await findInstance(db);
  const content = await inTransaction(db, async (trx) =>
    (await lockMailJob(trx, jobId))
      ? createContent(trx, mail, { config, instance, token })
      : undefined,
  ).catch((error: unknown) => {
    // The account was deleted.
    if (isForeignKeyViolation(error)) return undefined;
    throw error;
  });
  if (!content) return;
  let failure: MailError | undefined;
  try {
    const t = translatorFor(mail.language);
    await smtp.send(composeMail(content, instance, t, config.PUBLIC_URL ?? ''));
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    failure = error;
    const { kind } = mail;
    const fields = 'accountId' in mail ? { kind, accountId: mail.accountId } : { kind };
    log.warn({ ...fields, code: error.code }, 'a mail could not be sent');
  }
  // The link of an active reader stays: earlier mails reached the mailbox.
  if (mail.kind === 'recipient' && failure?.isPermanent && mail.from === undefined)
    await recordRefusedRecipient(db, { id: mail.recipientId, tokenHash: hashToken(token) });
  // Operators watch how their invitations are sent.
  if (mail.kind === 'invitation') {
    const sent = { id: mail.invitationId, tokenHash: hashToken(token) };
    await recordInvitationMail(db, sent, failure);
  }
  if (mail.kind === 'member-message') await recordMessageMail(db, mail.recipientId, failure);
  if (failure && !failure.isPermanent) throw new JobFailedError(failure.message);
}

/**
 * Creates links when the mail is sent, not when it is queued, so that the database stores only hashes
 * of their tokens.
 */
async function createContent(
  trx: Transaction,
  mail: QueuedMail,
  {
    config,
    instance: { name: instanceName, contact },
    token,
  }: { config: Config; instance: Pick<InstanceRow, 'name' | 'contact'>; token: string },
): Promise<MailContent | undefined> {
  const t = translatorFor(mail.language);
  const write = (content: Parameters<typeof writeMail>[0], link: string) =>
    writeMail(content, { link, instanceName, t });
  const { MAIL_DOMAIN: mailDomain, PUBLIC_URL: publicUrl = '' } = config;
  const { kind } = mail;
  switch (kind) {
    case 'invitation': {
      const invitation = await setInvitationToken(trx, mail.invitationId, hashToken(token));
      if (!invitation) return undefined;
      const link = invitationLink(publicUrl, token);
      const sharedWith = await listAccountsByAddress(trx, invitation.email);
      return writeInvitationMail(invitation, { config, instanceName, sharedWith, link, t });
    }
    case 'sign-up': {
      const signUp = await setSignUpToken(trx, mail.signUpId, hashToken(token));
      if (!signUp) return undefined;
      const { email: address, display_name: name } = signUp;
      const sharedWith = await listAccountsByAddress(trx, address);
      // The fragment is not sent to the server, so link scanners cannot use up the token.
      const link = `${publicUrl}/dashboard/registration#${token}/${name}`;
      return write({ kind, address, name, sharedWith }, link);
    }
    case 'recipient': {
      const { recipientId: id, from, removed } = mail;
      if (removed) return write({ kind, ...removed, by: mail.by, isRemoved: true }, publicUrl);
      const choice = { id, tokenHash: hashToken(token), isActive: from !== undefined };
      const recipient = await setRecipientToken(trx, choice);
      if (!recipient) return undefined;
      const { email: address, name } = recipient;
      const group = { kind, address, group: `${name}@${mailDomain}`, by: mail.by, from };
      return write(group, `${publicUrl}/confirm/${token}`);
    }
    case 'change':
      return write({ ...mail, mailDomain }, publicUrl);
    case 'confirmation':
      await setConfirmationToken(trx, mail.destinationId, hashToken(token));
      return write({ ...mail, mailDomain }, `${publicUrl}/confirm/${token}`);
    case 'login': {
      if (Date.now() - Date.parse(mail.requestedAt) > MAX_LOGIN_MAIL_AGE_MS) return undefined;
      const links = [];
      for (const { accountId, name } of [mail, ...mail.others]) {
        const link = await createLoginLink(trx, accountId, publicUrl, { isMailed: true });
        links.push({ name, link });
      }
      return write({ ...mail, links, mailDomain }, links[0]!.link);
    }
    case 'message': {
      const address = await findConfirmedAddress(trx, mail.accountId);
      return address === undefined ? undefined : write({ ...mail, address }, publicUrl);
    }
    case 'report': {
      const pageUrl = `${config.PAGES_URL ?? publicUrl}/@${mail.page}`;
      const openReports = await countOpenReports(trx, LIMITS.countedReports);
      if (openReports === 0) return undefined;
      return write({ ...mail, pageUrl, openReports }, publicUrl);
    }
    case 'deletion':
    case 'suspension':
      return write({ ...mail, contact }, publicUrl);
    case 'member-message': {
      const message = await findMessageMail(trx, mail.recipientId);
      if (!message) return undefined;
      const unsubscribeUrl = `${publicUrl}/unsubscribe/${message.token}`;
      const fields = { ...message, contact: replyAddress({ contact }), unsubscribeUrl };
      // Each try has the same id, because some mail programs then show a repeated mail once.
      const id = mail.recipientId.replaceAll('-', '');
      return { ...write({ kind, ...fields }, publicUrl), id };
    }
    default:
      return write(mail, publicUrl);
  }
}

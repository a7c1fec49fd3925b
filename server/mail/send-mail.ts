import type { App } from '#server/app.ts';
import type { Transaction } from 'kysely';
import { inTransaction } from '#db/connections/transaction.ts';
import { setConfirmationToken } from '#db/queries/forwarding/destination-mails.ts';
import { findInstance } from '#db/queries/instance.ts';
import { lockMailJob } from '#db/queries/jobs.ts';
import { findConfirmedAddress } from '#db/queries/owner-mails.ts';
import { recordInvitationMail, setInvitationToken } from '#db/queries/sessions/invitations.ts';
import { setSignUpToken } from '#db/queries/sessions/sign-ups.ts';
import type { Database } from '#db/schema.ts';
import { isForeignKeyViolation } from '#db/sql-state.ts';
import { JobFailedError } from '../jobs/job-queue.ts';
import { invitationLink } from '../features/accounts/invitation.ts';
import { createLoginLink } from '../features/sessions/login-link.ts';
import { translatorFor } from '../language.ts';
import type { Config } from '../settings/config.ts';
import { createToken, hashToken } from '../token.ts';
import { composeMail, type MailContent } from './compose-mail.ts';
import type { QueuedMail } from './mail-job.ts';
import { createSmtpClient, MailError, type SmtpClient } from './smtp-client.ts';
import { writeMail } from './templates.ts';

/** Login emails that have waited longer are not sent, because the person has probably given up. */
const MAX_LOGIN_MAIL_AGE_MS = 600_000;

type MailSender = Pick<App, 'config' | 'db' | 'log'>;

export async function sendMail(app: MailSender, mail: QueuedMail, jobId: string): Promise<void> {
  const { config, db, log } = app;
  const smtp = createSmtpClient(config);
  if (!smtp) return;
  if (mail.kind === 'invitation') return sendInvitation(app, smtp, mail, jobId);
  const content = await inTransaction(db, async (trx) =>
    (await lockMailJob(trx, jobId)) ? createContent(config, trx, mail) : undefined,
  ).catch((error: unknown) => {
    // The account was deleted.
    if (isForeignKeyViolation(error)) return undefined;
    throw error;
  });
  if (!content) return;
  try {
    await smtp.send(composeMail(content, await findInstance(db), translatorFor(mail.language)));
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    const { kind } = mail;
    const fields = 'name' in mail ? { kind, name: mail.name } : { kind };
    log.warn({ ...fields, code: error.code }, 'a mail could not be sent');
    if (!error.isPermanent) throw new JobFailedError(error.message);
  }
}

/** Also records the result, because operators watch how their invitations are sent. */
async function sendInvitation(
  { config, db, log }: MailSender,
  smtp: SmtpClient,
  { invitationId: id, language }: Extract<QueuedMail, { kind: 'invitation' }>,
  jobId: string,
): Promise<void> {
  const token = createToken();
  const tokenHash = hashToken(token);
  const invitation = await inTransaction(db, async (trx) =>
    (await lockMailJob(trx, jobId)) ? setInvitationToken(trx, id, tokenHash) : undefined,
  );
  if (!invitation) return;
  const instance = await findInstance(db);
  const link = invitationLink(config.PUBLIC_URL ?? '', token);
  const t = translatorFor(language);
  const forwardsMail = config.EMAIL_FORWARDING_PROVIDER !== 'none';
  const { email: address, name } = invitation;
  const content = writeMail(
    { kind: 'invitation', address, name, instanceName: instance.name, forwardsMail },
    link,
    t,
  );
  try {
    await smtp.send(composeMail(content, instance, t));
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    log.warn({ kind: 'invitation', code: error.code }, 'a mail could not be sent');
    await recordInvitationMail(db, { id, tokenHash }, error);
    if (!error.isPermanent) throw new JobFailedError(error.message);
    return;
  }
  await recordInvitationMail(db, { id, tokenHash }, undefined);
}

/**
 * Creates links when the mail is sent, not when it is queued, so that the database stores only hashes
 * of their tokens.
 */
async function createContent(
  { MAIL_DOMAIN: mailDomain, PUBLIC_URL: publicUrl = '' }: Config,
  trx: Transaction<Database>,
  mail: Exclude<QueuedMail, { kind: 'invitation' }>,
): Promise<MailContent | undefined> {
  const t = translatorFor(mail.language);
  switch (mail.kind) {
    case 'sign-up': {
      const token = createToken();
      const signUp = await setSignUpToken(trx, mail.signUpId, hashToken(token));
      if (!signUp) return undefined;
      const { email: address, display_name: name } = signUp;
      // The fragment is not sent to the server, so link scanners cannot use up the token.
      const link = `${publicUrl}/dashboard/registration#${token}/${name}`;
      return writeMail({ kind: 'sign-up', address, name }, link, t);
    }
    case 'change':
      return writeMail({ ...mail, mailDomain }, publicUrl, t);
    case 'confirmation': {
      const token = createToken();
      await setConfirmationToken(trx, mail.destinationId, hashToken(token));
      return writeMail({ ...mail, mailDomain }, `${publicUrl}/confirm/${token}`, t);
    }
    case 'login': {
      if (Date.now() - Date.parse(mail.requestedAt) > MAX_LOGIN_MAIL_AGE_MS) return undefined;
      return writeMail(mail, await createLoginLink(trx, mail.accountId, publicUrl), t);
    }
    case 'message': {
      const address = await findConfirmedAddress(trx, mail.accountId);
      return address === undefined ? undefined : writeMail({ ...mail, address }, publicUrl, t);
    }
    default:
      return writeMail(mail, publicUrl, t);
  }
}

import type { FastifyBaseLogger } from 'fastify';
import type { Kysely, Transaction } from 'kysely';
import { inTransaction } from '#db/connections/transaction.ts';
import { setConfirmationToken } from '#db/queries/forwarding/destination-mails.ts';
import { lockMailJob } from '#db/queries/jobs.ts';
import { setSignUpToken } from '#db/queries/sessions/sign-ups.ts';
import type { Database } from '#db/schema.ts';
import { isForeignKeyViolation } from '#db/sql-state.ts';
import { JobFailedError, type JobQueue } from '../jobs/job-queue.ts';
import type { QueuedMail } from '../jobs/kinds.ts';
import { createLoginLink } from '../features/sessions/login-link.ts';
import { createToken, hashToken } from '../token.ts';
import type { Mail } from './layout.ts';
import type { MailSettings } from './settings.ts';
import { connectSmtp, MailError, type SmtpClient } from './smtp.ts';
import { writeDestinationMail, writeOwnerMail, writeRegistration } from './templates.ts';

/** A login link that comes later is of no use any more. */
const LOGIN_LINK_TTL_MS = 600_000;

interface SendMailOptions {
  db: Kysely<Database>;
  smtp: SmtpClient;
  logger: Pick<FastifyBaseLogger, 'warn'>;
  mailDomain: string;
  publicUrl: string;
}

/** Registers the handler of mails, if there is a mail server. */
export function workMail(
  jobs: JobQueue,
  { config, db, logger }: { config: MailSettings } & Pick<SendMailOptions, 'db' | 'logger'>,
): void {
  const { MAIL_DOMAIN: mailDomain, PUBLIC_URL: publicUrl = '' } = config;
  const smtp = connectSmtp(config);
  if (!smtp) return;
  const options = { db, smtp, logger, mailDomain, publicUrl };
  jobs.work('mail', (mail, { id }) => sendMail(options, mail, id));
}

/** Sends a queued mail, unless it was cancelled or is too old. What the mail server refuses for good is not retried. */
async function sendMail(
  options: SendMailOptions,
  queued: QueuedMail,
  jobId: string,
): Promise<void> {
  const { db, smtp, logger } = options;
  const mail = await inTransaction(db, async (trx) =>
    (await lockMailJob(trx, jobId)) ? writeMail(options, trx, queued) : undefined,
  ).catch((error: unknown) => {
    // The account was deleted.
    if (isForeignKeyViolation(error)) return undefined;
    throw error;
  });
  if (!mail) return;
  try {
    await smtp.send(mail);
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    const { kind } = queued;
    const about = 'name' in queued ? { kind, name: queued.name } : { kind };
    logger.warn({ ...about, code: error.code }, 'a mail could not be sent');
    if (!error.isFinal) throw new JobFailedError(error.message);
  }
}

/** Creates the link of a mail, if it has one: the database and the jobs hold only its hash. */
async function writeMail(
  { publicUrl, mailDomain }: SendMailOptions,
  trx: Transaction<Database>,
  queued: QueuedMail,
): Promise<Mail | undefined> {
  switch (queued.kind) {
    case 'registration': {
      const token = createToken();
      const found = await setSignUpToken(trx, queued.registrationId, hashToken(token));
      if (!found) return undefined;
      // Browsers do not send the fragment, and programs that follow links do not use the token up.
      const link = `${publicUrl}/dashboard/registration#${token}/${found.display_name}`;
      return writeRegistration(found, link);
    }
    case 'change':
      return writeDestinationMail(queued, { mailDomain, link: publicUrl });
    case 'confirmation': {
      const token = createToken();
      await setConfirmationToken(trx, queued.destinationId, hashToken(token));
      return writeDestinationMail(queued, { mailDomain, link: `${publicUrl}/confirm/${token}` });
    }
    case 'login': {
      if (Date.now() - Date.parse(queued.requestedAt) > LOGIN_LINK_TTL_MS) return undefined;
      return writeOwnerMail(queued, await createLoginLink(trx, queued.accountId, publicUrl));
    }
    default:
      return writeOwnerMail(queued, publicUrl);
  }
}

import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { noteMail, takeDueMail } from '../../../db/queries/forwarding/destination-mails.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import { type Mailer, MailError } from '../mail/mailer.ts';
import { createToken, hashToken } from '../token.ts';
import { writeMail } from './destination-mail.ts';

export interface MailWork {
  db: Kysely<Database>;
  mailer: Mailer;
  logger: Pick<FastifyBaseLogger, 'warn'>;
  mailDomain: string;
  publicUrl: string;
}

/**
 * Sends the mail that is due to a destination, if it still is. A link is made only here, so that
 * nothing but the mail holds it. Throws what passes, so that the job is done again.
 */
export async function sendDueMail(work: MailWork, id: string): Promise<void> {
  const { db, mailer, logger, mailDomain, publicUrl } = work;
  const token = createToken();
  const due = await inTransaction(db, (trx) => takeDueMail(trx, id, hashToken(token)));
  if (!due) return;
  const { number } = due;
  try {
    await mailer.send(writeMail(due, { mailDomain, link: `${publicUrl}/confirm/${token}` }));
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    const { message, code, isFinal } = error;
    logger.warn({ name: due.name, code }, 'a mail could not be sent');
    await noteMail(db, id, { number, over: isFinal, error: message });
    if (isFinal) return;
    throw error;
  }
  await noteMail(db, id, { number, over: true, error: null });
}

import type { Transaction } from 'kysely';
import { closeNotice, lockDueNotice, type Notice } from '../../../db/queries/notices.ts';
import type { Database } from '../../../db/schema.ts';
import { isMissingReference } from '../../../db/sql-state.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import type { MailWork } from '../forwarding/mail-work.ts';
import { MailError } from '../mail/mailer.ts';
import { createLoginLink } from '../sessions/login-link.ts';
import { writeNotice } from './notice-mail.ts';

/** Nobody waits for a link any longer. */
const LINK_LATE_MS = 600_000;

/**
 * Sends a mail to the owner of an account, if it was not sent yet. A login link is made only here, so
 * that nothing but the mail holds it. Throws what passes, so that the job is done again.
 */
export async function sendNotice(work: MailWork, id: string): Promise<void> {
  const { db, mailer, logger, publicUrl } = work;
  let due;
  try {
    due = await inTransaction(db, (trx) => takeNotice(trx, id, publicUrl));
    if (due) await mailer.send(writeNotice(due.notice, due.link));
  } catch (error) {
    // The account is gone.
    if (isMissingReference(error)) return closeNotice(db, id);
    if (!(error instanceof MailError)) throw error;
    logger.warn({ kind: due?.notice.kind, code: error.code }, 'a mail could not be sent');
    if (!error.isFinal) throw error;
  }
  await closeNotice(db, id);
}

/** A mail with its link; undefined if it was sent, taken back, or brings a link that comes too late. */
async function takeNotice(
  trx: Transaction<Database>,
  id: string,
  publicUrl: string,
): Promise<{ notice: Notice; link: string } | undefined> {
  const notice = await lockDueNotice(trx, id);
  if (notice?.kind !== 'login') return notice && { notice, link: publicUrl };
  if (Date.now() - notice.created_at.getTime() > LINK_LATE_MS) return undefined;
  return { notice, link: await createLoginLink(trx, notice.account_id, publicUrl) };
}

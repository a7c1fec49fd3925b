import { closeNotice, findDueNotice } from '../../../db/queries/notices.ts';
import { isMissingReference } from '../../../db/sql-state.ts';
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
  const notice = await findDueNotice(db, id);
  if (!notice) return;
  const isLogin = notice.kind === 'login';
  if (isLogin && Date.now() - notice.created_at.getTime() > LINK_LATE_MS)
    return closeNotice(db, id);
  try {
    const link = isLogin ? await createLoginLink(db, notice.account_id, publicUrl) : publicUrl;
    await mailer.send(writeNotice(notice, link));
  } catch (error) {
    // The account is gone.
    if (isMissingReference(error)) return closeNotice(db, id);
    if (!(error instanceof MailError)) throw error;
    logger.warn({ kind: notice.kind, code: error.code }, 'a mail could not be sent');
    if (!error.isFinal) throw error;
  }
  await closeNotice(db, id);
}

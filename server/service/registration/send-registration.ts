import {
  closeRegistration,
  lockDueRegistration,
  setRegistrationToken,
} from '../../../db/queries/sessions/registrations.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import type { MailWork } from '../forwarding/mail-work.ts';
import { MailError } from '../mail/mailer.ts';
import { createToken, hashToken } from '../token.ts';
import { writeRegistration } from './registration-mail.ts';

/**
 * Sends the mail of a registration, if it was not sent yet. Its link is made only here, so that nothing
 * but the mail holds it. Throws what passes, so that the job is done again.
 */
export async function sendRegistration(work: MailWork, id: string): Promise<void> {
  const { db, mailer, logger, publicUrl } = work;
  const token = createToken();
  const due = await inTransaction(db, async (trx) => {
    const found = await lockDueRegistration(trx, id);
    if (found) await setRegistrationToken(trx, id, hashToken(token));
    return found;
  });
  if (!due) return;
  // Browsers send nothing of it to anybody, and programs that follow links do not use it up.
  const link = `${publicUrl}/dashboard/registration#${token}/${due.display_name}`;
  try {
    await mailer.send(writeRegistration(due, link));
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    logger.warn({ kind: 'registration', code: error.code }, 'a mail could not be sent');
    if (!error.isFinal) throw error;
  }
  await closeRegistration(db, id);
}

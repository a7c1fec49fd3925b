import { countUnconfirmed } from '../../../db/queries/forwarding/confirmations.ts';
import { findStuckMails, listDueMails } from '../../../db/queries/forwarding/destination-mails.ts';
import { listDueNotices } from '../../../db/queries/notices.ts';
import { listDueRegistrations } from '../../../db/queries/sessions/registrations.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import { MailError } from '../mail/mailer.ts';
import { sendRegistration } from '../registration/send-registration.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { type MailWork, sendDueMail } from './mail-work.ts';
import type { Finding } from './provider.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import type { ForwardingService } from './service.ts';

/** Prefix of a job's subject that is about an owner, and not about a destination. */
const NOTICE = 'notice ';
/** Prefix of a job's subject that is about a registration. */
const REGISTRATION = 'registration ';

/** Job priorities. Owners wait for login links and confirmations; a flood of sign-ups must not delay any other mail. */
const PRIORITY = { login: 2, notice: 1, registration: 0 };

/** Forwarding to addresses whose owners are asked by mail, and told of changes. */
export function confirmedForwarding(
  forwarding: ForwardingService,
  jobs: JobQueue,
  work: MailWork,
): ForwardingService {
  const { db } = work;
  const mail: NonNullable<ForwardingService['mail']> = (trx, id) =>
    jobs.add(trx, 'mail', { subject: id }, { key: id, priority: PRIORITY.login });
  const notify: NonNullable<ForwardingService['notify']> = (trx, { id, kind }) =>
    jobs.add(
      trx,
      'mail',
      { subject: `${NOTICE}${id}` },
      { priority: kind === 'login' ? PRIORITY.login : PRIORITY.notice },
    );
  const register: NonNullable<ForwardingService['register']> = (trx, id) =>
    jobs.add(trx, 'mail', { subject: `${REGISTRATION}${id}` }, { priority: PRIORITY.registration });
  return {
    ...forwarding,
    mail,
    notify,
    register,
    work: () => {
      forwarding.work();
      jobs.work('mail', ({ subject }) => {
        if (subject.startsWith(NOTICE)) return sendNotice(work, subject.slice(NOTICE.length));
        if (subject.startsWith(REGISTRATION))
          return sendRegistration(work, subject.slice(REGISTRATION.length));
        return sendDueMail(work, subject);
      });
    },
    requeue: async () => {
      await forwarding.requeue();
      for (const id of await listDueMails(db)) await inTransaction(db, (trx) => mail(trx, id));
      for (const notice of await listDueNotices(db))
        await inTransaction(db, (trx) => notify(trx, notice));
      for (const id of await listDueRegistrations(db))
        await inTransaction(db, (trx) => register(trx, id));
    },
    check: async () => {
      const check = await forwarding.check();
      const findings = [...check.findings, ...(await checkMail(work))];
      return { ...check, findings, ok: findings.every(({ level }) => level !== 'error') };
    },
  };
}

async function checkMail({ db, mailer }: MailWork): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    await mailer.verify();
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    findings.push({
      level: 'error',
      problem: `The mail server of SMTP_URL cannot be used (${error.code}).`,
      fix: 'Check SMTP_URL, and that this machine reaches the server; mail waits until then.',
    });
  }
  const stuck = await findStuckMails(db);
  if (stuck.count > 0)
    findings.push({
      level: 'warning',
      problem: `${mails(stuck.count)} to be sent. ${stuck.error}`,
      fix: 'Each is tried again every five minutes or sooner.',
    });
  const unconfirmed = await countUnconfirmed(db);
  if (unconfirmed > 0)
    findings.push({
      level: 'warning',
      problem: `${unconfirmed} ${unconfirmed === 1 ? 'account waits' : 'accounts wait'} for confirmation of the address.`,
      fix: 'Its owner follows the link in the mail; turning forwarding on again sends another.',
    });
  return findings;
}

function mails(count: number): string {
  return count === 1 ? '1 mail waits' : `${count} mails wait`;
}

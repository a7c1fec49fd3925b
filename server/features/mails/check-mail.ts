import type { Language } from '#contract/shared/languages.ts';
import { countUnconfirmedDestinations } from '#db/queries/confirmations.ts';
import { findInstance } from '#db/queries/instance.ts';
import { findStuckMails, readQueueStates } from '#db/queries/jobs.ts';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import { errorFinding, type Finding, warningFinding } from '../forwarding/forwarding-provider.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import type { MailSettings } from '#server/platform/mail/settings.ts';
import { createSmtpClient, MailError, type SmtpClient } from '#server/platform/mail/smtp-client.ts';
import { composeMail } from '#server/platform/mail/compose-mail.ts';
import { explainMailError } from './explain-mail-error.ts';
import { writeMail } from './templates.ts';

export async function checkMail(settings: MailSettings, db: ReadDatabase): Promise<Finding[]> {
  const smtp = createSmtpClient(settings);
  if (!smtp) return [];
  const findings: Finding[] = [];
  try {
    await smtp.verify();
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    findings.push(
      errorFinding(
        `The mail server of SMTP_URL cannot be used (${error.code}).`,
        `${explainMailError(translatorFor('en'), error.code)} Mail waits until then.`,
      ),
    );
  }
  const hasQueue = (await readQueueStates(db)) !== undefined;
  const { count, error } = hasQueue ? await findStuckMails(db) : { count: 0, error: null };
  if (count > 0)
    findings.push(
      warningFinding(
        `${count === 1 ? '1 mail waits' : `${count} mails wait`} to be sent. ${error ?? ''}`.trimEnd(),
        'Each mail is retried at least every five minutes.',
      ),
    );
  const unconfirmed = await countUnconfirmedDestinations(db);
  if (unconfirmed > 0)
    findings.push(
      warningFinding(
        `${unconfirmed} ${unconfirmed === 1 ? 'account waits' : 'accounts wait'} for confirmation of the address.`,
        'The owner must follow the link in the mail. Turning forwarding on again sends another one.',
      ),
    );
  return findings;
}

/** Sends one mail at once, without the queue. Returns an error if the mail server refuses it. */
export async function sendTestMail(
  settings: MailSettings,
  db: Database,
  to: string,
): Promise<Finding[]> {
  const smtp = createSmtpClient(settings);
  if (!smtp)
    return [
      errorFinding(
        'A test mail cannot be sent: SMTP_URL is not set.',
        'Set SMTP_URL, MAIL_FROM and PUBLIC_URL. docs/public-instance.md has an example.',
      ),
    ];
  const code = await submitTestMail(smtp, db, {
    to,
    publicUrl: settings.PUBLIC_URL ?? '',
    language: 'en',
  });
  if (code === null) return [];
  return [
    errorFinding(
      `The mail server did not accept the test mail to ${to} (${code}).`,
      explainMailError(translatorFor('en'), code),
    ),
  ];
}

/** Resolves to null, or to the code of the error if the mail server refuses the mail. */
export async function submitTestMail(
  smtp: SmtpClient,
  db: ReadDatabase,
  { to, publicUrl, language }: { to: string; publicUrl: string; language: Language },
): Promise<string | null> {
  const t = translatorFor(language);
  try {
    const instance = await findInstance(db);
    const options = { link: publicUrl, instanceName: instance.name, t };
    const content = writeMail({ kind: 'test', address: to }, options);
    await smtp.send(composeMail(content, instance, t, publicUrl));
    return null;
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return error.code;
  }
}

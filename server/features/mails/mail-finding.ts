import { findStuckMails } from '#db/queries/jobs.ts';
import type { Core } from '#server/core.ts';
import type { Translator } from '#translations/translator.ts';
import type { ToDoReader } from '../define-feature.ts';
import type { NewFinding } from '../finding.ts';
import { explainMailError, isConnectionError, mailErrorCode } from './explain-mail-error.ts';

export const SMTP_LINE = "SMTP_URL='smtps://office@club.example:password@mail.example:465'";

type MailServers = Pick<Core['mailServers'], 'current' | 'isFromEnvironment'>;

/** `count` mails wait for another attempt. */
export function describeMailFailure(
  { current, isFromEnvironment }: MailServers,
  { code, count }: { code: string; count: number },
  t: Translator,
): NewFinding {
  const { sender: value, user } = current!;
  const sender = `MAIL_FROM=${user?.includes('@') ? user : value}`;
  const fix = isFromEnvironment && !isConnectionError(code) ? sender : `${SMTP_LINE}\n${sender}`;
  const waiting = t(
    '{count, plural, one {# mail waits} other {# mails wait}} for another attempt.',
    { count },
  );
  const text = `${count > 0 ? `${waiting} ` : ''}${explainMailError(t, code)}`;
  const about = { title: t('Sending mail'), document: 'docs/public-instance.md' };
  return { code: 'mailFailing', level: 'warning', ...about, value, text, fix };
}

export const findWaitingMails: ToDoReader<{ mailServers: MailServers }> = async (
  { mailServers },
  db,
  t,
) => {
  if (!mailServers.current) return undefined;
  const { count, error } = await findStuckMails(db);
  if (count === 0) return undefined;
  return describeMailFailure(mailServers, { code: mailErrorCode(error), count }, t);
};

import type { Translator } from '#translations/translator.ts';

/** Codes of nodemailer for a server that did not answer. */
const UNREACHABLE = new Set(['ESOCKET', 'ECONNECTION', 'ETIMEDOUT', 'EDNS']);

/** Of the message of a `MailError`, which is all that the queue stores. */
export function mailErrorCode(message: string | null): string {
  return /\(([\w ]+)\)/.exec(message ?? '')?.[1] ?? '';
}

/** Whether mail works as soon as the server answers and accepts the login. */
export function isConnectionError(code: string | undefined): boolean {
  return code !== undefined && (UNREACHABLE.has(code) || code.startsWith('EAUTH'));
}

/** What to do about the error of a mail server. `code` is such as `EENVELOPE 550`. */
export function explainMailError(t: Translator, code: string): string {
  if (UNREACHABLE.has(code))
    return t('The mail server does not answer ({code}). Check the host and port in SMTP_URL.', {
      code,
    });
  if (code.startsWith('EAUTH'))
    return t('The mail server refuses the login ({code}). Check the user in SMTP_URL.', { code });
  return t('The mail server refused the mail ({code}). Check the address and MAIL_FROM.', {
    code: code.replace(/^E[A-Z]+ /, ''),
  });
}

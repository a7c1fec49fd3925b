import type { Translator } from '#translations/translator.ts';

/** Codes of nodemailer for a server that did not answer. */
const UNREACHABLE = new Set(['ESOCKET', 'ECONNECTION', 'ETIMEDOUT', 'EDNS']);

/** Extracts the code from a `MailError`'s message, because the queue stores nothing else. */
export function mailErrorCode(message: string | null): string {
  return /\(([\w ]+)\)/.exec(message ?? '')?.[1] ?? '';
}

/** Whether mail works as soon as the server answers and accepts the login. */
export function isConnectionError(code: string | undefined): boolean {
  return code !== undefined && (UNREACHABLE.has(code) || code.startsWith('EAUTH'));
}

/** Explains an error of the mail server and how to fix it. Such a code is `EENVELOPE 550`. */
export function explainMailError(t: Translator, code: string): string {
  if (code === 'EDNS')
    return t('There is no mail server of this name ({code}). Check the host in SMTP_URL.', {
      code,
    });
  if (UNREACHABLE.has(code))
    return t(
      'The mail server does not answer ({code}). Check host and port in SMTP_URL. Port 465 needs smtps://, other ports smtp://.',
      { code },
    );
  if (code.startsWith('EAUTH'))
    return t(
      'The mail server refuses the login ({code}). Check user and password in SMTP_URL. Some providers need a password for apps.',
      { code },
    );
  return t('The mail server refused the mail ({code}). Check the address and MAIL_FROM.', {
    code: code.replace(/^E[A-Z]+ /, ''),
  });
}

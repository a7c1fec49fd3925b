/** Codes of nodemailer for a server that did not answer. */
const UNREACHABLE = new Set(['ESOCKET', 'ECONNECTION', 'ETIMEDOUT', 'EDNS']);

/** What to do about the error of a mail server. `code` is such as `EENVELOPE 550`. */
export function explainMailError(
  t: (text: string, values: { code: string }) => string,
  code: string,
): string {
  if (UNREACHABLE.has(code))
    return t('The mail server does not answer ({code}). Check the host and port in SMTP_URL.', {
      code,
    });
  if (code.startsWith('EAUTH'))
    return t('The mail server refuses the login ({code}). Check the user in SMTP_URL.', { code });
  return t('The mail server refused the mail ({code}). Check the address and MAIL_FROM.', { code });
}

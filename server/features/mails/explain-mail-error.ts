import type { Translator } from '#translations/translator.ts';

/** Extracts the code from a `MailError`'s message, because the queue stores nothing else. */
export function mailErrorCode(message: string | null): string {
  return /\(([\w ]+)\)/.exec(message ?? '')?.[1] ?? '';
}

/** Whether mail works as soon as the connection, the greeting and the login succeed. */
export function isConnectionError(code = ''): boolean {
  return /^E(?:AUTH|CERTIFICATE|CONNECTION|DNS|HELO|SOCKET|TIMEDOUT|TLS)/.test(code);
}

/** Explains an error of the mail server and how to fix it. Such a code is `EENVELOPE 550`. */
export function explainMailError(t: Translator, code: string): string {
  const values = { code };
  const unreachable = t(
    'The mail server does not answer ({code}). Check host and port in SMTP_URL. Port 465 needs smtps://, other ports smtp://.',
    values,
  );
  const [kind = '', status = ''] = code.split(' ', 2);
  const texts: Readonly<Record<string, string>> = {
    ESOCKET: unreachable,
    ECONNECTION: unreachable,
    ETIMEDOUT: unreachable,
    EDNS: t('There is no mail server of this name ({code}). Check the host in SMTP_URL.', values),
    ECERTIFICATE: t(
      'The mail server answers, but its certificate is not trusted ({code}). If it is from an authority of your own, set NODE_EXTRA_CA_CERTS to its file in the environment of the service, not in .env. Otherwise, SMTP_URL must have the host name of the certificate, and the certificate must be valid.',
      values,
    ),
    ETLS: t(
      'The mail server offers no encryption ({code}). Check the port in SMTP_URL, or add ?ignoreTLS=true to SMTP_URL if the network is private.',
      values,
    ),
    EHELO: t(
      'The mail server refuses the host name that this server greets with ({code}). Add a name that it accepts to SMTP_URL: ?name=names.example.org.',
      values,
    ),
    EAUTH: t(
      'The mail server refuses the login ({code}). Check user and password in SMTP_URL. Some providers need a password for apps.',
      values,
    ),
  };
  return (
    texts[kind] ??
    t('The mail server refused the mail ({code}). Check the address and MAIL_FROM.', {
      code: status || code,
    })
  );
}

import type { Translator } from '#translations/translator.ts';

/** Extracts the code from a `MailError`'s message, because the queue stores nothing else. */
export function mailErrorCode(message: string | null): string {
  return /\(([\w ]+)\)/.exec(message ?? '')?.[1] ?? '';
}

/** Whether mail works as soon as the connection, the greeting and the login succeed. */
export function isConnectionError(code = ''): boolean {
  return /^E(?:AUTH|CERTIFICATE|CONNECTION|DNS|HELO|PRIVATE|SOCKET|TIMEDOUT|TLS)/.test(code);
}

/** By the first word of the code. */
const PROBLEMS: Readonly<Record<string, (t: Translator) => string>> = {
  EDNS: (t) => t('There is no mail server of this name. Check the spelling.'),
  EPRIVATE: (t) =>
    t(
      'This mail server has no public address. Only SMTP_URL can name a server in a private network or on this machine.',
    ),
  ECERTIFICATE: (t) =>
    t(
      'The mail server answers, but its certificate is not trusted. Its name must be the one in a valid certificate. If the certificate is from an authority of your own, set NODE_EXTRA_CA_CERTS to its file in the environment of the service, not in .env.',
    ),
  EHELO: (t) =>
    t(
      'The mail server refuses the host name that this server greets with. Add a name that it accepts to SMTP_URL: ?name=names.example.org.',
    ),
  EAUTH: (t) =>
    t(
      'The mail server refuses the login. Check user and password. Many providers need a password for apps, or you have to allow other mail programs in their settings first.',
    ),
  ESENDER: (t) =>
    t(
      'The mail server refuses the sender. Use the address of the login, or allow this one at your provider.',
    ),
  EENVELOPE: (t) => t('The mail server refuses the recipient. Check the address.'),
};

/** `code` is Nodemailer's, with the reply's status if there is one, such as `EENVELOPE 550`. */
export function explainMailError(t: Translator, code: string): string {
  const [kind = '', status = ''] = code.split(' ', 2);
  // Limits and greylisting can refuse any command with 4xx, also the login.
  if (status.startsWith('4'))
    return t(
      'The mail server takes no mail from this server for now: it limits how much is sent, or lets new senders wait. Try again in a few minutes.',
    );
  // Postfix answers 503 where it offers no login.
  const isLoginNotOffered = code.startsWith('EAUTH 50');
  const explain = isLoginNotOffered ? undefined : PROBLEMS[kind];
  if (explain) return explain(t);
  if (kind === 'ETLS' || isLoginNotOffered)
    return t(
      'The mail server answers, but takes no encrypted login at this port. Check the port, usually 465 or 587.',
    );
  if (status.startsWith('5'))
    return t('The mail server refuses mail from this server. Ask your mail provider why.');
  return t(
    'The mail server does not answer. Check server and port, usually 465 or 587. Some hosting companies block outgoing mail.',
  );
}

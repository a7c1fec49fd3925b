import type { MAIL_SERVER_REFUSALS } from '#contract/owner/mail-server.ts';
import type { Translator } from '#translations/translator.ts';

/** Extracts the code from a `MailError`'s message, because the queue stores nothing else. */
export function mailErrorCode(message: string | null): string {
  return /\(([\w ]+)\)/.exec(message ?? '')?.[1] ?? '';
}

/** Whether mail works as soon as the connection, the greeting and the login succeed. */
export function isConnectionError(code = ''): boolean {
  return /^E(?:AUTH|CERTIFICATE|CONNECTION|DNS|HELO|PRIVATE|SOCKET|TIMEDOUT|TLS)/.test(code);
}

interface MailProblem {
  refusal: keyof typeof MAIL_SERVER_REFUSALS;
  /** Explains the error and how to fix it. */
  text: string;
}

export function explainMailError(t: Translator, code: string): string {
  return describeMailError(t, code).text;
}

/** Such a code is `EENVELOPE 550`. */
export function describeMailError(t: Translator, code: string): MailProblem {
  const values = { code };
  const [kind = '', status = ''] = code.split(' ', 2);
  const unreachable = {
    refusal: 'mailServerUnreachable',
    text:
      status === 'ECONNREFUSED'
        ? t(
            'The mail server refuses connections at this port ({code}). Check host and port.',
            values,
          )
        : t(
            'The mail server does not answer ({code}). Check host and port: port 465 needs TLS (smtps://), other ports STARTTLS (smtp://). Some hosting companies block outgoing mail.',
            values,
          ),
  } as const;
  const problems: Readonly<Record<string, MailProblem>> = {
    ESOCKET: unreachable,
    ECONNECTION: unreachable,
    ETIMEDOUT: unreachable,
    EDNS: {
      refusal: 'mailHostUnknown',
      text: t('There is no mail server of this name ({code}). Check the host.', values),
    },
    EPRIVATE: {
      refusal: 'mailHostPrivate',
      text: t(
        'This mail server has no public address. Only SMTP_URL can name a server in a private network or on this machine.',
      ),
    },
    ECERTIFICATE: {
      refusal: 'mailCertificateInvalid',
      text: t(
        'The mail server answers, but its certificate is not trusted ({code}). The host must be the name in the certificate, and the certificate must be valid. If it is from an authority of your own, set NODE_EXTRA_CA_CERTS to its file in the environment of the service, not in .env.',
        values,
      ),
    },
    ETLS: {
      refusal: 'mailEncryptionFailed',
      text: t(
        'The mail server does not encrypt like this at this port ({code}). Port 465 needs TLS, other ports STARTTLS. In a private network, SMTP_URL can end with ?ignoreTLS=true.',
        values,
      ),
    },
    EHELO: {
      refusal: 'mailFailed',
      text: t(
        'The mail server refuses the host name that this server greets with ({code}). Add a name that it accepts to SMTP_URL: ?name=names.example.org.',
        values,
      ),
    },
    EAUTH: {
      refusal: 'mailLoginRefused',
      text: t(
        'The mail server refuses the login ({code}). Check user and password. Many providers need a password for apps, or you have to allow other mail programs in their settings first.',
        values,
      ),
    },
    ESENDER: {
      refusal: 'mailSenderRefused',
      text: t(
        'The mail server refuses the sender ({code}). Use the address of the login (MAIL_FROM), or allow this one at your provider.',
        values,
      ),
    },
  };
  if (problems[kind]) return problems[kind];
  if (status.startsWith('4'))
    return {
      refusal: 'mailDelayed',
      text: t(
        'The mail server does not accept the mail yet ({code}), perhaps because it does not know the sender (greylisting). Try again in a few minutes.',
        values,
      ),
    };
  return {
    refusal: kind === 'EENVELOPE' ? 'mailRecipientRefused' : 'mailFailed',
    text: t('The mail server refused the mail ({code}). Check the address of the recipient.', {
      code: status || code,
    }),
  };
}

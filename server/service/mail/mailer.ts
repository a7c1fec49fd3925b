import { createTransport } from 'nodemailer';

const SEND_MS = 30_000;
const SILENCE_MS = 10_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** A mail in plain text, and the same as HTML. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** A mail that was not sent. It holds nothing of what the server said, which may repeat anything. */
export class MailError extends Error {
  override readonly name = 'MailError';
  readonly code: string;
  /** Whether the server refuses the mail for good. */
  readonly isFinal: boolean;

  constructor(error: unknown) {
    const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
    const status = typeof responseCode === 'number' ? responseCode : undefined;
    const cause = typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : 'failed';
    const reason = [cause, status].filter((part) => part !== undefined).join(' ');
    super(`The mail server of SMTP_URL did not take the mail (${reason}).`);
    this.code = reason;
    this.isFinal = cause !== 'EAUTH' && status !== undefined && status >= 500;
  }
}

export interface Mailer {
  send: (mail: Mail) => Promise<void>;
  /** Connects and logs in. */
  verify: () => Promise<void>;
}

/**
 * Sends mail through the server of a URL. What leaves this machine is encrypted, by `smtps:` or by
 * STARTTLS, unless the URL ends with `?ignoreTLS=true`.
 */
export function createMailer({ url, from }: { url: string; from: string }): Mailer {
  const { protocol, hostname, port, username, password, search } = new URL(url);
  const secure = protocol === 'smtps:';
  const isPlain = LOOPBACK.test(hostname) || search !== '';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port: Number(port) }),
    secure,
    ...(!secure && (isPlain ? { ignoreTLS: true } : { requireTLS: true })),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const failed = (error: unknown) => {
    throw new MailError(error);
  };
  return {
    send: async ({ to, subject, text, html }) => {
      await transport
        .sendMail({
          from,
          // As it is: a list or a name in it would be other recipients.
          to: { name: '', address: to },
          subject,
          text,
          ...(html !== undefined && { html }),
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.timeout(SEND_MS),
        })
        .catch(failed);
    },
    verify: async () => {
      await transport.verify().catch(failed);
    },
  };
}

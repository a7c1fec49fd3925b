import { createTransport } from 'nodemailer';
import type { Mail } from './layout.ts';
import type { MailSettings } from './settings.ts';

const SEND_MS = 30_000;
const SILENCE_MS = 10_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

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

export interface SmtpClient {
  send: (mail: Mail) => Promise<void>;
  /** Connects and logs in. */
  verify: () => Promise<void>;
}

/**
 * Connects to the mail server for each mail; undefined if there is none. What leaves this machine is
 * encrypted, by `smtps:` or by STARTTLS, unless the URL ends with `?ignoreTLS=true`.
 */
export function connectSmtp(settings: MailSettings): SmtpClient | undefined {
  const { SMTP_URL: url, MAIL_DOMAIN, MAIL_FROM: from = `no-reply@${MAIL_DOMAIN}` } = settings;
  if (url === undefined) return undefined;
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

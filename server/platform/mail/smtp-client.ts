import { createTransport } from 'nodemailer';
import type { Mail } from './compose-mail.ts';
import type { MailSettings } from './settings.ts';
import { LOOPBACK } from '#server/platform/settings/loopback.ts';

const SEND_TIMEOUT_MS = 30_000;
const SOCKET_TIMEOUT_MS = 10_000;

/** Contains only codes, because the server's message may repeat parts of the mail. */
export class MailError extends Error {
  override readonly name = 'MailError';
  readonly code: string;
  readonly isPermanent: boolean;

  constructor(error: unknown) {
    const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
    const status = typeof responseCode === 'number' ? responseCode : undefined;
    const cause = typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : 'failed';
    const reason = [cause, status].filter((part) => part !== undefined).join(' ');
    super(`The mail server of SMTP_URL did not take the mail (${reason}).`);
    this.code = reason;
    this.isPermanent = cause !== 'EAUTH' && status !== undefined && status >= 500;
  }
}

export interface SmtpClient {
  send: (mail: Mail) => Promise<void>;
  verify: () => Promise<void>;
}

/**
 * Connects separately for each mail. Connections to other machines are encrypted by `smtps:` or
 * STARTTLS, unless the URL ends with `?ignoreTLS=true`. Returns undefined if `SMTP_URL` is not set.
 */
export function createSmtpClient(settings: MailSettings): SmtpClient | undefined {
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
    connectionTimeout: SOCKET_TIMEOUT_MS,
    greetingTimeout: SOCKET_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    dnsTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const throwMailError = (error: unknown) => {
    throw new MailError(error);
  };
  return {
    send: async ({ from: fromName, to, replyTo, subject, text, html }) => {
      await transport
        .sendMail({
          from: fromName === undefined ? from : { name: fromName, address: from },
          // An object, because a string could contain several recipients.
          to: { name: '', address: to },
          subject,
          text,
          ...(html !== undefined && { html }),
          ...(replyTo && { replyTo }),
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
        })
        .catch(throwMailError);
    },
    verify: async () => {
      await transport.verify().catch(throwMailError);
    },
  };
}

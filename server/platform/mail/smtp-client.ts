import { isIP } from 'node:net';
import { hostname as machineName } from 'node:os';
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
    const { originalCode, responseCode } = error as NodemailerError;
    const detail = CERTIFICATE_ERROR.test(originalCode ?? '') ? originalCode : responseCode;
    const reason = [causeOf(error as NodemailerError), detail].filter(Boolean).join(' ');
    super(`The mail server of SMTP_URL did not take the mail (${reason}).`);
    this.code = reason;
    this.isPermanent = /^E(?:ENVELOPE|MESSAGE) 5/.test(reason);
  }
}

interface NodemailerError {
  code?: string;
  /** Node's code of a failed connection. */
  originalCode?: string;
  /** The SMTP command that failed. */
  command?: string;
  response?: string;
  responseCode?: number;
}

const CERTIFICATE_ERROR = /CERT|^UNABLE_TO_VERIFY/;

/** Adds two codes to Nodemailer's, because their fixes differ. */
function causeOf({ code, originalCode, command, response }: NodemailerError): string {
  if (CERTIFICATE_ERROR.test(originalCode ?? '')) return 'ECERTIFICATE';
  // Postfix usually refuses the greeting with the recipient.
  const isGreetingRefused =
    response && (/^(?:EHLO|HELO)$/.test(command ?? '') || /\b(?:helo|ehlo)\b/i.test(response));
  if (isGreetingRefused) return 'EHELO';
  return code !== undefined && /^[A-Z_]+$/.test(code) ? code : 'failed';
}

export interface SmtpClient {
  send: (mail: Mail) => Promise<void>;
  verify: () => Promise<void>;
}

/**
 * Connects separately for each mail. Connections to other machines are encrypted by `smtps:` or
 * STARTTLS, unless the URL has `?ignoreTLS=true`. Returns undefined if `SMTP_URL` is not set.
 */
export function createSmtpClient(settings: MailSettings): SmtpClient | undefined {
  const { SMTP_URL: url, MAIL_DOMAIN, MAIL_FROM: from = `no-reply@${MAIL_DOMAIN}` } = settings;
  if (url === undefined) return undefined;
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const secure = protocol === 'smtps:';
  const isPlain = LOOPBACK.test(hostname) || searchParams.has('ignoreTLS');
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    name: searchParams.get('name') ?? chooseGreetingName(settings),
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

/** Strict mail servers refuse names without a dot and, although RFC 5321 allows them, IP addresses. */
function chooseGreetingName({ PUBLIC_URL, MAIL_DOMAIN }: MailSettings): string {
  const names = [machineName(), PUBLIC_URL === undefined ? '' : new URL(PUBLIC_URL).hostname];
  return (
    names.find((name) => /^[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(name) && !isIP(name)) ?? MAIL_DOMAIN
  );
}

import { ADDRCONFIG } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hostname as machineName } from 'node:os';
import { createTransport } from 'nodemailer';
import { isAllowedAddress } from '../outbound/public-client.ts';
import type { Mail } from './mail-content.ts';
import type { MailServer, MailSettings } from './settings.ts';

type Transport = ReturnType<typeof createTransport>;

const SEND_TIMEOUT_MS = 30_000;
const SOCKET_TIMEOUT_MS = 10_000;

/** Contains only codes, because the server's message may repeat parts of the mail. */
export class MailError extends Error {
  override readonly name = 'MailError';
  readonly code: string;
  readonly isPermanent: boolean;

  constructor(error: unknown) {
    const { originalCode, responseCode } = error as NodemailerError;
    const reason = [causeOf(error as NodemailerError), responseCode ?? originalCode]
      .filter(Boolean)
      .join(' ');
    super(`The mail server did not take the mail (${reason}).`);
    this.code = reason;
    this.isPermanent = /^E(?:ENVELOPE|MESSAGE|SENDER) 5/.test(reason);
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

/** Adds codes to Nodemailer's, because their fixes differ. */
function causeOf({ code, originalCode = '', command, response }: NodemailerError): string {
  if (/^(?:ENOTFOUND|EAI_)/.test(code ?? '')) return 'EDNS';
  if (CERTIFICATE_ERROR.test(originalCode)) return 'ECERTIFICATE';
  if (/^(?:ERR_SSL|EPROTO)/.test(originalCode)) return 'ETLS';
  // Postfix usually refuses the greeting with the recipient.
  const isGreetingRefused =
    response && (/^(?:EHLO|HELO)$/.test(command ?? '') || /\b(?:helo|ehlo)\b/i.test(response));
  if (isGreetingRefused) return 'EHELO';
  // Some servers refuse the sender with the recipient or after the text.
  if (command === 'MAIL FROM' || (response && /^5.*sender|SendAsDenied/is.test(response)))
    return 'ESENDER';
  return code !== undefined && /^[A-Z_]+$/.test(code) ? code : 'failed';
}

export interface SmtpClient {
  send: (mail: Mail) => Promise<void>;
  verify: () => Promise<void>;
}

/** The address to connect to. `ca` replaces the trusted certificate authorities. */
export type ResolveMailServer = (
  server: Pick<MailServer, 'host' | 'port'>,
) => Promise<{ host: string; port: number; ca?: string }>;

/** Refuses private addresses at each connection, so that DNS rebinding cannot bypass the check. */
export const resolvePublicMailServer: ResolveMailServer = async ({ host, port }) => {
  const addresses = await lookup(host, { all: true, order: 'ipv4first', hints: ADDRCONFIG });
  const allowed = addresses.find(({ address }) => isAllowedAddress(address, false));
  if (!allowed) throw Object.assign(new Error(), { code: 'EPRIVATE' });
  return { host: allowed.address, port };
};

/** Connects separately for each mail, to what `resolve` returns. */
export function createSmtpClient(
  server: MailServer,
  settings: MailSettings,
  resolve: ResolveMailServer = async (address) => address,
): SmtpClient {
  const { host, port, security, user, password, sender } = server;
  const connect = async () => {
    const { ca, ...address } = await resolve({ host, port });
    return createTransport({
      host: address.host,
      port: address.port,
      tls: { ...(!isIP(host) && { servername: host }), ...(ca !== undefined && { ca }) },
      name: server.greeting ?? chooseGreetingName(settings),
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      // Otherwise Nodemailer skips the login where the server does not offer one.
      forceAuth: user !== null,
      auth: user === null ? undefined : { user, pass: password },
      connectionTimeout: SOCKET_TIMEOUT_MS,
      greetingTimeout: SOCKET_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      dnsTimeout: SOCKET_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  const attempt = async (use: (transport: Transport) => Promise<unknown>) => {
    try {
      await use(await connect());
    } catch (error) {
      throw new MailError(error);
    }
  };
  return {
    send: ({ from, to, replyTo, unsubscribeUrl, id, subject, text, html, isPersonal = false }) =>
      attempt((transport) =>
        transport.sendMail({
          from: from === undefined ? sender : { name: from, address: sender },
          // An object, because a string could contain several recipients.
          to: { name: '', address: to },
          subject,
          text,
          html,
          replyTo,
          messageId: id && `<${id}@${settings.MAIL_DOMAIN}>`,
          list: unsubscribeUrl === undefined ? undefined : { unsubscribe: unsubscribeUrl },
          headers: {
            // Exchange ignores the first one. Bounces are welcome.
            ...(!isPersonal && {
              'Auto-Submitted': 'auto-generated',
              'X-Auto-Response-Suppress': 'OOF, AutoReply',
            }),
            // RFC 8058
            ...(unsubscribeUrl !== undefined && {
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
        }),
      ),
    verify: () => attempt((transport) => transport.verify()),
  };
}

/** Strict mail servers refuse names without a dot and, although RFC 5321 allows them, IP addresses. */
function chooseGreetingName({ PUBLIC_URL, MAIL_DOMAIN }: MailSettings): string {
  const names = [machineName(), PUBLIC_URL === undefined ? '' : new URL(PUBLIC_URL).hostname];
  return (
    names.find((name) => /^[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(name) && !isIP(name)) ?? MAIL_DOMAIN
  );
}

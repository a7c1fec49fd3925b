import { z } from 'zod';
import { LOOPBACK } from '../settings/loopback.ts';
import { wholeNumber } from '../settings/whole-number.ts';

export const mailSettings = {
  SMTP_URL: z
    .string()
    .overwrite(encodeCredentials)
    .regex(
      /^smtps?:\/\/[^\s?#/]+(?:\?(?:(?:ignoreTLS=true|name=[\w.-]+)(?:&(?!$)|$)){1,2})?$/,
      'must be a URL such as smtp://user:password@mail.example.org:587 or smtps://…',
    )
    .optional()
    .describe(
      'Mail server for confirmations, notices and login links: smtp://user:password@host:port with STARTTLS, or smtps://. ?name=host.example.org sets the host name in the greeting (EHLO). Put it in single quotes, and write % in user and password as %25. Requires PUBLIC_URL. Without it, forwarding addresses are not confirmed. Until 0.5.0, a mail server that was connected in the dashboard replaces it.',
    ),
  MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/, 'must be one plain email address')
    .optional()
    .describe('Sender address with SMTP_URL. Default: no-reply@ of MAIL_DOMAIN.'),
  UNCONFIRMED_MAILS_PER_HOUR: wholeNumber(0, 1_000_000)
    .default(200)
    .describe(
      'Mails per hour to unconfirmed addresses, for all servers together. Applies separately to sign-up links, to links for invitations, to links for group invitations and to confirmations of forwarding addresses. Requests above the limit get 503. 0 means no limit.',
    ),
};

export interface MailSettings {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
  MAIL_DOMAIN: string;
  PUBLIC_URL?: string | undefined;
}

export interface MailServer {
  host: string;
  port: number;
  /** `tls` encrypts from the start. `none` needs `SMTP_URL`, at loopback or with `?ignoreTLS=true`. */
  security: 'tls' | 'starttls' | 'none';
  /** Null without a login. */
  user: string | null;
  password: string;
  sender: string;
  /** Host name in the greeting, if `SMTP_URL` sets it. */
  greeting?: string | undefined;
}

/** Returns the mail server of `SMTP_URL`, if it is set. */
export function mailServerFromSettings(settings: MailSettings): MailServer | undefined {
  const { SMTP_URL: url, MAIL_DOMAIN, MAIL_FROM: sender = `no-reply@${MAIL_DOMAIN}` } = settings;
  if (url === undefined) return undefined;
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const isTls = protocol === 'smtps:';
  const isUnencrypted = LOOPBACK.test(hostname) || searchParams.has('ignoreTLS');
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isTls ? 465 : 587),
    security: isTls ? 'tls' : isUnencrypted ? 'none' : 'starttls',
    user: username === '' ? null : decodeURIComponent(username),
    password: decodeURIComponent(password),
    sender,
    greeting: searchParams.get('name') ?? undefined,
  };
}

export const MailRequirements = z
  .object({ SMTP_URL: z.string().optional(), PUBLIC_URL: z.string().optional() })
  .refine((set) => set.SMTP_URL === undefined || set.PUBLIC_URL !== undefined, {
    path: ['PUBLIC_URL'],
    message: 'is needed when SMTP_URL is set, for the links in its mail',
  })
  .transform(() => ({}));

/** Lines for `.env`, from which `mailServerFromSettings` makes the same mail server. */
export function formatMailSettings({ host, port, security, user, password, sender }: MailServer) {
  const [name, secret] = [user ?? '', password].map((part) =>
    // An apostrophe would end the value.
    encodeURIComponent(part).replaceAll("'", '%27'),
  );
  const protocol = security === 'tls' ? 'smtps' : 'smtp';
  const from = /^[\w.+@-]+$/.test(sender) ? sender : `"${sender}"`;
  return `SMTP_URL='${protocol}://${name}:${secret}@${host}:${port}'\nMAIL_FROM=${from}`;
}

/** Mail providers' users and passwords contain characters such as @ and #, which URLs do not allow there. */
function encodeCredentials(url: string): string {
  const [start, protocol = '', user = '', password] =
    /^(smtps?:\/\/)([^:]*?)(?::(.*))?@(?=[^@]*$)/.exec(url) ?? [];
  if (start === undefined) return url;
  const credentials = [user, password].filter((part) => part !== undefined).map(encode);
  return `${protocol}${credentials.join(':')}@${url.slice(start.length)}`;
}

function encode(part: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(part));
  } catch {
    return encodeURIComponent(part);
  }
}

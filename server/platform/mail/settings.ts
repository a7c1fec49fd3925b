import { z } from 'zod';
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
      'Mail server for confirmations, notices and login links: smtp://user:password@host:port with STARTTLS, or smtps://. ?name=host.example.org sets the host name in the greeting (EHLO). Put it in single quotes, and write % in user and password as %25. Without it, forwarding addresses are not confirmed. Requires PUBLIC_URL.',
    ),
  MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/, 'must be one plain email address')
    .optional()
    .describe('Sender address. Default: no-reply@ of MAIL_DOMAIN.'),
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
  EMAIL_FORWARDING_PROVIDER: string;
  PUBLIC_URL?: string | undefined;
}

export const MailRequirements = z
  .object({ SMTP_URL: z.string().optional(), PUBLIC_URL: z.string().optional() })
  .refine((set) => set.SMTP_URL === undefined || set.PUBLIC_URL !== undefined, {
    path: ['PUBLIC_URL'],
    message: 'is needed when SMTP_URL is set, for the links in its mail',
  })
  .transform(() => ({}));

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

import type { DueMail } from '../../../db/queries/forwarding/destination-mails.ts';
import { composeMail } from '../mail/compose-mail.ts';
import type { Mail } from '../mail/mailer.ts';

/** The mail that is due to a destination, in words. */
export function writeMail(
  { kind, address: to, name }: DueMail,
  { mailDomain, link }: { mailDomain: string; link: string },
): Mail {
  const address = `${name}@${mailDomain}`;
  const { host } = new URL(link);
  if (kind === 'change')
    return composeMail({
      to,
      host,
      subject: `Mail to ${address} is no longer forwarded to you`,
      before: [
        `${host} forwarded mail from ${address} to ${to}. It no longer does: the account now uses another address or another name.`,
        `If this account is yours and you did not change it, revoke its API keys or contact the people who run ${host}.`,
      ],
      after: [],
      because: 'because mail was forwarded to this address',
    });
  return composeMail({
    to,
    host,
    subject: `Confirm forwarding from ${address}`,
    before: [
      `Somebody wants mail to ${address} to come to this inbox. If that was you, please confirm it within 24 hours:`,
    ],
    action: { label: 'Check and confirm', link },
    after: ['Not you? Ignore this mail. Nothing will be forwarded.'],
  });
}

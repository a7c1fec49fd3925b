import type { Mail } from '../mail/mailer.ts';
import type { DueMail } from '../../../db/queries/destination-mails.ts';

/** The mail that is due to a destination, in words. */
export function writeMail(
  { kind, address: to, name }: DueMail,
  { mailDomain, link }: { mailDomain: string; link: string },
): Mail {
  const address = `${name}@${mailDomain}`;
  if (kind === 'change')
    return {
      to,
      subject: `Mail to ${address} no longer comes to you`,
      text: `Mail to ${address} is no longer forwarded to ${to}: with a key of its account, another
address was chosen, or the name was changed.

If that was not you, revoke the account's keys, or write to those who run the service.
`,
    };
  return {
    to,
    subject: `Shall mail to ${address} come to you?`,
    text: `Somebody, perhaps you, wants mail to ${address} forwarded to ${to}.

If you want that, open this page within a day, and press its button:

${link}

If not, do nothing: no mail is forwarded to you.
`,
  };
}

import type { Mail } from '../mail/mailer.ts';
import type { DueMail } from '../../../db/queries/forwarding/destination-mails.ts';

/** The mail that is due to a destination, in words. */
export function writeMail(
  { kind, address: to, name }: DueMail,
  { mailDomain, link }: { mailDomain: string; link: string },
): Mail {
  const address = `${name}@${mailDomain}`;
  const { host } = new URL(link);
  if (kind === 'change')
    return {
      to,
      subject: `Mail to ${address} is no longer forwarded to you`,
      text: `You are getting this because ${host} forwarded mail from ${address} to ${to}.
It no longer does: the account now uses another address or another name.

If this account is yours and you did not change it, revoke its API keys or contact the people who
run ${host}.
`,
    };
  return {
    to,
    subject: `Confirm forwarding from ${address}`,
    text: `You are getting this because someone asked ${host} to forward mail from ${address} to ${to}.

If that was you, open this page within 24 hours and press its button:

${link}

If not, ignore this message. Nothing will be forwarded to you.
`,
  };
}

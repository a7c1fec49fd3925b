import type { Notice } from '../../../db/queries/notices.ts';
import { composeMail } from '../mail/compose-mail.ts';
import type { Mail } from '../mail/mailer.ts';

/** A mail to the owner of an account, in words. */
export function writeNotice({ kind, address: to, about }: Notice, link: string): Mail {
  const { host } = new URL(link);
  const because = 'because it is the address of an account there';
  switch (kind) {
    case 'login':
      return composeMail({
        to,
        host,
        subject: `Your login link for ${about}`,
        before: [
          `Here is your login link for the account ${about} at ${host}. It works once, within ten minutes:`,
        ],
        action: { label: 'Sign in', link },
        after: ['Not you? Ignore this mail. Nobody can sign in without the link.'],
      });
    case 'key':
      return composeMail({
        to,
        host,
        subject: `New API key for your account at ${host}`,
        before: [
          `An API key was made for your account at ${link}: ${about}.`,
          'If that was not you, sign in, revoke the key, and end every session that you do not recognize.',
        ],
        after: [],
        because,
      });
    case 'alert': {
      const [subject = '', ...rest] = about.split('\n');
      const place = new URL('dashboard/metrics', `${link}/`).href;
      return composeMail({
        to,
        host,
        subject,
        before: [rest.join(' ')],
        action: { label: 'View alerts', link: place },
        after: [],
        because,
      });
    }
    case 'deletion':
      return composeMail({
        to,
        host,
        subject: `Your account ${about} was deleted`,
        before: [
          `Your account ${about} at ${host} was deleted, with everything in it.`,
          `If that was not you, contact the people who run ${host}.`,
        ],
        after: [],
        because,
      });
  }
}

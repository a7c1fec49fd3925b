import type { Notice } from '../../../db/queries/notices.ts';
import type { Mail } from '../mail/mailer.ts';

/** A mail to the owner of an account, in words. */
export function writeNotice({ kind, address: to, about }: Notice, link: string): Mail {
  switch (kind) {
    case 'login':
      return {
        to,
        subject: `Your login link for ${about}`,
        text: `Somebody, perhaps you, wants to log in to the account ${about}. This link does, once, within ten
minutes:

${link}

If that was not you, do nothing: without the link nobody gets in.
`,
      };
    case 'key':
      return {
        to,
        subject: 'A new API key of your account',
        text: `An API key was made for your account at ${link}: ${about}.

If that was not you, log in, revoke it, and end the sessions that you do not know.
`,
      };
    case 'deletion':
      return {
        to,
        subject: `The account ${about} was deleted`,
        text: `The account ${about} at ${link} was deleted, with all that it had.

If that was not you, write to those who run the service.
`,
      };
  }
}

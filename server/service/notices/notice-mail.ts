import type { Notice } from '../../../db/queries/notices.ts';
import type { Mail } from '../mail/mailer.ts';

/** A mail to the owner of an account, in words. */
export function writeNotice({ kind, address: to, about }: Notice, link: string): Mail {
  const { host } = new URL(link);
  switch (kind) {
    case 'login':
      return {
        to,
        subject: `Your login link for ${about}`,
        text: `You are getting this because someone asked to log in to the account ${about} at ${host}.

If that was you, use this link. It works once, within ten minutes:

${link}

If not, ignore this message. Nobody can log in without the link.
`,
      };
    case 'key':
      return {
        to,
        subject: `New API key for your account at ${host}`,
        text: `An API key was made for your account at ${link}: ${about}.

If that was not you, log in, revoke the key, and end every session that you do not recognize.
`,
      };
    case 'deletion':
      return {
        to,
        subject: `Your account ${about} was deleted`,
        text: `Your account ${about} at ${host} was deleted, with everything in it.

If that was not you, contact the people who run ${host}.
`,
      };
  }
}

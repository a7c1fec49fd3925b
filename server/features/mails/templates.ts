import type { Translator } from '#translations/translator.ts';
import type { MailContent } from '#server/platform/mail/compose-mail.ts';
import { backupErrorText } from '../backups/backup-error-text.ts';
import type { DestinationMail, OwnerMail } from './mail-job.ts';

type Mail =
  | OwnerMail
  | (DestinationMail & { mailDomain: string })
  | { kind: 'sign-up'; address: string; name: string }
  | {
      kind: 'invitation';
      address: string;
      name: string | null;
      inviter: string | null;
      sentence: string | null;
      expiresAt: Date;
      instanceName: string | null;
      forwardsMail: boolean;
    }
  | { kind: 'test'; address: string };

interface Context {
  to: string;
  host: string;
  link: string;
  t: Translator;
}

type Template<Kind extends Mail['kind']> = (
  mail: Mail & { kind: Kind },
  context: Context,
) => Omit<MailContent, 'to' | 'host'>;

export function writeMail(mail: Mail, link: string, t: Translator): MailContent {
  const { address: to } = mail;
  const { host } = new URL(link);
  const template = TEMPLATES[mail.kind] as Template<Mail['kind']>;
  return { to, host, ...template(mail, { to, host, link, t }) };
}

const TEMPLATES: { [Kind in Mail['kind']]: Template<Kind> } = {
  login: ({ name }, { host, link, t }) => ({
    subject: t('Your login link for {name}', { name }),
    intro: [
      t(
        'Here is your login link for the account {name} at {host}. It works once, within ten minutes:',
        { name, host },
      ),
    ],
    action: { label: t('Sign in'), link },
    outro: [t('Not you? Ignore this mail. Nobody can sign in without the link.')],
  }),

  key: ({ key }, { host, link, t }) => ({
    subject: t('New API key for your account at {host}', { host }),
    intro: [
      t('An API key was created for your account at {link}: {key}.', { link, key }),
      t(
        'If that was not you, sign in, revoke the key, and end every session that you do not recognize.',
      ),
    ],
    footer: accountFooter(host, t),
  }),

  passkey: ({ name }, { host, link, t }) => ({
    subject: t('New passkey for your account at {host}', { host }),
    intro: [
      t('A passkey was added to your account {name} at {link}. Anyone who has it can log in.', {
        name,
        link,
      }),
      t(
        'If that was not you, sign in, remove the passkey, and end every session that you do not recognize.',
      ),
    ],
    footer: accountFooter(host, t),
  }),

  identity: ({ provider }, { host, link, t }) => ({
    subject: t('{provider} was linked to your account at {host}', { provider, host }),
    intro: [
      t(
        'A login of {provider} was linked to your account at {link}. Anyone with that login can now log in here.',
        { provider, link },
      ),
      t(
        'If that was not you, sign in, unlink it under Security, and end every session that you do not recognize.',
      ),
    ],
    footer: accountFooter(host, t),
  }),

  report: ({ page: name }, { host, link, t }) => ({
    subject: t('A page was reported at {host}', { host }),
    intro: [
      t('A visitor reported the page {name} at {host}.', { name, host }),
      t('You get at most one of these mails per hour.'),
    ],
    action: { label: t('View reports'), link: operatorLink(link, 'operator/reports') },
    footer: operatorFooter(host, t),
  }),

  backup: ({ error }, { host, link, t }) => ({
    subject: t('The backup of {host} failed', { host }),
    intro: [
      t('The nightly backup of {host} failed, and no new backup was stored.', { host }),
      backupErrorText(t, error),
      t('The server tries again within an hour. You get at most one of these mails per day.'),
    ],
    action: { label: t('View your server'), link: operatorLink(link, 'operator') },
    footer: operatorFooter(host, t),
  }),

  operator: ({ accountId, memberId, ...mail }, context) =>
    accountId === memberId ? ownRoleMail(mail, context) : otherRoleMail(mail, context),

  alert: ({ alert }, { host, link, t }) => {
    const project = preventAutoLinks(alert.project, 60);
    return {
      // Single quotes (doubled for ICU), because Nodemailer encodes subjects with double quotes.
      subject: t("{alert} for project ''{project}''", { alert: alert.title, project }),
      intro: [
        t(
          "This is an automatic message from Nameplate at {host} about an alert for the project ''{project}''.",
          { host, project },
        ),
        preventAutoLinks(alert.text, 300),
      ],
      action: { label: t('View alerts'), link: new URL('dashboard/metrics', `${link}/`).href },
      footer: accountFooter(host, t),
    };
  },

  message: ({ message: { page, name, email, message } }, { host, t }) => {
    const sender = name ? `${name} <${email}>` : email;
    return {
      replyTo: { name, address: email },
      subject: t('Message from {email} through your page', { email }),
      intro: [t('A visitor of your page {page} wrote:', { page }), message],
      outro: [t('Reply to this mail to answer {sender}, who then sees your address.', { sender })],
      footer: accountFooter(host, t),
    };
  },

  deletion: ({ name }, { host, t }) => ({
    subject: t('Your account {name} was deleted', { name }),
    intro: [
      t('Your account {name} at {host} was deleted, with everything in it.', { name, host }),
      t('If that was not you, contact the operator of {host}.', { host }),
    ],
    footer: accountFooter(host, t),
  }),

  change: ({ name, mailDomain, isForwarding }, { to, host, t }) => {
    const address = `${name}@${mailDomain}`;
    const notYou = t(
      'If this account is yours and you did not change it, revoke its API keys or contact the operator of {host}.',
      { host },
    );
    if (!isForwarding)
      return {
        subject: t('Your email address at {host} was changed', { host }),
        intro: [
          t('Login links for the account {name} at {host} will no longer be sent to {to}.', {
            name,
            host,
            to,
          }),
          notYou,
        ],
      };
    return {
      subject: t('Mail to {address} is no longer forwarded to you', { address }),
      intro: [
        t(
          '{host} forwarded mail from {address} to {to}. It no longer does: the account now uses another address or another name.',
          { host, address, to },
        ),
        notYou,
      ],
      footer: t('Sent by {host} because mail was forwarded to this address.', { host }),
    };
  },

  confirmation: ({ name, mailDomain, isForwarding }, { host, link, t }) => {
    const address = `${name}@${mailDomain}`;
    const action = { label: t('Check and confirm'), link };
    if (!isForwarding)
      return {
        subject: t('Confirm your email address at {host}', { host }),
        intro: [
          t(
            'Someone wants to sign in to the account {name} at {host} with this email address. If that was you, please confirm it within 24 hours:',
            { name, host },
          ),
        ],
        action,
        outro: [t('Not you? Ignore this mail. Nothing will change.')],
      };
    return {
      subject: t('Confirm forwarding from {address}', { address }),
      intro: [
        t(
          'Someone asked to forward mail for {address} to this address. If that was you, please confirm it within 24 hours:',
          { address },
        ),
      ],
      action,
      outro: [t('Not you? Ignore this mail. Nothing will be forwarded.')],
    };
  },

  'sign-up': ({ name }, { host, link, t }) => ({
    subject: t('Claim {name} at {host}', { name, host }),
    intro: [
      t(
        'Someone wants to claim the name {name} at {host} with this email address. If that was you, create your account within 24 hours:',
        { name, host },
      ),
    ],
    action: { label: t('Create account'), link },
    outro: [t('Not you? Ignore this mail. No account will be created.')],
  }),

  invitation: (mail, { host, link, t }) => {
    const { name, sentence, expiresAt, instanceName, forwardsMail } = mail;
    const inviter = mail.inviter === null ? t('An operator') : preventAutoLinks(mail.inviter, 100);
    const server = instanceName === null ? host : `${instanceName} (${host})`;
    return {
      subject: t('{inviter} invites you to {server}', { inviter, server: instanceName ?? host }),
      intro: [
        name === null ? t('Hello,') : t('Hello {name},', { name: preventAutoLinks(name, 100) }),
        forwardsMail
          ? t(
              '{inviter} invites you to {server}: you get a name, a page and a mail address of your own. It takes about two minutes, and there is no password.',
              { inviter, server },
            )
          : t(
              '{inviter} invites you to {server}: you get a name and a page of your own. It takes about two minutes, and there is no password.',
              { inviter, server },
            ),
        ...(sentence === null ? [] : [sentence]),
      ],
      action: { label: t('Choose your name'), link },
      outro: [
        t('The link works until {date}.', {
          date: expiresAt.toLocaleDateString(t.locale, { dateStyle: 'long', timeZone: 'UTC' }),
        }),
        t('Not interested? Ignore this mail. No account will be created.'),
      ],
      footer: t('Sent by {host} because an operator there invited this address.', { host }),
    };
  },

  test: (_mail, { host, t }) => ({
    subject: t('Test mail from {host}', { host }),
    intro: [
      t('{host} can send mail. This is the test mail that its operator asked for.', { host }),
    ],
    outro: [t('If it was in the spam folder, check the SPF and DKIM records of the sender.')],
    footer: t('Sent by {host} because its operator entered this address.', { host }),
  }),
};

type RoleChange = Pick<Mail & { kind: 'operator' }, 'by' | 'member' | 'isOperator'>;

/** To the person whose role changed. */
function ownRoleMail({ by, isOperator }: RoleChange, { host, link, t }: Context) {
  return isOperator
    ? {
        subject: t('You are now an operator of {host}', { host }),
        intro: [
          t(
            '{by} made you an operator of {host}: you see all members and reports, and can suspend and delete members. Sign in again to begin.',
            { by, host },
          ),
        ],
        action: { label: t('View your server'), link: operatorLink(link, 'operator') },
        footer: operatorFooter(host, t),
      }
    : {
        subject: t('You are no longer an operator of {host}', { host }),
        intro: [
          t(
            '{by} made you a member of {host} again. Your account and your page stay as they are.',
            {
              by,
              host,
            },
          ),
        ],
        footer: accountFooter(host, t),
      };
}

/** To the other operators. */
function otherRoleMail({ by, member, isOperator }: RoleChange, { host, link, t }: Context) {
  return {
    subject: isOperator
      ? t('{member} is now an operator of {host}', { member, host })
      : t('{member} is no longer an operator of {host}', { member, host }),
    intro: [
      isOperator
        ? t('{by} made {member} an operator of {host}. Operators can suspend and delete members.', {
            by,
            member,
            host,
          })
        : t('{by} made {member} a member of {host} again.', { by, member, host }),
      t('If that is not right, change it under Members.'),
    ],
    action: { label: t('View operators'), link: operatorLink(link, 'operator/members') },
    footer: operatorFooter(host, t),
  };
}

function operatorLink(link: string, screen: string): string {
  return new URL(`dashboard/${screen}`, `${link}/`).href;
}

function operatorFooter(host: string, t: Translator): string {
  return t('Sent by {host} because this is the email address of an operator there.', { host });
}

function accountFooter(host: string, t: Translator): string {
  return t('Sent by {host} because this is the email address of an account there.', { host });
}

/** Truncates user text, and inserts zero-width spaces so that mail programs add no links. */
function preventAutoLinks(text: string, max: number): string {
  const characters = [...text];
  const truncated = characters.length > max ? [...characters.slice(0, max - 1), '…'] : characters;
  return truncated.join('').replace(/(?<=\S)[.:@](?=\S)/g, '$&\u200b');
}

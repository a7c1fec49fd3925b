import type { MailContent } from './compose-mail.ts';
import type { QueuedMail } from './mail-job.ts';
import type { AlertMessage } from '../features/alerts/alert-message.ts';
import type { Translator } from '#translations/translator.ts';

type OwnerMail = Extract<QueuedMail, { detail: string }>;
/** From a contact form. */
export interface VisitorMessage {
  /** URL of the page. */
  page: string;
  name: string;
  email: string;
  message: string;
}

type DestinationMail = Extract<QueuedMail, { destinationId: string }>;

export function writeOwnerMail(
  { kind, address: to, detail }: OwnerMail,
  link: string,
  t: Translator,
): MailContent {
  const { host } = new URL(link);
  const footer = t('Sent by {host} because this is the email address of an account there.', {
    host,
  });
  switch (kind) {
    case 'login':
      return {
        to,
        host,
        subject: t('Your login link for {name}', { name: detail }),
        intro: [
          t(
            'Here is your login link for the account {name} at {host}. It works once, within ten minutes:',
            { name: detail, host },
          ),
        ],
        action: { label: t('Sign in'), link },
        outro: [t('Not you? Ignore this mail. Nobody can sign in without the link.')],
      };
    case 'key':
      return {
        to,
        host,
        subject: t('New API key for your account at {host}', { host }),
        intro: [
          t('An API key was created for your account at {link}: {key}.', { link, key: detail }),
          t(
            'If that was not you, sign in, revoke the key, and end every session that you do not recognize.',
          ),
        ],
        outro: [],
        footer,
      };
    case 'passkey':
      return {
        to,
        host,
        subject: t('New passkey for your account at {host}', { host }),
        intro: [
          t('A passkey was added to your account {name} at {link}. Anyone who has it can log in.', {
            name: detail,
            link,
          }),
          t(
            'If that was not you, sign in, remove the passkey, and end every session that you do not recognize.',
          ),
        ],
        outro: [],
        footer,
      };
    case 'identity':
      return {
        to,
        host,
        subject: t('{provider} was linked to your account at {host}', { provider: detail, host }),
        intro: [
          t(
            'A login of {provider} was linked to your account at {link}. Anyone with that login can now log in here.',
            { provider: detail, link },
          ),
          t(
            'If that was not you, sign in, unlink it under Security, and end every session that you do not recognize.',
          ),
        ],
        outro: [],
        footer,
      };
    case 'report':
      return {
        to,
        host,
        subject: t('A page was reported at {host}', { host }),
        intro: [
          t('A visitor reported the page {name} at {host}.', { name: detail, host }),
          t('You get at most one of these mails per hour.'),
        ],
        action: {
          label: t('View reports'),
          link: new URL('dashboard/operator/reports', `${link}/`).href,
        },
        outro: [],
        footer: t('Sent by {host} because this is the email address of an operator there.', {
          host,
        }),
      };
    case 'alert': {
      const message = JSON.parse(detail) as AlertMessage;
      const project = preventAutoLinks(message.project, 60);
      const alertsUrl = new URL('dashboard/metrics', `${link}/`).href;
      return {
        to,
        host,
        // Single quotes (doubled for ICU), because Nodemailer encodes subjects with double quotes.
        subject: t("{alert} for project ''{project}''", { alert: message.title, project }),
        intro: [
          t(
            "This is an automatic message from Nameplate at {host} about an alert for the project ''{project}''.",
            { host, project },
          ),
          preventAutoLinks(message.text, 300),
        ],
        action: { label: t('View alerts'), link: alertsUrl },
        outro: [],
        footer,
      };
    }
    case 'message': {
      const { page, name, email, message } = JSON.parse(detail) as VisitorMessage;
      const sender = name ? `${name} <${email}>` : email;
      return {
        to,
        replyTo: { name, address: email },
        host,
        subject: t('Message from {email} through your page', { email }),
        intro: [t('A visitor of your page {page} wrote:', { page }), message],
        outro: [
          t('Reply to this mail to answer {sender}, who then sees your address.', { sender }),
        ],
        footer,
      };
    }
    case 'deletion':
      return {
        to,
        host,
        subject: t('Your account {name} was deleted', { name: detail }),
        intro: [
          t('Your account {name} at {host} was deleted, with everything in it.', {
            name: detail,
            host,
          }),
          t('If that was not you, contact the operator of {host}.', { host }),
        ],
        outro: [],
        footer,
      };
  }
}

export function writeDestinationMail(
  mail: DestinationMail,
  { mailDomain, link }: { mailDomain: string; link: string },
  t: Translator,
): MailContent {
  const { kind, address: to, name } = mail;
  if (!mail.isForwarding) return writeLoginAddressMail(mail, link, t);
  const address = `${name}@${mailDomain}`;
  const { host } = new URL(link);
  if (kind === 'change')
    return {
      to,
      host,
      subject: t('Mail to {address} is no longer forwarded to you', { address }),
      intro: [
        t(
          '{host} forwarded mail from {address} to {to}. It no longer does: the account now uses another address or another name.',
          { host, address, to },
        ),
        t(
          'If this account is yours and you did not change it, revoke its API keys or contact the operator of {host}.',
          { host },
        ),
      ],
      outro: [],
      footer: t('Sent by {host} because mail was forwarded to this address.', { host }),
    };
  return {
    to,
    host,
    subject: t('Confirm forwarding from {address}', { address }),
    intro: [
      t(
        'Someone asked to forward mail for {address} to this address. If that was you, please confirm it within 24 hours:',
        { address },
      ),
    ],
    action: { label: t('Check and confirm'), link },
    outro: [t('Not you? Ignore this mail. Nothing will be forwarded.')],
  };
}

function writeLoginAddressMail(
  { kind, address: to, name }: DestinationMail,
  link: string,
  t: Translator,
): MailContent {
  const { host } = new URL(link);
  if (kind === 'change')
    return {
      to,
      host,
      subject: t('Your email address at {host} was changed', { host }),
      intro: [
        t('Login links for the account {name} at {host} will no longer be sent to {to}.', {
          name,
          host,
          to,
        }),
        t(
          'If this account is yours and you did not change it, revoke its API keys or contact the operator of {host}.',
          { host },
        ),
      ],
      outro: [],
    };
  return {
    to,
    host,
    subject: t('Confirm your email address at {host}', { host }),
    intro: [
      t(
        'Someone wants to sign in to the account {name} at {host} with this email address. If that was you, please confirm it within 24 hours:',
        { name, host },
      ),
    ],
    action: { label: t('Check and confirm'), link },
    outro: [t('Not you? Ignore this mail. Nothing will change.')],
  };
}

export function writeSignUpMail(
  { email: to, display_name: name }: { email: string; display_name: string },
  link: string,
  t: Translator,
): MailContent {
  const { host } = new URL(link);
  return {
    to,
    host,
    subject: t('Claim {name} at {host}', { name, host }),
    intro: [
      t(
        'Someone wants to claim the name {name} at {host} with this email address. If that was you, create your account within 24 hours:',
        { name, host },
      ),
    ],
    action: { label: t('Create account'), link },
    outro: [t('Not you? Ignore this mail. No account will be created.')],
  };
}

export function writeTestMail(to: string, publicUrl: string, t: Translator): MailContent {
  const { host } = new URL(publicUrl);
  return {
    to,
    host,
    subject: t('Test mail from {host}', { host }),
    intro: [
      t('{host} can send mail. This is the test mail that its operator asked for.', { host }),
    ],
    outro: [t('If it was in the spam folder, check the SPF and DKIM records of the sender.')],
    footer: t('Sent by {host} because its operator entered this address.', { host }),
  };
}

export function writeInvitationMail(
  { email: to, name }: { email: string; name: string | null },
  {
    link,
    instanceName,
    forwardsMail,
  }: { link: string; instanceName: string | null; forwardsMail: boolean },
  t: Translator,
): MailContent {
  const { host } = new URL(link);
  const server = instanceName === null ? host : `${instanceName} (${host})`;
  return {
    to,
    host,
    subject: t('Your invitation to {server}', { server: instanceName ?? host }),
    intro: [
      name === null ? t('Hello,') : t('Hello {name},', { name: preventAutoLinks(name, 100) }),
      forwardsMail
        ? t(
            'you are invited to {server}: a name, a page and a mail address of your own. It takes about two minutes, and there is no password.',
            { server },
          )
        : t(
            'you are invited to {server}: a name and a page of your own. It takes about two minutes, and there is no password.',
            { server },
          ),
    ],
    action: { label: t('Choose your name'), link },
    outro: [t('Not interested? Ignore this mail. No account will be created.')],
    footer: t('Sent by {host} because an operator there invited this address.', { host }),
  };
}

/** Truncates user text, and inserts zero-width spaces so that mail programs add no links. */
function preventAutoLinks(text: string, max: number): string {
  const characters = [...text];
  const truncated = characters.length > max ? [...characters.slice(0, max - 1), '…'] : characters;
  return truncated.join('').replace(/(?<=\S)[.:@](?=\S)/g, '$&\u200b');
}

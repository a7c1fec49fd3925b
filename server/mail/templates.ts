import type { QueuedMail } from '../jobs/job-kinds.ts';
import type { MailContent } from './compose-mail.ts';
import { type AlertMessage, getAlertTitle } from '../features/alerts/alert-message.ts';

type OwnerMail = Extract<QueuedMail, { detail: string }>;
type DestinationMail = Extract<QueuedMail, { destinationId: string }>;

export function writeOwnerMail(
  { kind, address: to, detail }: OwnerMail,
  link: string,
): MailContent {
  const { host } = new URL(link);
  const sendReason = 'because this is the email address of an account there';
  switch (kind) {
    case 'login':
      return {
        to,
        host,
        subject: `Your login link for ${detail}`,
        intro: [
          `Here is your login link for the account ${detail} at ${host}. It works once, within ten minutes:`,
        ],
        action: { label: 'Sign in', link },
        outro: ['Not you? Ignore this mail. Nobody can sign in without the link.'],
      };
    case 'key':
      return {
        to,
        host,
        subject: `New API key for your account at ${host}`,
        intro: [
          `An API key was created for your account at ${link}: ${detail}.`,
          'If that was not you, sign in, revoke the key, and end every session that you do not recognize.',
        ],
        outro: [],
        sendReason,
      };
    case 'passkey':
      return {
        to,
        host,
        subject: `New passkey for your account at ${host}`,
        intro: [
          `A passkey was added to your account ${detail} at ${link}. Anyone who has it can log in.`,
          'If that was not you, sign in, remove the passkey, and end every session that you do not recognize.',
        ],
        outro: [],
        sendReason,
      };
    case 'identity':
      return {
        to,
        host,
        subject: `${detail} was linked to your account at ${host}`,
        intro: [
          `A login of ${detail} was linked to your account at ${link}. Anyone with that login can now log in here.`,
          'If that was not you, sign in, unlink it under Security, and end every session that you do not recognize.',
        ],
        outro: [],
        sendReason,
      };
    case 'report':
      return {
        to,
        host,
        subject: `A page was reported at ${host}`,
        intro: [
          `A visitor reported the page ${detail} at ${host}.`,
          'You get at most one of these mails per hour.',
        ],
        action: {
          label: 'View reports',
          link: new URL('dashboard/operator/reports', `${link}/`).href,
        },
        outro: [],
        sendReason: 'because this is the email address of an operator there',
      };
    case 'alert': {
      const message = JSON.parse(detail) as AlertMessage;
      // nodemailer would encode a subject with double quotes.
      const quotedProject = `'${preventAutoLinks(message.project, 60)}'`;
      const alertsUrl = new URL('dashboard/metrics', `${link}/`).href;
      return {
        to,
        host,
        subject: `${getAlertTitle(message)} for project ${quotedProject}`,
        intro: [
          `This is an automatic message from Nameplate at ${host} about an alert for the project ${quotedProject}.`,
          preventAutoLinks(message.text, 300),
        ],
        action: { label: 'View alerts', link: alertsUrl },
        outro: [],
        sendReason,
      };
    }
    case 'deletion':
      return {
        to,
        host,
        subject: `Your account ${detail} was deleted`,
        intro: [
          `Your account ${detail} at ${host} was deleted, with everything in it.`,
          `If that was not you, contact the operator of ${host}.`,
        ],
        outro: [],
        sendReason,
      };
  }
}

export function writeDestinationMail(
  { kind, address: to, name }: DestinationMail,
  { mailDomain, link }: { mailDomain: string; link: string },
): MailContent {
  const address = `${name}@${mailDomain}`;
  const { host } = new URL(link);
  if (kind === 'change')
    return {
      to,
      host,
      subject: `Mail to ${address} is no longer forwarded to you`,
      intro: [
        `${host} forwarded mail from ${address} to ${to}. It no longer does: the account now uses another address or another name.`,
        `If this account is yours and you did not change it, revoke its API keys or contact the operator of ${host}.`,
      ],
      outro: [],
      sendReason: 'because mail was forwarded to this address',
    };
  return {
    to,
    host,
    subject: `Confirm forwarding from ${address}`,
    intro: [
      `Someone asked to forward mail for ${address} to this address. If that was you, please confirm it within 24 hours:`,
    ],
    action: { label: 'Check and confirm', link },
    outro: ['Not you? Ignore this mail. Nothing will be forwarded.'],
  };
}

export function writeSignUpMail(
  { email: to, display_name: name }: { email: string; display_name: string },
  link: string,
): MailContent {
  const { host } = new URL(link);
  return {
    to,
    host,
    subject: `Claim ${name} at ${host}`,
    intro: [
      `Someone wants to claim the name ${name} at ${host} with this email address. If that was you, create your account within 24 hours:`,
    ],
    action: { label: 'Create account', link },
    outro: ['Not you? Ignore this mail. No account will be created.'],
  };
}

export function writeTestMail(to: string, publicUrl: string): MailContent {
  const { host } = new URL(publicUrl);
  return {
    to,
    host,
    subject: `Test mail from ${host}`,
    intro: [`${host} can send mail. This is the test mail that its operator asked for.`],
    outro: ['If it was in the spam folder, check the SPF and DKIM records of the sender.'],
    sendReason: 'because its operator entered this address',
  };
}

export function writeInvitationMail(
  { email: to, name }: { email: string; name: string | null },
  link: string,
  instanceName: string | null,
): MailContent {
  const { host } = new URL(link);
  const invitedTo = instanceName === null ? host : `${instanceName} (${host})`;
  return {
    to,
    host,
    subject: `Your invitation to ${instanceName ?? host}`,
    intro: [
      name === null ? 'Hello,' : `Hello ${preventAutoLinks(name, 100)},`,
      `you are invited to ${invitedTo}: a name, a page and a mail address of your own. It takes about two minutes, and there is no password.`,
    ],
    action: { label: 'Choose your name', link },
    outro: ['Not interested? Ignore this mail. No account will be created.'],
    sendReason: 'because an operator there invited this address',
  };
}

/** Truncates user text, and inserts zero-width spaces so that mail programs add no links. */
function preventAutoLinks(text: string, max: number): string {
  const characters = [...text];
  const truncated = characters.length > max ? [...characters.slice(0, max - 1), '…'] : characters;
  return truncated.join('').replace(/(?<=\S)[.:@](?=\S)/g, '$&\u200b');
}

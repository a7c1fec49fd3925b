import { QUOTE_PREFIX } from '#contract/shared/mail-quote.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { AddressAccount } from '#db/queries/owner-mails.ts';
import type { Translator } from '#translations/translator.ts';
import type { MailContent } from '#server/platform/mail/compose-mail.ts';
import { reportReasonLabels } from '#contract/shared/report-reasons.ts';
import { explainBackupError } from '../backups/backup-error-text.ts';
import type { DestinationMail, OwnerMail } from './mail-job.ts';

type Mail =
  | Exclude<OwnerMail, { kind: 'login' | 'deletion' | 'suspension' | 'report' }>
  | (Extract<OwnerMail, { kind: 'login' }> & {
      links: readonly { name: string | null; link: string }[];
      mailDomain: string;
    })
  | (Extract<OwnerMail, { kind: 'deletion' | 'suspension' }> & { contact: string | null })
  | (Extract<OwnerMail, { kind: 'report' }> & { pageUrl: string; openReports: number })
  | (DestinationMail & { mailDomain: string })
  | { kind: 'sign-up'; address: string; name: string; sharedWith: readonly AddressAccount[] }
  | {
      kind: 'recipient';
      address: string;
      group: string;
      by: string | null;
      from?: string | undefined;
      isRemoved?: boolean;
      isDeleted?: boolean | undefined;
    }
  | {
      kind: 'invitation';
      address: string;
      name: string | null;
      /** The display name that the invitation suggests. */
      suggestedName: string | null;
      inviter: string | null;
      sentence: string | null;
      expiresAt: Date;
      isReminder: boolean;
      forwardsMail: boolean;
      /** Accounts that have the address, too. */
      sharedWith: readonly AddressAccount[];
    }
  | MemberMessage
  | { kind: 'test'; address: string; code?: string | undefined };

interface MemberMessage {
  kind: 'member-message';
  address: string;
  subject: string;
  text: string;
  /** Gets the replies. */
  contact: string | null;
  unsubscribeUrl: string;
  isTest?: boolean;
}

interface MailOptions {
  link: string;
  /** Name of the installation, if operators have set one. */
  instanceName: string | null;
  t: Translator;
}

interface Context {
  to: string;
  /** Name of the installation, or else its host. */
  server: string;
  link: string;
  t: Translator;
}

type Template<Kind extends Mail['kind']> = (
  mail: Mail & { kind: Kind },
  context: Context,
) => Omit<MailContent, 'to' | 'host'>;

export function writeMail(mail: Mail, { link, instanceName, t }: MailOptions): MailContent {
  const { address: to } = mail;
  const { host } = new URL(link);
  const template = TEMPLATES[mail.kind] as Template<Mail['kind']>;
  const server = instanceName ?? host;
  const content = template(mail, { to, server, link, t });
  // A name such as "Segelclub e.V." already ends the sentence.
  const removeDoubleDot = (text: string) =>
    server.endsWith('.') ? text.replaceAll(`${server}.`, server) : text;
  const { intro, outro = [] } = content;
  return {
    to,
    host,
    // Several accounts can have the same address.
    plate: 'accountId' in mail ? plateFor(mail.name) : undefined,
    ...content,
    hasOneTimeLink: content.action?.link === link || content.choices !== undefined,
    intro: intro.map(removeDoubleDot),
    outro: outro.map(removeDoubleDot),
  };
}

const TEMPLATES: { [Kind in Mail['kind']]: Template<Kind> } = {
  login: ({ name, links, suspended, mailDomain }, { server, link, t }) => {
    const max = LIMITS.accountsPerAddress;
    const footer = enteredFooter(server, t);
    const outro = [
      ...suspended.map((account) =>
        t('{name} is suspended, so it has no link.', { name: account }),
      ),
      ...(links.length + suspended.length < max
        ? []
        : [
            t(
              'A mail lists {max} accounts. To sign in to another one, enter its own address, such as name@{mailDomain}. New accounts with this address need an invitation.',
              { max, mailDomain },
            ),
          ]),
      t('Not you? Ignore this mail. Nobody can sign in without the link.'),
    ];
    if (links.length > 1)
      return {
        subject: t('Your login links for {server}', { server }),
        plate: server,
        intro: [
          t(
            '{count, number} accounts at {server} have this address. Each link works once, within ten minutes:',
            { count: links.length, server },
          ),
        ],
        choices: links.map((choice) => ({
          title: plateFor(choice.name) ?? t('Account without a name'),
          label: t('Sign in'),
          link: choice.link,
        })),
        outro,
        footer,
      };
    return {
      subject: t('Your login link for {name}', { name }),
      headline: t('Sign in to {instance}', { instance: server }),
      intro: [
        t('This link for the account {name} works once, within ten minutes.', {
          name: accountName(name),
        }),
      ],
      action: { label: t('Sign in'), link },
      outro,
      footer,
    };
  },

  key: ({ name, key, requestedAt }, { server, link, t }) => ({
    subject: t('New API key for {name} at {server}', { name: accountName(name), server }),
    headline: t('New API key'),
    status: 'security',
    facts: [
      [t('Account'), accountName(name)],
      [t('Key'), key],
      [t('Time'), formatTime(requestedAt, t)],
    ],
    intro: [
      t(
        'If that was not you, sign in, revoke the key, and end every session that you do not recognize.',
      ),
    ],
    action: { label: t('Review your keys'), link: dashboardLink(link, 'keys') },
  }),

  passkey: ({ name, requestedAt }, { server, link, t }) => ({
    subject: t('New passkey for {name} at {server}', { name: accountName(name), server }),
    headline: t('New passkey'),
    status: 'security',
    facts: [
      [t('Account'), accountName(name)],
      [t('Time'), formatTime(requestedAt, t)],
    ],
    intro: [
      t('Anyone who has the passkey can log in.'),
      t(
        'If that was not you, sign in, remove the passkey, and end every session that you do not recognize.',
      ),
    ],
    action: { label: t('Review your passkeys'), link: dashboardLink(link, 'settings') },
  }),

  identity: ({ name, provider }, { server, link, t }) => ({
    subject: t('{provider} was linked to {name} at {server}', {
      name: accountName(name),
      provider,
      server,
    }),
    status: 'security',
    intro: [
      t(
        'A login of {provider} was linked to your account at {link}. Anyone with that login can now log in here.',
        { provider, link },
      ),
      t(
        'If that was not you, sign in, unlink it under Security, and end every session that you do not recognize.',
      ),
    ],
    action: { label: t('Open the dashboard'), link: dashboardLink(link, 'settings') },
  }),

  report: ({ pageUrl, reason, text, openReports: count }, { server, link, t }) => ({
    subject: t('A page was reported at {server}', { server }),
    headline: t('A page was reported'),
    status: 'attention',
    plate: server,
    facts: [
      [t('Page'), pageUrl],
      [t('Reason'), reportReasonLabels(t)[reason]],
      ...(text === '' ? [] : [[t('Message'), preventAutoLinks(text, 300)] as const]),
    ],
    intro: [
      t(
        '{count, plural, one {# report is open.} other {# reports are open.}} More reports within the hour come together.',
        { count },
      ),
    ],
    action: { label: t('View reports'), link: dashboardLink(link, 'operator/reports') },
    footer: operatorFooter(server, t),
  }),

  backup: ({ error, folder }, { server, link, t }) => {
    const { text, fix } = explainBackupError(t, error, folder);
    return {
      subject: t('The backup of {server} failed', { server }),
      status: 'attention',
      plate: server,
      intro: [
        `${t('No new backup was stored.')} ${text}`,
        ...(fix === undefined ? [] : [`${t('How to fix it')}:`, fix]),
        t('The server tries again within an hour. You get at most one of these mails per day.'),
      ],
      action: { label: t('View your server'), link: dashboardLink(link, 'operator#backupFailed') },
      footer: operatorFooter(server, t),
    };
  },

  operator: ({ accountId, memberId, ...mail }, context) =>
    accountId === memberId ? ownRoleMail(mail, context) : otherRoleMail(mail, context),

  alert: ({ name, alert }, { server, link, t }) => {
    const project = preventAutoLinks(alert.project, 60);
    return {
      // Single quotes (doubled for ICU), because Nodemailer encodes subjects with double quotes.
      subject: t("{alert} for project ''{project}''", { alert: alert.title, project }),
      headline: alert.title,
      facts: [[t('Project'), project]],
      intro: [preventAutoLinks(alert.text, 300)],
      action: { label: t('View alerts'), link: dashboardLink(link, 'metrics') },
      footer: connectionFooter(server, name, t),
    };
  },

  event: ({ name, event: { text, url }, requestedAt }, { server, t }) => ({
    subject: preventAutoLinks(text.replace(/\.$/, ''), 100),
    // The name in the text: of a member, or the newer of two.
    plate: text.match(/(?<!\S)@[a-z\d-]+/g)?.at(-1) ?? plateFor(name),
    facts: [[t('Time'), formatTime(requestedAt, t)]],
    intro: [preventAutoLinks(text, 300)],
    action: { label: t('Open the dashboard'), link: url },
    footer: connectionFooter(server, name, t),
  }),

  message: ({ message: { page, name, email, message } }, { t }) => {
    const sender = name ? `${name} <${email}>` : email;
    return {
      isPlain: true,
      replyTo: { name, address: email },
      subject: t('Message from {email} through your page', { email }),
      intro: [t('A visitor of your page {page} wrote:', { page }), message],
      outro: [t('Reply to this mail to answer {sender}, who then sees your address.', { sender })],
    };
  },

  'member-message': ({ subject, text, contact, unsubscribeUrl, isTest }, { server, t }) => ({
    ...(contact !== null && { replyTo: { name: '', address: contact } }),
    unsubscribeUrl,
    subject: isTest ? `[${t('Test')}] ${subject}` : subject,
    headline: subject,
    intro: splitParagraphs(text),
    footer: t('Sent by {server} to its members.', { server }),
  }),

  link: ({ name, by }, { server, link, t }) => ({
    subject: t('Login link for {name} at {server}', { name: accountName(name), server }),
    status: 'security',
    intro: [
      t(
        '{by} created a login link for your account at {server}. Who opens it can sign in as you.',
        { by: operatorName(by, t), server },
      ),
      t('If you did not ask for it, sign in and end the sessions that you do not recognize.'),
    ],
    action: { label: t('Sign in'), link: dashboardLink(link, '') },
  }),

  suspension: ({ name, reason, pageOnly, contact }, { server, link, t }) => {
    const values = { name: accountName(name), server };
    return {
      subject: pageOnly
        ? t('Your page {name} was hidden', values)
        : t('Your account {name} was suspended', values),
      intro: [
        pageOnly
          ? t(
              'An operator of {server} hid your page {name}. Visitors no longer find it, and you cannot publish it. You can still sign in.',
              values,
            )
          : t(
              'An operator of {server} suspended your account {name}. Its page is hidden, no mail reaches you through it or through group addresses, and you cannot sign in to it. Nothing was deleted.',
              values,
            ),
        ...(reason === null ? [] : [`${QUOTE_PREFIX}${preventAutoLinks(reason, 500)}`]),
      ],
      ...(pageOnly && {
        action: { label: t('Sign in'), link: dashboardLink(link, '') },
      }),
      outro: [
        contact === null
          ? t('Fixed it, or think that this is wrong? Ask the people who run {server}.', values)
          : t('Fixed it, or think that this is wrong? Write to {contact}', { contact }),
      ],
    };
  },

  resumption: ({ name, pageOnly }, { server, link, t }) => {
    const values = { name: accountName(name), server };
    return {
      subject: pageOnly
        ? t('Your page {name} is no longer hidden', values)
        : t('Your account {name} works again', values),
      intro: [
        pageOnly
          ? t(
              'An operator of {server} no longer hides your page {name}. It is public if you published it.',
              values,
            )
          : t(
              'An operator of {server} ended the suspension of {name}. Page and mail work as before.',
              values,
            ),
      ],
      action: { label: t('Sign in'), link: dashboardLink(link, '') },
    };
  },

  deletion: ({ name, by, contact }, { server, t }) => ({
    subject: t('Your account {name} was deleted', { name: accountName(name) }),
    intro: [
      t(
        'Its page, pictures and data at {server} were deleted, too, and no mail reaches you through it.',
        { server },
      ),
      by === undefined
        ? contactOperator(withContact(server, contact), t)
        : t('{by} deleted it. If that is not right, contact the operator of {server}.', {
            by: operatorName(by, t),
            server: withContact(server, contact),
          }),
    ],
  }),

  change: ({ name, mailDomain, isForwarding, waits, operator }, { to, server, link, t }) => {
    const address = `${name}@${mailDomain}`;
    const values = { name: accountName(name), server, to, address };
    const undo = t(
      'Settings shows the new address. If you do not want it, choose Cancel the change there, and end every session that you do not recognize.',
    );
    if (waits)
      return {
        subject: t('A new email address for your account at {server}', { server }),
        status: 'security',
        intro: [
          operator === undefined
            ? t('A new email address was entered for your account {name} at {server}.', values)
            : t('{by} entered a new email address for your account {name} at {server}.', {
                ...values,
                by: operatorName(operator, t),
              }),
          isForwarding
            ? t(
                'Until that address is confirmed, login links and mail to {address} still go to {to}. Afterwards, {to} gets nothing more for this account, not even another notice.',
                values,
              )
            : t(
                'Until that address is confirmed, login links still go to {to}. Afterwards, {to} gets nothing more for this account, not even another notice.',
                values,
              ),
          undo,
        ],
        action: { label: t('Open the settings'), link: dashboardLink(link, 'settings') },
      };
    if (waits === undefined)
      return {
        subject: t('Mail to {address} is no longer forwarded to you', { address }),
        intro: [
          t(
            'Mail to {address} no longer goes to {to}: the account now uses another address or another name.',
            values,
          ),
          contactOperator(server, t),
        ],
        footer: t('Sent by {server} because mail was forwarded to this address.', { server }),
      };
    return {
      subject: t('Your email address at {server} was changed', { server }),
      status: 'security',
      intro: [
        isForwarding
          ? t(
              'Login links for the account {name} at {server} and mail to {address} no longer go to {to}.',
              values,
            )
          : t('Login links for the account {name} at {server} no longer go to {to}.', values),
        contactOperator(server, t),
      ],
    };
  },

  confirmation: ({ name, mailDomain, isForwarding, operator }, { server, link, t }) => {
    const address = `${name}@${mailDomain}`;
    return {
      subject: t('Confirm your email address at {server}', { server }),
      intro: [
        ...(operator === undefined
          ? []
          : [
              t('{by} entered this address for you at {server}.', {
                by: operatorName(operator, t),
                server,
              }),
            ]),
        isForwarding
          ? t(
              'Once you confirm this address, it gets the mail to {address} and the login links for {server}.',
              { address, server },
            )
          : t(
              'Once you confirm this address, it gets the login links for the account {name} at {server}.',
              { name: accountName(name), server },
            ),
      ],
      action: { label: t('Check and confirm'), link },
      note: t('The link works for 24 hours.'),
      outro: [t('Not you? Ignore this mail. Nothing will change.')],
      footer: enteredFooter(server, t),
    };
  },

  group: ({ name, group, by, isRemoved, isDeleted, from = '' }, { to, server, link, t }) => {
    const reader = accountName(name);
    const values = { reader, group, from, to, server, by: operatorName(by, t) };
    const [subject, sentence] = from
      ? describeRename(values, t)
      : isRemoved
        ? describeRemoval(values, isDeleted, t)
        : [
            t('You now get the mail to {group}', values),
            t('{by} at {server} added {reader}. Mail to {group} now goes to {to}.', values),
          ];
    return {
      subject,
      plate: group,
      intro: [sentence],
      action: {
        label: isRemoved ? t('Open the dashboard') : t('See who reads it, or leave'),
        link: dashboardLink(link, 'mail'),
      },
    };
  },

  reader: ({ group, reader, isDeleted, isUnread }, { server, link, t }) => {
    const values = { group, reader: reader === null ? t('A member') : accountName(reader) };
    return {
      subject: isUnread
        ? t('Nobody gets the mail to {group}', values)
        : t('{reader} no longer gets the mail to {group}', values),
      ...(isUnread && { status: 'attention' as const }),
      plate: group,
      intro: [
        isDeleted
          ? reader === null
            ? t('The account of a member was deleted.')
            : t('The account of {reader} was deleted.', values)
          : t('{reader} left.', values),
        isUnread
          ? t(
              'That was the last reader. Mail to {group} is refused until you choose another one.',
              values,
            )
          : t('The other readers still get it.'),
      ],
      action: { label: t('Choose readers'), link: dashboardLink(link, 'operator/addresses') },
      footer: operatorFooter(server, t),
    };
  },

  recipient: ({ group, by, from = '', isRemoved, isDeleted }, { to, server, link, t }) => {
    const values = { reader: to, group, from, to, server, by: operatorName(by, t) };
    const footer = t('Sent by {server} because its operator entered this address.', { server });
    if (isRemoved) {
      const [subject, sentence] = describeRemoval(values, isDeleted, t);
      return { subject, plate: group, intro: [sentence], footer };
    }
    const [subject, sentence] = from
      ? describeRename(values, t)
      : [
          t('Mail to {group} for you?', values),
          t('{by} at {server} wants mail to {group} to reach you at {to}, too.', values),
        ];
    return {
      subject,
      plate: group,
      intro: [sentence],
      action: { label: from ? t('Check or end it') : t('Check and confirm'), link },
      note: from
        ? t('Keep this mail: its link ends it later, and replaces the one in the earlier mail.')
        : t('Keep this mail: the same link ends it later.'),
      outro: from ? [] : [t('Not interested? Ignore this mail. Nothing will change.')],
      footer,
    };
  },

  'sign-up': ({ name, sharedWith }, { server, link, t }) => ({
    subject: t('Claim {name} at {server}', { name, server }),
    headline: t('Claim {name} at {server}', { name: `@${name}`, server }),
    isWelcome: true,
    plate: plateFor(name),
    intro: [
      t(
        'Someone wants to claim the name {name} at {server} with this email address. If that was you, create your account within 24 hours:',
        { name: `@${name}`, server },
      ),
    ],
    action: { label: t('Create account'), link },
    outro: [
      ...sharedAddress(sharedWith, t),
      t('Not you? Ignore this mail. No account will be created.'),
    ],
    footer: enteredFooter(server, t),
  }),

  invitation: (mail, { server, link, t }) => {
    const { name, sentence, expiresAt, isReminder, forwardsMail } = mail;
    const inviter = preventAutoLinks(mail.inviter ?? '', 100);
    const { host } = new URL(link);
    const plate = plateFor(mail.suggestedName);
    const where = server === host ? host : `${server} (${host})`;
    const subject = !inviter
      ? t('Your invitation to {server}', { server })
      : plate
        ? t('{inviter} invites you to {server} as {name}', { inviter, server, name: plate })
        : t('{inviter} invites you to {server}', { inviter, server });
    return {
      subject: isReminder ? t('Reminder: {subject}', { subject }) : subject,
      isWelcome: true,
      plate,
      intro: [
        name === null ? t('Hello,') : t('Hello {name},', { name: preventAutoLinks(name, 100) }),
        forwardsMail
          ? t(
              'At {server} you get a name, a page and a mail address of your own. It takes about two minutes, and there is no password.',
              { server: where },
            )
          : t(
              'At {server} you get a name and a page of your own. It takes about two minutes, and there is no password.',
              { server: where },
            ),
        ...(sentence === null ? [] : [`${QUOTE_PREFIX}${sentence}`]),
      ],
      action: { label: plate ? t('Keep {name}', { name: plate }) : t('Choose your name'), link },
      note: [
        ...(plate ? [t('You can also choose another name than {name}.', { name: plate })] : []),
        t('The link works until {date}.', {
          date: expiresAt.toLocaleDateString(t.locale === 'en' ? 'en-GB' : t.locale, {
            dateStyle: 'long',
            timeZone: 'UTC',
          }),
        }),
      ].join(' '),
      outro: [
        ...sharedAddress(mail.sharedWith, t),
        t('Not interested? Ignore this mail. No account will be created.'),
      ],
      footer: t('Sent by {server} because an operator there invited this address.', { server }),
    };
  },

  test: ({ code }, { server, t }) => ({
    subject:
      code === undefined
        ? t('Test mail from {server}', { server })
        : t('{code} is your code for {server}', { code, server }),
    intro: [
      t('{server} can send mail. This is the test mail that its operator asked for.', { server }),
      ...(code === undefined
        ? []
        : [t('Enter this code in the dashboard within 24 hours: {code}', { code })]),
    ],
    outro: [
      t(
        'If it was in the spam folder, ask the person who looks after the domain of the sender to check its SPF and DKIM records.',
      ),
    ],
    footer: t('Sent by {server} because its operator entered this address.', { server }),
  }),
};

function sharedAddress(accounts: readonly AddressAccount[], t: Translator): string[] {
  if (accounts.length === 0) return [];
  const names = accounts.flatMap(({ name }) => name ?? []);
  const hint = t('To sign in there instead, enter this address on the sign-in page.');
  const [name = t('An account without a name')] = names;
  const sentence =
    names.length > 1
      ? t('{names} have this address, too.', {
          names: new Intl.ListFormat(t.locale).format(names),
        })
      : t('{name} has this address, too.', { name });
  return [`${sentence} ${hint}`];
}

function describeRename(
  values: Record<'from' | 'group' | 'reader' | 'server' | 'by', string>,
  t: Translator,
): [subject: string, sentence: string] {
  return [
    t('{from} is now {group}', values),
    t(
      '{by} at {server} renamed it. Mail to {group} still reaches {reader}; mail to {from} is refused.',
      values,
    ),
  ];
}

function describeRemoval(
  values: Record<'group' | 'reader' | 'server' | 'by' | 'to', string>,
  isDeleted: boolean | undefined,
  t: Translator,
): [subject: string, sentence: string] {
  if (isDeleted)
    return [
      t('{group} no longer exists', values),
      t('{by} at {server} deleted the address. Mail to {group} is refused.', values),
    ];
  return [
    t('You no longer get the mail to {group}', values),
    t('{by} at {server} ended it for {reader}. Mail to {group} no longer goes to {to}.', values),
  ];
}

/** Undefined for accounts without a display name, which are called by their email address. */
function plateFor(name: string | null): string | undefined {
  return name === null || name.includes('@') ? undefined : `@${name}`;
}

function accountName(name: string): string {
  return plateFor(name) ?? name;
}

function operatorName(name: string | null | undefined, t: Translator): string {
  return plateFor(name ?? null) ?? t('An operator');
}

type RoleChange = Pick<Mail & { kind: 'operator' }, 'by' | 'member' | 'isOperator'>;

/** To the person whose role changed. */
function ownRoleMail({ by, member, isOperator }: RoleChange, { server, link, t }: Context) {
  const values = { by: operatorName(by, t), name: accountName(member), server };
  return isOperator
    ? {
        subject: t('You are now an operator of {server}', { server }),
        intro: [
          t(
            '{by} made your account {name} an operator of {server}: you see all members and reports, and can suspend and delete members. Sign in again to begin.',
            values,
          ),
        ],
        action: { label: t('View your server'), link: dashboardLink(link, 'operator') },
        footer: operatorFooter(server, t),
      }
    : {
        subject: t('You are no longer an operator of {server}', { server }),
        intro: [
          by === member
            ? t('Your account {name} stepped down. It and its page stay as they are.', values)
            : t(
                '{by} made your account {name} a member of {server} again. It and its page stay as they are.',
                values,
              ),
        ],
      };
}

function otherRoleMail({ by, member, isOperator }: RoleChange, { server, link, t }: Context) {
  const values = { by: operatorName(by, t), member: accountName(member), server };
  return {
    subject: isOperator
      ? t('{member} is now an operator of {server}', values)
      : t('{member} is no longer an operator of {server}', values),
    plate: plateFor(member),
    intro: [
      isOperator
        ? t(
            '{by} made {member} an operator of {server}. Operators can suspend and delete members.',
            values,
          )
        : by === member
          ? t('{member} stepped down.', values)
          : t('{by} made {member} a member of {server} again.', values),
      t('If that is not right, change it under Members.'),
    ],
    action: { label: t('View operators'), link: dashboardLink(link, 'operator/members') },
    footer: operatorFooter(server, t),
  };
}

function dashboardLink(link: string, screen: string): string {
  return new URL(`dashboard/${screen}`, `${link}/`).href;
}

function connectionFooter(server: string, name: string, t: Translator): string {
  return t(
    'This is an automatic message from Nameplate at {server}, through the email connection of {name}.',
    { name: accountName(name), server },
  );
}

function operatorFooter(server: string, t: Translator): string {
  return t('Sent by {server} because this is the email address of an operator there.', { server });
}

function withContact(server: string, contact: string | null): string {
  return contact === null ? server : `${server} (${contact})`;
}

function contactOperator(server: string, t: Translator): string {
  return t('If that was not you, contact the operator of {server}.', { server });
}

/** For addresses that may not belong to the recipient. */
function enteredFooter(server: string, t: Translator): string {
  return t('Sent by {server} because someone entered this address.', { server });
}

function splitParagraphs(text: string): string[] {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .split(/\n\s*\n/);
}

function formatTime(time: string, t: Translator): string {
  const format = new Intl.DateTimeFormat(t.locale === 'en' ? 'en-GB' : t.locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(new Date(time))} UTC`;
}

/** Truncates user text, and inserts zero-width spaces so that mail programs add no links. */
function preventAutoLinks(text: string, max: number): string {
  const characters = [...text];
  const truncated = characters.length > max ? [...characters.slice(0, max - 1), '…'] : characters;
  return truncated.join('').replace(/(?<=\S)[.:@](?=\S)/g, '$&\u200b');
}

import { instanceLinks } from '#contract/shared/instance.ts';
import { QUOTE_PREFIX } from '#contract/shared/mail-quote.ts';
import { plateColors } from '#contract/shared/plate-colors.ts';
import type { InstanceRow } from '#db/queries/instance.ts';
import type { Translator } from '#translations/translator.ts';
import { withoutLinkBreaks } from './mail-text.ts';
import { renderMail, rowTitle } from './render-mail.ts';

export interface Mail {
  /** Display name of the sender. */
  from?: string | undefined;
  to: string;
  subject: string;
  text: string;
  html?: string;
  replyTo?: { name: string; address: string } | undefined;
  unsubscribeUrl?: string | undefined;
  /** The Message-ID, without the domain. */
  id?: string | undefined;
  /** A person wrote the mail to the recipient. */
  isPersonal?: true | undefined;
}

export interface MailContent extends Pick<Mail, 'to' | 'replyTo' | 'unsubscribeUrl' | 'id'> {
  /** A visitor wrote facts and quotes, in which no address becomes a link. */
  isFromVisitor?: true;
  host: string;
  subject: string;
  /** Instead of the subject. */
  headline?: string;
  /** A label above the headline. */
  status?: 'security' | 'attention' | undefined;
  /** Whether the plate is large. */
  isWelcome?: true;
  /** Text of the plate instead of the name of the installation. */
  plate?: string | undefined;
  facts?: readonly (readonly [label: string, value: string])[];
  intro: readonly string[];
  /** Whether the link of the action is shown in full, too. */
  hasOneTimeLink?: boolean;
  action?: { label: string; link: string };
  /** Instead of one action, several with a title each. */
  choices?: readonly { title: string; label: string; link: string }[];
  /** In small print below the button. */
  note?: string;
  outro?: readonly string[];
  /** In small print. */
  textLink?: { label: string; link: string };
  /** Cells to copy into a table. */
  copiedRow?: readonly string[];
  /** Why the recipient gets this mail. By default: the address belongs to an account. */
  footer?: string;
}

const PLATE_COLOR = '#0f6a4c';

export function composeMail(
  content: MailContent,
  instance: InstanceRow,
  t: Translator,
  publicUrl: string,
): Mail {
  const { to, replyTo, unsubscribeUrl, id, host, subject, intro, action, note, textLink } = content;
  const { headline = subject, facts = [], choices = [], outro = [] } = content;
  const { name, line, contact } = instance;
  const footerLines = [
    content.footer ??
      t('Sent by {server} because this is the email address of an account there.', {
        server: instance.name ?? host,
      }),
    t('We never ask for a password or a key by mail.'),
  ];
  const links = [
    ...(unsubscribeUrl === undefined ? [] : [{ label: t('Unsubscribe'), url: unsubscribeUrl }]),
    ...instanceLinks(instance, t, publicUrl),
  ];
  const { isFromVisitor, copiedRow } = content;
  const text = [
    ...(facts.length > 0 ? [facts.map((fact) => fact.join(': ')).join('\n')] : []),
    ...intro.map((paragraph) =>
      paragraph.startsWith(QUOTE_PREFIX)
        ? paragraph.replaceAll('\n', `\n${QUOTE_PREFIX}`)
        : paragraph,
    ),
    ...(action && !isFromVisitor ? [action.link] : []),
    ...choices.map(({ title, link }) => `${title}\n${link}`),
    ...(note === undefined ? [] : [note]),
    ...outro,
    ...(textLink ? [`${textLink.label}: ${textLink.link}`] : []),
    // Spreadsheets read tabs as columns.
    ...(copiedRow ? [`${rowTitle(t)}\n${copiedRow.join('\t')}`] : []),
    [
      '-- ',
      ...footerLines,
      ...(line === null ? [] : [line]),
      ...links.map(({ label, url }) => `${label}: ${url.replace('mailto:', '')}`),
    ].join('\n'),
  ];
  const plainMail = {
    from: name ?? host,
    to,
    replyTo,
    unsubscribeUrl,
    id,
    subject: withoutLinkBreaks(subject),
    text: withoutLinkBreaks(`${text.join('\n\n')}\n`),
    isPersonal: isFromVisitor,
  };
  const { top, bottom: bottomColor } = plateColors(instance.color);
  const parts = {
    ...{ ...content, headline, facts, choices, outro, footerLines, line, contact, links },
    plate: content.plate ?? name ?? host,
    color: instance.color === null ? PLATE_COLOR : top,
    bottomColor,
  };
  return { ...plainMail, html: renderMail(parts, t) };
}

import { instanceLinks } from '#contract/shared/instance.ts';
import { QUOTE_PREFIX } from '#contract/shared/mail-quote.ts';
import { plateColors } from '#contract/shared/plate-colors.ts';
import type { InstanceRow } from '#db/queries/instance.ts';
import type { Translator } from '#translations/translator.ts';
import type { Mail, MailContent } from './mail-content.ts';
import { withoutLinkBreaks } from './mail-text.ts';
import { renderMail, rowTitle } from './render-mail.ts';

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

import { z } from 'zod';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import {
  accountName,
  dashboardLink,
  formatTime,
  plateFor,
  preventAutoLinks,
} from '#server/platform/mail/mail-text.ts';
import type { Translator } from '#translations/translator.ts';
import { AlertMessage } from './event-message.ts';

export const alertMail = defineOwnerMail({
  kind: 'alert',
  to: 'keepers',
  schema: OwnerMailData.extend({ alert: AlertMessage }),
  write: ({ name, alert, keptId }, { server, publicUrl, t }) => {
    const project = preventAutoLinks(alert.project, 60);
    const sentences = preventAutoLinks(alert.text, 300).split(/(?<=\.) /);
    const headline = sentences[0]!.replace(/\.$/, '');
    return {
      // Mail programs put mails with the same subject together, so each alert has its own.
      subject: `${project}: ${headline}`,
      headline,
      facts: [[t('Project'), project]],
      intro: sentences,
      action: {
        label: t('View the alert'),
        link: alert.url ?? dashboardLink(publicUrl, 'metrics', { keptId }),
      },
      footer: connectionFooter(server, name, t),
    };
  },
});

export const eventMail = defineOwnerMail({
  kind: 'event',
  to: 'keepers',
  schema: OwnerMailData.extend({ event: z.object({ text: z.string(), url: z.string() }) }),
  write: ({ name, event: { text, url }, requestedAt, timeZone }, { server, t }) => {
    // German dates have a full stop after a digit.
    const [first = '', ...others] = text.split(/(?<=\D\.) /);
    const subject = preventAutoLinks(first.replace(/\.$/, ''), 150);
    return {
      subject,
      // The name in the text: of a member, or the newer of two.
      plate: text.match(/(?<!\S)@[a-z\d-]+/g)?.at(-1) ?? plateFor(name),
      intro: [`${subject}.`, ...others.map((sentence) => preventAutoLinks(sentence, 300))],
      note: formatTime(requestedAt, t, timeZone),
      action: { label: t('Open the dashboard'), link: url },
      footer: connectionFooter(server, name, t),
    };
  },
});

function connectionFooter(server: string, name: string, t: Translator): string {
  return t(
    'This is an automatic message from Nameplate at {server}, through the email connection of {name}.',
    { name: accountName(name), server },
  );
}

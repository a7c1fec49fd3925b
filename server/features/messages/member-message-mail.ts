import { z } from 'zod';
import { contactEmail } from '#contract/shared/web-url.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import { findInstance } from '#db/queries/instance.ts';
import { loadOrSkipMail, recordMessageMail } from '#db/queries/messages.ts';
import { composeMail } from '#server/platform/mail/compose-mail.ts';
import { defineMail, MailData } from '#server/platform/mail/define-mail.ts';
import type { Mail } from '#server/platform/mail/mail-content.ts';
import { writeMail } from '#server/platform/mail/write-mail.ts';
import { translatorFor } from '#server/platform/text/language.ts';

interface MemberMessage {
  address: string;
  subject: string;
  text: string;
  official: boolean;
  unsubscribeUrl: string;
  isTest?: boolean;
  id?: string;
}

export const memberMessageMail = defineMail({
  kind: 'member-message',
  schema: MailData.extend({ recipientId: z.string() }),
  priority: -3,
  // Leaves room for login links within the limits of mail providers, and time to stop a message.
  perMinute: 30,
  load: async (trx, { recipientId }, { publicUrl }): Promise<MemberMessage | undefined> => {
    const message = await loadOrSkipMail(trx, recipientId);
    if (!message) return undefined;
    const unsubscribeUrl = `${publicUrl}/unsubscribe/${message.token}`;
    // Each try has the same id, because some mail programs then show a repeated mail once.
    return { ...message, unsubscribeUrl, id: recipientId.replaceAll('-', '') };
  },
  write: ({ subject, text, official, unsubscribeUrl, isTest, id }, { server, contact, t }) => {
    const address = contactEmail(contact);
    return {
      replyTo: address === null ? undefined : { name: '', address },
      id,
      unsubscribeUrl: official ? undefined : unsubscribeUrl,
      subject: isTest ? `[${t('Test')}] ${subject}` : subject,
      headline: subject,
      intro: splitParagraphs(text),
      footer: official
        ? t(
            'An official notice of {server} to its members. It also goes to members who have unsubscribed from messages.',
            { server },
          )
        : t('Sent by {server} to its members.', { server }),
    };
  },
  attempted: (db, { recipientId }, { failure }) => recordMessageMail(db, recipientId, failure),
});

/** A kind of its own, because servers of 0.2.0 skip members who have unsubscribed. */
export const officialNoticeMail = defineMail({ ...memberMessageMail, kind: 'official-notice' });

/** The mail in the language of the operator. Its link to unsubscribe leads to Settings. */
export async function previewMemberMessage(
  db: ReadDatabase,
  publicUrl: string,
  draft: {
    accountId: string;
    official: boolean;
    subject?: string | undefined;
    text?: string | undefined;
  },
): Promise<Mail> {
  const instance = await findInstance(db);
  const t = translatorFor(await findAccountLanguage(db, draft.accountId));
  const { subject = t('Subject'), text = t('Text') } = draft;
  const unsubscribeUrl = `${publicUrl}/dashboard/settings#messages`;
  const message = { address: '', subject, text, official: draft.official, unsubscribeUrl };
  const content = writeMail(memberMessageMail, message, { publicUrl, instance, t });
  return composeMail(content, instance, t, publicUrl);
}

function splitParagraphs(text: string): string[] {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .split(/\n\s*\n/);
}

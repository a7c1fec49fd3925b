import { EMAIL_PATTERN } from '#contract/email.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import { findInstance, type InstanceRow } from '#db/queries/instance.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { composeMail, type Mail } from '#server/platform/mail/compose-mail.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { writeMail } from '../mails/templates.ts';

/** The contact of the server can also be a URL. */
export function replyAddress({ contact }: Pick<InstanceRow, 'contact'>): string | null {
  return contact !== null && EMAIL_PATTERN.test(contact) ? contact : null;
}

/** The mail in the language of the operator. Its link to unsubscribe leads to Settings. */
export async function previewMessageMail(
  db: ReadDatabase,
  publicUrl: string,
  draft: { accountId: string; subject?: string | undefined; text?: string | undefined },
): Promise<Mail> {
  const instance = await findInstance(db);
  const t = translatorFor(await findAccountLanguage(db, draft.accountId));
  const { subject = t('Subject'), text = t('Text') } = draft;
  const unsubscribeUrl = `${publicUrl}/dashboard/settings#messages`;
  const fields = { address: '', subject, text, contact: replyAddress(instance), unsubscribeUrl };
  const options = { link: publicUrl, instanceName: instance.name, t };
  const content = writeMail({ kind: 'member-message', ...fields }, options);
  return composeMail(content, instance, t, publicUrl);
}

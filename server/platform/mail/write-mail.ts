import type { InstanceRow } from '#db/queries/instance.ts';
import type { MailKind, MailRecipient } from '#server/platform/mail/define-mail.ts';
import type { MailContent } from '#server/platform/mail/mail-content.ts';
import type { Translator } from '#translations/translator.ts';
import { plateFor } from './mail-text.ts';

interface MailOptions {
  publicUrl: string;
  instance: Pick<InstanceRow, 'name' | 'contact'>;
  t: Translator;
}

export function writeMail<Content extends MailRecipient>(
  mail: Pick<MailKind<any, Content>, 'write'>,
  content: Content,
  { publicUrl, instance: { name: instanceName, contact }, t }: MailOptions,
): MailContent {
  const { address: to, accountId, name = null } = content;
  const { host } = new URL(publicUrl);
  const server = instanceName ?? host;
  const text = mail.write(content, { to, server, contact, publicUrl, t });
  // A name such as "Segelclub e.V." already ends the sentence.
  const removeDoubleDot = (sentence: string) =>
    server.endsWith('.') ? sentence.replaceAll(`${server}.`, server) : sentence;
  const { intro, outro = [] } = text;
  return {
    to,
    host,
    // Several accounts can have the same address.
    plate: accountId === undefined ? undefined : plateFor(name),
    ...text,
    intro: intro.map(removeDoubleDot),
    outro: outro.map(removeDoubleDot),
  };
}

import type { Language } from '#contract/shared/languages.ts';
import { findInstance } from '#db/queries/instance.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import type { MailServer } from '#server/platform/mail/settings.ts';
import { MailError } from '#server/platform/mail/smtp-client.ts';
import { composeMail } from '#server/platform/mail/compose-mail.ts';
import type { MailServerStore } from './mail-server-store.ts';
import { writeMail } from './templates.ts';

/** Logs in to the mail server. Resolves to the code of its error, if any. */
export async function verifyMailServer(
  mailServers: MailServerStore,
  server: MailServer,
): Promise<string | undefined> {
  return errorCodeOf((await mailServers.createClient(server)).verify());
}

/** Sends one mail at once, without the queue. Resolves to the code of the error, if any. */
export async function submitTestMail(
  { mailServers }: { mailServers: MailServerStore },
  db: ReadDatabase,
  {
    server,
    to,
    code,
    publicUrl,
    language,
  }: { server: MailServer; to: string; code?: string; publicUrl: string; language: Language },
): Promise<string | undefined> {
  const t = translatorFor(language);
  const instance = await findInstance(db);
  const options = { link: publicUrl, instanceName: instance.name, t };
  const content = writeMail({ kind: 'test', address: to, code }, options);
  const mail = composeMail(content, instance, t, publicUrl);
  return errorCodeOf((await mailServers.createClient(server)).send(mail));
}

function errorCodeOf(attempt: Promise<void>): Promise<string | undefined> {
  return attempt.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof MailError) return error.code;
      throw error;
    },
  );
}

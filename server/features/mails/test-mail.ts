import type { Language } from '#contract/shared/languages.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { findInstance } from '#db/queries/instance.ts';
import type { Core } from '#server/core.ts';
import { composeMail } from '#server/platform/mail/compose-mail.ts';
import type { MailContext } from '#server/platform/mail/define-mail.ts';
import type { MailServerStore } from '#server/platform/mail/mail-server-store.ts';
import type { MailServer } from '#server/platform/mail/settings.ts';
import { MailError } from '#server/platform/mail/smtp-client.ts';
import { writeMail } from '#server/platform/mail/write-mail.ts';
import { translatorFor } from '#server/platform/text/language.ts';

const TEST_MAIL = {
  write: (_data: { address: string }, { server, t }: MailContext) => ({
    subject: t('Test mail from {server}', { server }),
    intro: [
      t('{server} can send mail. This is the test mail that its operator asked for.', { server }),
    ],
    outro: [
      t(
        'If it was in the spam folder, ask the person who looks after the domain of the sender to check its SPF and DKIM records.',
      ),
    ],
    footer: t('Sent by {server} because its operator entered this address.', { server }),
  }),
};

/** Logs in to the mail server. Resolves to the code of its error, if any. */
export async function verifyMailServer(
  mailServers: MailServerStore,
  server: MailServer,
): Promise<string | undefined> {
  return errorCodeOf((await mailServers.createClient(server)).verify());
}

/** Sends one mail at once, without the queue. Resolves to the code of the error, if any. */
export async function submitTestMail(
  { mailServers }: Pick<Core, 'mailServers'>,
  db: ReadDatabase,
  {
    server,
    to,
    publicUrl,
    language,
  }: { server: MailServer; to: string; publicUrl: string; language: Language },
): Promise<string | undefined> {
  const t = translatorFor(language);
  const instance = await findInstance(db);
  const content = writeMail(TEST_MAIL, { address: to }, { publicUrl, instance, t });
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

import type { FastifyBaseLogger } from 'fastify';
import type { Language } from '#contract/shared/languages.ts';
import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { findInstance } from '#db/queries/instance.ts';
import { lockMailJob } from '#db/queries/jobs.ts';
import { isForeignKeyViolation } from '#db/sql-state.ts';
import { JobFailedError } from '#server/platform/jobs/job-queue.ts';
import { composeMail } from '#server/platform/mail/compose-mail.ts';
import type { MailKind, MailRecipient } from '#server/platform/mail/define-mail.ts';
import { MailError } from '#server/platform/mail/smtp-client.ts';
import { writeMail } from '#server/platform/mail/write-mail.ts';
import { createToken, hashToken } from '#server/platform/secrets/token.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import type { MailServerStore } from './mail-server-store.ts';

export interface MailSender {
  config: Config;
  db: Database;
  log: FastifyBaseLogger;
  mailServers: MailServerStore;
}

export async function sendMail<Data extends { language: Language; accountId?: string }>(
  { config, db, log, mailServers }: MailSender,
  mail: MailKind<Data, MailRecipient>,
  data: Data,
  jobId: string,
): Promise<void> {
  await mailServers.refresh();
  if (!mailServers.current) throw new JobFailedError('There is no mail server.');
  const smtp = await mailServers.createClient(mailServers.current);
  const instance = await findInstance(db);
  const { PUBLIC_URL: publicUrl = '' } = config;
  const token = createToken();
  const tokenHash = hashToken(token);
  const load = mail.load ?? (async () => data as Data & MailRecipient);
  const content = await inTransaction(db, async (trx) =>
    (await lockMailJob(trx, jobId))
      ? load(trx, data, { config, instance, publicUrl, token, tokenHash })
      : undefined,
  ).catch((error: unknown) => {
    // The account was deleted.
    if (isForeignKeyViolation(error)) return undefined;
    throw error;
  });
  if (!content) return;
  let failure: MailError | undefined;
  try {
    const t = translatorFor(data.language);
    const text = writeMail(mail, content, { publicUrl, instance, t });
    await smtp.send(composeMail(text, instance, t, publicUrl));
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    failure = error;
    const fields = { kind: mail.kind, accountId: data.accountId, code: error.code };
    log.warn(fields, 'a mail could not be sent');
  }
  await mail.attempted?.(db, data, { tokenHash, failure });
  if (failure && !failure.isPermanent) throw new JobFailedError(failure.message);
}

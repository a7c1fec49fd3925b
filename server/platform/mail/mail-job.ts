import { z } from 'zod';
import { defineJob } from '#server/platform/jobs/define-job.ts';
import type { MailKind } from '#server/platform/mail/define-mail.ts';
import type { MailSender } from './send-mail.ts';

const WEEK_S = 604_800;
/** Servers of 0.3 can leave mails of these kinds. */
const REMOVED_KINDS = new Set(['listing']);

type MailServices = MailSender & {
  features: { mails: ReadonlyMap<string, MailKind> };
  outbox: { readonly isAvailable: boolean };
};

export const mailJob = defineJob({
  kind: 'mail',
  /** The kind and the data of a mail. */
  schema: z.looseObject({ kind: z.string() }),
  workers: 3,
  batchSize: 5,
  // Often, because people wait for login links.
  pollSeconds: 0.5,
  expireSeconds: 60,
  giveUpSeconds: WEEK_S,
  isNeeded: ({ outbox }: MailServices) => outbox.isAvailable,
  run: async (app: MailServices, { kind, ...data }, { id }) => {
    const mail = app.features.mails.get(kind);
    if (!mail && REMOVED_KINDS.has(kind)) return;
    // A newer server has added it, and sends it later.
    if (!mail) throw new Error(`unknown kind of mail: ${kind}`);
    // Loads the SMTP client only if mail is configured.
    const { sendMail } = await import('./send-mail.ts');
    await sendMail(app, mail, mail.schema.parse(data), id);
  },
});

import { z } from 'zod';
import { LANGUAGES } from '#contract/languages.ts';
import { defineJob } from '../jobs/define-job.ts';

const WEEK_S = 604_800;

const Mail = z.object({ language: z.enum(LANGUAGES) });
/** The link in a mail is created when the mail is sent. */
const QueuedMail = z.discriminatedUnion('kind', [
  Mail.extend({
    kind: z.enum(['login', 'key', 'passkey', 'identity', 'deletion', 'alert', 'report', 'message']),
    accountId: z.string(),
    address: z.string(),
    /** The name of the account, key, provider or reported page, or an alert or visitor's message as JSON. */
    detail: z.string(),
    requestedAt: z.string(),
  }),
  Mail.extend({
    kind: z.enum(['confirmation', 'change']),
    accountId: z.string(),
    destinationId: z.string(),
    address: z.string(),
    /** Display name, or the account's id if it has none. */
    name: z.string(),
    /** Otherwise, the address is only for login links and notices. */
    isForwarding: z.boolean(),
  }),
  Mail.extend({ kind: z.literal('sign-up'), signUpId: z.string() }),
  Mail.extend({ kind: z.literal('invitation'), invitationId: z.string() }),
]);
export type QueuedMail = z.infer<typeof QueuedMail>;

export const mailJob = defineJob({
  kind: 'mail',
  schema: QueuedMail,
  workers: 3,
  batchSize: 5,
  // Often, because people wait for login links.
  pollSeconds: 0.5,
  expireSeconds: 60,
  giveUpSeconds: WEEK_S,
  // Loads the SMTP client only if mail is configured.
  isNeeded: ({ outbox }) => outbox.isAvailable,
  // Loads the SMTP client only if mail is configured.
  run: async (app, mail, { id }) => (await import('./send-mail.ts')).sendMail(app, mail, id),
});

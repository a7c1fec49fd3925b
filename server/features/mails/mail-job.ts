import { z } from 'zod';
import { BACKUP_ERRORS } from '#contract/shared/backup-errors.ts';
import { LANGUAGES } from '#contract/shared/languages.ts';
import { REPORT_REASONS } from '#contract/shared/report-reasons.ts';
import { AlertMessage } from '../alerts/alert-message.ts';
import { defineJob } from '#server/platform/jobs/define-job.ts';
import type { Outbox } from './outbox.ts';
import type { MailSender } from './send-mail.ts';

const WEEK_S = 604_800;

export type VisitorMessage = z.infer<typeof VisitorMessage>;
const VisitorMessage = z.object({
  page: z.string(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
});

const Mail = z.object({ language: z.enum(LANGUAGES) });
const OwnerMail = Mail.extend({
  accountId: z.string(),
  address: z.string(),
  /** Display name, or the email address if there is none. */
  name: z.string(),
  requestedAt: z.string(),
});

/** The link in a mail is created when the mail is sent. */
const QueuedMail = z.discriminatedUnion('kind', [
  OwnerMail.extend({
    kind: z.literal('login'),
    /** Other accounts with this address. */
    others: z.array(z.object({ accountId: z.string(), name: z.string().nullable() })).default([]),
    /** Names of accounts with this address that get no link. */
    suspended: z.array(z.string()).default([]),
  }),
  OwnerMail.extend({ kind: z.literal('passkey') }),
  OwnerMail.extend({
    kind: z.literal('deletion'),
    /** Name of the operator who deleted it, null without a name. Undefined for the owner. */
    by: z.string().nullish(),
  }),
  OwnerMail.extend({ kind: z.literal('key'), key: z.string() }),
  OwnerMail.extend({ kind: z.literal('identity'), provider: z.string() }),
  OwnerMail.extend({ kind: z.literal('link'), by: z.string().nullable() }),
  OwnerMail.extend({
    kind: z.literal('suspension'),
    reason: z.string().nullable(),
    pageOnly: z.boolean(),
  }),
  OwnerMail.extend({ kind: z.literal('resumption'), pageOnly: z.boolean() }),
  OwnerMail.extend({
    kind: z.literal('report'),
    page: z.string(),
    reason: z.enum(REPORT_REASONS),
    text: z.string(),
  }),
  OwnerMail.extend({ kind: z.literal('backup'), error: z.enum(BACKUP_ERRORS), folder: z.string() }),
  OwnerMail.extend({
    kind: z.literal('operator'),
    /** Name of the operator who changed it, if any, and of the member. */
    by: z.string().nullable(),
    member: z.string(),
    memberId: z.string(),
    isOperator: z.boolean(),
  }),
  OwnerMail.extend({
    kind: z.literal('group'),
    /** The group address. */
    group: z.string(),
    /** Name of the operator who added or removed the member. */
    by: z.string().nullable(),
    isRemoved: z.boolean(),
    /** Whether the address was deleted. */
    isDeleted: z.boolean().optional(),
    /** The former address, after a rename. */
    from: z.string().optional(),
  }),
  OwnerMail.extend({
    kind: z.literal('reader'),
    /** The group address of a reader who left or whose account was deleted. */
    group: z.string(),
    /** Display name or outside address. Null for a member without a name. */
    reader: z.string().nullable(),
    isDeleted: z.boolean(),
    /** Whether it was the last one. */
    isUnread: z.boolean(),
  }),
  OwnerMail.extend({ kind: z.literal('alert'), alert: AlertMessage }),
  OwnerMail.extend({
    kind: z.literal('event'),
    event: z.object({ text: z.string(), url: z.string() }),
  }),
  OwnerMail.extend({ kind: z.literal('message'), message: VisitorMessage }),
  OwnerMail.omit({ requestedAt: true }).extend({
    kind: z.enum(['confirmation', 'change']),
    destinationId: z.string(),
    /** Otherwise, the address is only for login links and notices. */
    isForwarding: z.boolean(),
    /** For a change to another address: whether that one has to be confirmed first. */
    waits: z.boolean().optional(),
    /** Name of the operator who changed it, if any. */
    operator: z.string().nullish(),
  }),
  Mail.extend({
    kind: z.literal('recipient'),
    recipientId: z.string(),
    by: z.string().nullable(),
    /** The former address, after a rename. */
    from: z.string().optional(),
    /** A reader who was removed, so that the row is gone. */
    removed: z
      .object({ address: z.string(), group: z.string(), isDeleted: z.boolean().optional() })
      .optional(),
  }),
  Mail.extend({ kind: z.literal('sign-up'), signUpId: z.string() }),
  Mail.extend({ kind: z.literal('invitation'), invitationId: z.string() }),
  Mail.extend({ kind: z.literal('member-message'), recipientId: z.string() }),
]);
export type QueuedMail = z.infer<typeof QueuedMail>;
export type OwnerMail = Extract<QueuedMail, { requestedAt: string }>;
export type OperatorMail = OmitAddress<
  Extract<OwnerMail, { kind: 'report' | 'backup' | 'operator' | 'reader' }>
>;
type OmitAddress<Mail> = Mail extends OwnerMail
  ? Omit<Mail, keyof z.infer<typeof OwnerMail>>
  : never;
export type DestinationMail = Extract<QueuedMail, { destinationId: string }>;

type MailServices = MailSender & { outbox: Outbox };

export const mailJob = defineJob({
  kind: 'mail',
  schema: QueuedMail,
  workers: 3,
  batchSize: 5,
  // Often, because people wait for login links.
  pollSeconds: 0.5,
  expireSeconds: 60,
  giveUpSeconds: WEEK_S,
  isNeeded: ({ outbox }: MailServices) => outbox.isAvailable,
  // Loads the SMTP client only if mail is configured.
  run: async (app: MailServices, mail, { id }) =>
    (await import('./send-mail.ts')).sendMail(app, mail, id),
});

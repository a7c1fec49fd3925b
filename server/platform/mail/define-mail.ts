import { z } from 'zod';
import { LANGUAGES } from '#contract/shared/languages.ts';
import type { Executor, Transaction } from '#db/connections/handles.ts';
import type { InstanceRow } from '#db/queries/instance.ts';
import type { OwnerMailKind } from '#db/queries/owner-mails.ts';
import type { MailContent } from '#server/platform/mail/mail-content.ts';
import type { MailError } from '#server/platform/mail/smtp-client.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { Translator } from '#translations/translator.ts';

export const MailData = z.object({ language: z.enum(LANGUAGES) });

/** `outbox.mailOwner` adds these fields, except for the account. */
export type OwnerMailData = z.infer<typeof OwnerMailData>;
export const OwnerMailData = MailData.extend({
  accountId: z.string(),
  address: z.string(),
  /** Display name, or the email address if there is none. */
  name: z.string(),
  requestedAt: z.string(),
  /** Jobs of 0.2.0 have none. */
  timeZone: z.string().nullish(),
  /** The account, if the mail goes to the keeper who owns it. */
  keptId: z.string().nullish(),
});

export interface MailKind<Data extends object = any, Content extends MailRecipient = any> {
  kind: string;
  /** Data of the job. Jobs of the previous version must fit, too. */
  schema: z.ZodType<Data>;
  /** Mails with a higher priority are sent first. Default: 0. */
  priority?: number;
  /** Default: without limit. */
  perMinute?: number;
  /** A new mail replaces a waiting one with the same key, because only the newest link works. */
  key?: (data: Data) => string;
  /**
   * Runs when the mail is sent. Resolves to undefined if it is no longer wanted. Creates links here, so
   * that the database stores only hashes of their tokens. Default: the data of the job.
   */
  load?: (trx: Transaction, data: Data, sending: Sending) => Promise<Content | undefined>;
  write: (content: Content, context: MailContext) => Omit<MailContent, 'to' | 'host'>;
  /** Called after each attempt. */
  attempted?: (db: Executor, data: Data, attempt: MailAttempt) => Promise<void>;
}

/** A mail to the owner of an account. */
export interface OwnerMail<
  Data extends OwnerMailData = any,
  Content extends MailRecipient = any,
> extends MailKind<Data, Content> {
  /**
   * `keepers`: everybody who looks after the account; `person`: the account itself or, if a keeper
   * owns it, that one; `inbox`: where mail to the account goes.
   */
  to: 'keepers' | 'person' | 'operators' | 'inbox';
  /** Mails with the same kind of limit share it. Default: its own kind. */
  limitKind: OwnerMailKind;
  /** Over the limit, one mail is sent for all of them at the end of the hour. */
  isSummedUp?: boolean;
}

export interface MailRecipient {
  address: string;
  accountId?: string;
  name?: string | null;
}

interface Sending {
  config: Config;
  instance: InstanceRow;
  publicUrl: string;
  /** For a link in the mail. */
  token: string;
  tokenHash: Buffer;
}

interface MailAttempt {
  tokenHash: Buffer;
  failure: MailError | undefined;
}

export interface MailContext {
  to: string;
  /** Name of the installation, or else its host. */
  server: string;
  /** Contact of the installation. */
  contact: string | null;
  publicUrl: string;
  t: Translator;
}

export function defineMail<
  Data extends object,
  Content extends MailRecipient = Data & MailRecipient,
>(mail: MailKind<Data, Content>): MailKind<Data, Content> {
  return mail;
}

export function defineOwnerMail<Data extends OwnerMailData, Content extends MailRecipient = Data>(
  mail: Omit<OwnerMail<Data, Content>, 'kind' | 'limitKind'> &
    ({ kind: OwnerMailKind; limitKind?: undefined } | { kind: string; limitKind: OwnerMailKind }),
): OwnerMail<Data, Content> {
  return { ...mail, limitKind: mail.limitKind === undefined ? mail.kind : mail.limitKind };
}

import { setInterval } from 'node:timers';
import { z } from 'zod';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { findMailServers } from '#db/queries/instance.ts';
import {
  type MailServer,
  mailServerFromSettings,
  type MailSettings,
} from '#server/platform/mail/settings.ts';
import type { ResolveMailServer, SmtpClient } from '#server/platform/mail/smtp-client.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';

/** How long a change on another server may stay unseen. */
const REFRESH_MS = 3_000;

const StoredMailServer = z.object({
  host: z.string(),
  port: z.number(),
  security: z.enum(['tls', 'starttls']),
  user: z.string(),
  password: z.string(),
  sender: z.string(),
});
export type StoredMailServer = z.infer<typeof StoredMailServer>;

const PendingMailServer = StoredMailServer.extend({
  email: z.string(),
  code: z.string(),
  expiresAt: z.iso.datetime(),
});
export type PendingMailServer = z.infer<typeof PendingMailServer>;

interface StoreOptions {
  config: MailSettings;
  /** Undefined if the database cannot be used. */
  readDb: ReadDatabase | undefined;
  secretBox: SecretBox | undefined;
  /** Finds the address of a mail server that an operator entered. */
  resolve?: ResolveMailServer | undefined;
}

/** The mail server of `SMTP_URL`, or else the one that operators connected, cached. */
export class MailServerStore {
  readonly #options: StoreOptions;
  #timer: NodeJS.Timeout | undefined;
  readonly isFromEnvironment: boolean;
  /** Undefined if there is none, it cannot be read, or links in mails would have no address. */
  current: MailServer | undefined;
  /** A stored mail server is encrypted with another key. */
  isUnreadable = false;
  /** Called when there is a mail server, and when it has changed. */
  onAvailable: (() => void) | undefined;
  #sealed: Buffer | null | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.current = mailServerFromSettings(options.config);
    this.isFromEnvironment = this.current !== undefined;
  }

  /** Reads the mail server, and from then on notices changes by other servers. */
  async refresh(): Promise<void> {
    const { config, readDb } = this.#options;
    if (this.isFromEnvironment || !readDb) return;
    const { encrypted_mail_server: sealed = null } = await findMailServers(readDb);
    // Starts after the first read, which fails until the database is migrated.
    this.#timer ??= setInterval(() => void this.refresh().catch(() => {}), REFRESH_MS).unref();
    if (sealed === null ? this.#sealed === null : this.#sealed?.equals(sealed)) return;
    this.#sealed = sealed;
    const server = sealed ? this.#open(sealed, StoredMailServer) : undefined;
    this.isUnreadable = sealed !== null && !server;
    this.current = config.PUBLIC_URL === undefined ? undefined : server;
    if (this.current) this.onAvailable?.();
  }

  async findStored(db: ReadDatabase) {
    const row = await findMailServers(db);
    const { encrypted_mail_server: sealed = null, encrypted_pending_mail_server: waiting } = row;
    const pending = waiting ? this.#open(waiting, PendingMailServer) : undefined;
    return {
      isStored: sealed !== null,
      server: sealed ? this.#open(sealed, StoredMailServer) : undefined,
      pending: pending && Date.parse(pending.expiresAt) > Date.now() ? pending : undefined,
    };
  }

  /** Undefined without an encryption key. */
  seal(server: StoredMailServer | PendingMailServer): Buffer | undefined {
    return this.#options.secretBox?.seal(JSON.stringify(server), MAIL_SERVER_CONTEXT);
  }

  #open<Server>(sealed: Buffer, schema: z.ZodType<Server>): Server | undefined {
    const text = this.#options.secretBox?.open(sealed, MAIL_SERVER_CONTEXT);
    return text === undefined ? undefined : schema.safeParse(JSON.parse(text)).data;
  }

  /** Loads Nodemailer, which servers without mail do not need. */
  async createClient(server: MailServer): Promise<SmtpClient> {
    const { config, resolve } = this.#options;
    const smtp = await import('#server/platform/mail/smtp-client.ts');
    const find = this.isFromEnvironment ? undefined : (resolve ?? smtp.resolvePublicMailServer);
    return smtp.createSmtpClient(server, config, find);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

export const MAIL_SERVER_CONTEXT = 'instance mail_server';

import { z } from 'zod';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { findMailServer } from '#db/queries/instance.ts';
import {
  type MailServer,
  mailServerFromSettings,
  type MailSettings,
} from '#server/platform/mail/settings.ts';
import type { ResolveMailServer, SmtpClient } from '#server/platform/mail/smtp-client.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';

const StoredMailServer = z.object({
  host: z.string(),
  port: z.number(),
  security: z.enum(['tls', 'starttls']),
  user: z.string(),
  password: z.string(),
  sender: z.string(),
});
export type StoredMailServer = z.infer<typeof StoredMailServer>;

interface StoreOptions {
  config: MailSettings;
  /** Undefined if the database cannot be used. */
  readDb: ReadDatabase | undefined;
  secretBox: SecretBox | undefined;
  /** Finds the address of a stored mail server. */
  resolve?: ResolveMailServer | undefined;
}

/**
 * The mail server of `SMTP_URL`, or else the one that an operator connected in the dashboard of 0.3,
 * cached. 0.5.0 no longer reads the latter, and drops `encrypted_mail_server` and the unused
 * `encrypted_pending_mail_server` of the table `instance`.
 */
export class MailServerStore {
  readonly #options: StoreOptions;
  readonly isFromEnvironment: boolean;
  /** Undefined if there is none, it cannot be read, or links in mails would have no address. */
  current: MailServer | undefined;
  /** A stored mail server is encrypted with another key. */
  isUnreadable = false;
  /** Called when a stored mail server has been read. */
  onAvailable: (() => void) | undefined;
  #encrypted: Buffer | null | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.current = mailServerFromSettings(options.config);
    this.isFromEnvironment = this.current !== undefined;
  }

  /** Reads the stored mail server, which another server or a command may have deleted. */
  async refresh(): Promise<void> {
    const { config, readDb } = this.#options;
    if (this.isFromEnvironment || !readDb) return;
    const encrypted = await findMailServer(readDb);
    if (encrypted === null ? this.#encrypted === null : this.#encrypted?.equals(encrypted)) return;
    this.#encrypted = encrypted;
    const server = encrypted ? this.decrypt(encrypted) : undefined;
    this.isUnreadable = encrypted !== null && !server;
    this.current = config.PUBLIC_URL === undefined ? undefined : server;
    if (this.current) this.onAvailable?.();
  }

  /** The stored mail server is being deleted. If that fails, the next `refresh` reads it again. */
  forget(): void {
    if (this.isFromEnvironment) return;
    this.#encrypted = null;
    this.isUnreadable = false;
    this.current = undefined;
  }

  /** Undefined if it is encrypted with another key. */
  decrypt(encrypted: Buffer): StoredMailServer | undefined {
    const text = this.#options.secretBox?.open(encrypted, MAIL_SERVER_CONTEXT);
    return text === undefined ? undefined : StoredMailServer.safeParse(JSON.parse(text)).data;
  }

  /** Loads Nodemailer, which servers without mail do not need. */
  async createClient(server: MailServer): Promise<SmtpClient> {
    const { config, resolve } = this.#options;
    const smtp = await import('#server/platform/mail/smtp-client.ts');
    const find = this.isFromEnvironment ? undefined : (resolve ?? smtp.resolvePublicMailServer);
    return smtp.createSmtpClient(server, config, find);
  }
}

export const MAIL_SERVER_CONTEXT = 'instance mail_server';

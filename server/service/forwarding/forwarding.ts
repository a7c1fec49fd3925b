import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../../db/schema.ts';
import { databaseForwarding } from './database-forwarding.ts';
import type { ForwardingService } from './service.ts';
import type { ForwardingSettings } from './settings.ts';
import type { Timing } from './timing.ts';

export interface ForwardingOptions {
  config: ForwardingSettings & {
    MAIL_DOMAIN: string;
    MAIL_FROM?: string | undefined;
    PUBLIC_URL?: string | undefined;
    SMTP_URL?: string | undefined;
  };
  db: Kysely<Database>;
  /** The same database, for the jobs. */
  url: string;
  logger: Pick<FastifyBaseLogger, 'warn'>;
  timing?: Partial<Timing>;
}

/** The forwarding that the settings choose. Nothing is called or connected until it is opened. */
export async function createForwarding(options: ForwardingOptions): Promise<ForwardingService> {
  const { EMAIL_FORWARDING_PROVIDER: name, SMTP_URL: smtpUrl } = options.config;
  if ((name === 'none' || name === 'postfix') && smtpUrl === undefined)
    return databaseForwarding(name, options.db);
  // A start without work to do for mail does not wait for the job queue and its clients.
  const { createJobForwarding } = await import('./job-forwarding.ts');
  return createJobForwarding(options);
}

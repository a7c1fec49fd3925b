import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../../db/schema.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
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
  jobs: JobQueue;
  logger: Pick<FastifyBaseLogger, 'warn'>;
  timing?: Partial<Timing>;
}

import type { PGlite } from '@electric-sql/pglite';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../../db/schema.ts';
import type { Config } from '../config.ts';
import { cloudflare } from './cloudflare.ts';
import { forwardEmail } from './forward-email.ts';
import { improvmx } from './improvmx.ts';
import { databaseForwarding } from './none.ts';
import type { Provider } from './provider.ts';
import { providerForwarding } from './provider-forwarding.ts';
import type { JobDatabase } from './queue.ts';
import type { ForwardingService } from './service.ts';
import { TIMING, type Timing } from './timing.ts';

/** The forwarding that the settings choose. Nothing is called or connected until it is opened. */
export function createForwarding(options: {
  config: Config;
  db: Kysely<Database>;
  /** The embedded database; without it the jobs are on the PostgreSQL server of `DATABASE_URL`. */
  pglite?: PGlite | undefined;
  logger: Pick<FastifyBaseLogger, 'warn'>;
  timing?: Partial<Timing>;
}): ForwardingService {
  const { config, db, pglite, logger, timing } = options;
  const { EMAIL_FORWARDING_PROVIDER: name } = config;
  if (name === 'none' || name === 'postfix') return databaseForwarding(name, db);
  return providerForwarding({
    name,
    provider: createProvider(name, config),
    db,
    jobs: findJobDatabase(config, pglite),
    timing: { ...TIMING, ...timing },
    logger,
  });
}

function createProvider(
  name: 'improvmx' | 'forward-email' | 'cloudflare',
  config: Config,
): Provider {
  const { MAIL_DOMAIN: mailDomain } = config;
  switch (name) {
    case 'improvmx':
      return improvmx({
        apiKey: required(config.IMPROVMX_API_KEY),
        baseUrl: config.IMPROVMX_BASE_URL,
        mailDomain,
      });
    case 'forward-email':
      return forwardEmail({
        apiKey: required(config.FORWARD_EMAIL_API_KEY),
        baseUrl: config.FORWARD_EMAIL_BASE_URL,
        mailDomain,
      });
    case 'cloudflare':
      return cloudflare({
        apiToken: required(config.CLOUDFLARE_API_TOKEN),
        zoneId: required(config.CLOUDFLARE_ZONE_ID),
        accountId: required(config.CLOUDFLARE_ACCOUNT_ID),
        baseUrl: config.CLOUDFLARE_BASE_URL,
        mailDomain,
      });
  }
}

function findJobDatabase({ DATABASE_URL }: Config, pglite: PGlite | undefined): JobDatabase {
  return pglite ? { pglite } : { connectionString: required(DATABASE_URL) };
}

/** The settings were checked when they were loaded. */
function required(value: string | undefined): string {
  if (value === undefined) throw new Error('a setting of the forwarding provider is missing');
  return value;
}

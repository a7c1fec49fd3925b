import type { PGlite } from '@electric-sql/pglite';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../../db/schema.ts';
import { cloudflare } from './cloudflare.ts';
import { forwardEmail } from './forward-email.ts';
import { improvmx } from './improvmx.ts';
import { databaseForwarding } from './database-forwarding.ts';
import type { Provider } from './provider.ts';
import { providerForwarding } from './provider-forwarding.ts';
import type { JobDatabase } from './queue.ts';
import type { ForwardingService } from './service.ts';
import type { ForwardingSettings } from './settings.ts';
import { TIMING, type Timing } from './timing.ts';

/** What forwarding needs of the settings. */
type Config = ForwardingSettings & { MAIL_DOMAIN: string; DATABASE_URL?: string | undefined };

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
  const provider = createProvider(config);
  if (!provider) return databaseForwarding(name, db);
  return providerForwarding({
    name,
    provider,
    db,
    jobs: findJobDatabase(config, pglite),
    timing: { ...TIMING, ...timing },
    logger,
  });
}

/** The provider to call; undefined where the database is all there is. */
function createProvider(config: Config): Provider | undefined {
  const { MAIL_DOMAIN: mailDomain } = config;
  switch (config.EMAIL_FORWARDING_PROVIDER) {
    case 'none':
    case 'postfix':
      return undefined;
    case 'improvmx':
      return improvmx({
        apiKey: config.IMPROVMX_API_KEY,
        baseUrl: config.IMPROVMX_BASE_URL,
        mailDomain,
      });
    case 'forward-email':
      return forwardEmail({
        apiKey: config.FORWARD_EMAIL_API_KEY,
        baseUrl: config.FORWARD_EMAIL_BASE_URL,
        mailDomain,
      });
    case 'cloudflare':
      return cloudflare({
        apiToken: config.CLOUDFLARE_API_TOKEN,
        zoneId: config.CLOUDFLARE_ZONE_ID,
        accountId: config.CLOUDFLARE_ACCOUNT_ID,
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

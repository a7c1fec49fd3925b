import type { Kysely } from 'kysely';
import { noteProviderDestination } from '../../../db/queries/forwarding/provider-destinations.ts';
import type { Database } from '../../../db/schema.ts';
import { cloudflare } from './cloudflare.ts';
import { forwardEmail } from './forward-email.ts';
import { improvmx } from './improvmx.ts';
import { createMailer } from '../mail/mailer.ts';
import { confirmedForwarding } from './confirmed-forwarding.ts';
import { databaseForwarding } from './database-forwarding.ts';
import type { Provider } from './provider.ts';
import { providerForwarding } from './provider-forwarding.ts';
import type { ForwardingService } from './service.ts';
import type { ForwardingOptions } from './options.ts';
import { TIMING } from './timing.ts';

/** Forwarding with work to do for it: a provider to call, mails to send, or both. */
export function createJobForwarding({
  config,
  db,
  jobs,
  logger,
  timing: chosen,
}: ForwardingOptions): ForwardingService {
  const { EMAIL_FORWARDING_PROVIDER: name, SMTP_URL: smtpUrl } = config;
  const provider = createProvider(config, db);
  const timing = { ...TIMING, ...chosen };
  const forwarding = provider
    ? providerForwarding({ name, provider, db, jobs, timing, logger })
    : databaseForwarding(name, db);
  if (smtpUrl === undefined) return forwarding;
  const from = config.MAIL_FROM ?? `no-reply@${config.MAIL_DOMAIN}`;
  const work = {
    db,
    mailer: createMailer({ url: smtpUrl, from }),
    logger,
    mailDomain: config.MAIL_DOMAIN,
    publicUrl: config.PUBLIC_URL ?? '',
  };
  return confirmedForwarding(forwarding, jobs, work);
}

/** The provider to call; undefined where the database is all there is. */
function createProvider(
  config: ForwardingOptions['config'],
  db: Kysely<Database>,
): Provider | undefined {
  const { MAIL_DOMAIN: mailDomain } = config;
  switch (config.EMAIL_FORWARDING_PROVIDER) {
    case 'none':
    case 'postfix':
      return undefined;
    case 'improvmx':
      return improvmx({
        apiKey: config.IMPROVMX_API_KEY,
        baseUrl: config.FORWARDING_API_URL,
        mailDomain,
      });
    case 'forward-email':
      return forwardEmail({
        apiKey: config.FORWARD_EMAIL_API_KEY,
        baseUrl: config.FORWARDING_API_URL,
        mailDomain,
      });
    case 'cloudflare':
      return cloudflare({
        apiToken: config.CLOUDFLARE_API_TOKEN,
        zoneId: config.CLOUDFLARE_ZONE_ID,
        accountId: config.CLOUDFLARE_ACCOUNT_ID,
        baseUrl: config.FORWARDING_API_URL,
        mailDomain,
        noteDestination: (email) => noteProviderDestination(db, email),
      });
  }
}

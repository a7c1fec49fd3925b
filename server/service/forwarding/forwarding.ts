import { databaseForwarding } from './database-forwarding.ts';
import type { ForwardingOptions } from './options.ts';
import type { ForwardingService } from './service.ts';

/** The forwarding that the settings choose. Nothing is called before `work`. */
export async function createForwarding(options: ForwardingOptions): Promise<ForwardingService> {
  const { EMAIL_FORWARDING_PROVIDER: name, SMTP_URL: smtpUrl } = options.config;
  if ((name === 'none' || name === 'postfix') && smtpUrl === undefined)
    return databaseForwarding(name, options.db);
  // A start without work to do for mail does not wait for the job queue and its clients.
  const { createJobForwarding } = await import('./job-forwarding.ts');
  return createJobForwarding(options);
}

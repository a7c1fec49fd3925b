import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Instruments } from '../http/instruments.ts';
import { allowancesFromConfig } from '../limits/allowances/allowances.ts';
import { createChatService } from '../features/chat/chat-service.ts';
import { DEFAULT_WEBHOOK_HOSTS } from '../features/chat/chat-client.ts';
import { createCustomDomainsFromConfig } from '../features/domains/custom-domains.ts';
import type { Config } from '../settings/config.ts';
import type { OpenDatabase } from '../database.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { createOutbox } from '../mail/outbox.ts';
import { loadOrCreateEncryptionKey, createSecretBox } from '../secret-box.ts';
import { createPageFetcher } from '../features/page-import/page-fetcher.ts';
import type { ForwardingService } from '../features/forwarding/forwarding.ts';
import { Authentication } from '../features/sessions/authentication.ts';
import { createSignOn } from '../features/sign-on/sign-on.ts';
import { InstanceStore } from '../features/instance/instance-store.ts';
import { createReservedNameCheck } from '../features/names/reserved-names.ts';
import { buildApp } from '../app.ts';
import { registerJobs } from './register-jobs.ts';

export interface NameplateServer {
  /** Listens, even before the database is available. */
  listen: () => Promise<AddressInfo>;
  /** Finishes in-flight requests and stops. */
  close: () => Promise<void>;
}

/** Slows bursts down. The limit that callers see is CHAT_MESSAGES_PER_MINUTE. */
const CHAT_MESSAGES_PER_SECOND = 10;
/** Each new address costs a confirmation mail and a rule at the forwarding provider. */
const FORWARDING_ADDRESSES_PER_DAY = 3;
/** Per network. Applies separately to requests for login links. */
const REFUSED_LOGINS_PER_10_MINUTES = 10;
/** Per network. High, because many people can share one address. */
const SIGN_ONS_PER_MINUTE = 60;
/** Per network, to prevent guessing display names. */
const UNKNOWN_PAGES_PER_MINUTE = 200;
/** Per network. A whole school class may share one. */
const CLICKS_PER_MINUTE = 300;
/** Per network. Enough for a fast typist. */
const NAME_CHECKS_PER_MINUTE = 60;
const REPORTS_PER_HOUR = 10;
/** Per network. Enough for a correction, but too few to hide reports by others. */
const PAGE_REPORTS_PER_DAY = 3;
/** Per network. People behind one address share it, and the owner's mailbox is limited, too. */
const MESSAGES_PER_HOUR = 5;
const PAGE_MESSAGES_PER_DAY = 10;
/** Per network. Further views are not counted. */
const PAGE_VIEWS_PER_HOUR = 30;
/**
 * New pages are kept out of search engines for this long, so that spam pages are not worthwhile.
 */
const NOINDEX_DAYS = 7;

/** An OpenTelemetry SDK that the operator preloads registers itself here. */
const OPENTELEMETRY = Symbol.for('opentelemetry.js.api.1');

/** Creates the HTTP server and registers the job handlers. */
export async function createNameplateServer({
  config,
  database,
  jobs,
  forwarding,
  logger,
  isReady,
  instruments,
}: {
  config: Config;
  database: OpenDatabase;
  jobs: JobQueue;
  forwarding: ForwardingService;
  logger: Logger;
  /** While false, `/readyz` fails and responses close their connections. */
  isReady: () => boolean;
  instruments: Instruments | undefined;
}): Promise<NameplateServer> {
  const { db, readDb, queues } = database;
  const tracing = OPENTELEMETRY in globalThis && (await import('./tracing.ts')).startTracing();
  const outbox = createOutbox(jobs, config);
  // Loads the SMTP client only if mail is configured.
  if (outbox.isAvailable)
    (await import('../mail/send-mail.ts')).registerMailJob(jobs, { config, db, logger });
  const trustsAccounts = config.TRUST_ACCOUNTS === 'true';
  const webhookHosts = config.CHAT_WEBHOOK_HOSTS ?? DEFAULT_WEBHOOK_HOSTS;
  const chat = createChatService({
    logger,
    hosts: webhookHosts,
    sendLimits: {
      perSecond: config.CHAT_MESSAGES_PER_MINUTE === 0 ? 0 : CHAT_MESSAGES_PER_SECOND,
      perMinute: config.CHAT_MESSAGES_PER_MINUTE,
    },
  });
  const encryptionKey = await loadOrCreateEncryptionKey(config, database.dataDir);
  const secretBox =
    encryptionKey === undefined ? undefined : createSecretBox(Buffer.from(encryptionKey, 'hex'));
  const allowances = allowancesFromConfig(config);
  const pageFetcher = createPageFetcher();
  const signOn = createSignOn(config);
  const authentication = new Authentication(database, (error) => logger.error(error));
  const customDomains = createCustomDomainsFromConfig(config, { db, readDb, allowances });
  registerJobs({
    config,
    db,
    metricReadQueue: queues.metricReads,
    jobs,
    forwarding,
    outbox,
    chat,
    webhookHosts,
    secretBox,
    customDomains,
    eventLimit: allowances.eventLimit,
    logger,
  });
  const app = await buildApp({
    db,
    readDb,
    queues,
    instanceStore: new InstanceStore(readDb),
    authentication,
    logger,
    jobs,
    forwarding,
    outbox,
    chat,
    webhookHosts,
    secretBox,
    setup: config,
    pageFetcher,
    signOn,
    customDomains,
    isReserved: createReservedNameCheck(config),
    mailDomain: config.MAIL_DOMAIN,
    refusedDomains: config.FORWARDING_REFUSED_DOMAINS,
    destinationsPerDay: trustsAccounts ? 0 : FORWARDING_ADDRESSES_PER_DAY,
    quarantineDays: config.NAME_QUARANTINE_DAYS,
    signUpMode: config.REGISTRATION,
    signUpRefusedDomains: config.REGISTRATION_REFUSED_DOMAINS,
    allowances,
    rateLimitOptions: {
      requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
      refusedLogins: REFUSED_LOGINS_PER_10_MINUTES,
      missingPagesPerMinute: UNKNOWN_PAGES_PER_MINUTE,
      clicksPerMinute: CLICKS_PER_MINUTE,
      signOnsPerMinute: SIGN_ONS_PER_MINUTE,
      nameChecksPerMinute: NAME_CHECKS_PER_MINUTE,
      signUpsPerDay: config.REGISTRATIONS_PER_DAY,
      reportsPerHour: REPORTS_PER_HOUR,
      pageReportsPerDay: PAGE_REPORTS_PER_DAY,
      messagesPerHour: MESSAGES_PER_HOUR,
      pageMessagesPerDay: PAGE_MESSAGES_PER_DAY,
      pageViewsPerHour: PAGE_VIEWS_PER_HOUR,
    },
    trustProxy: config.TRUST_PROXY,
    requestLog: { requests: config.LOG_REQUESTS, addresses: config.LOG_ADDRESSES },
    corsOrigins: config.CORS_ORIGINS,
    publicUrl: config.PUBLIC_URL,
    pagesUrl: config.PAGES_URL,
    host: config.HOST,
    homeUrl: config.HOME_URL,
    abuseContact: config.ABUSE_CONTACT,
    noindexDays: trustsAccounts ? 0 : NOINDEX_DAYS,
    pageCacheSeconds: config.PAGE_CACHE_SECONDS,
    countryHeader: config.COUNTRY_HEADER,
    visitRetentionDays: config.VISITOR_DAYS,
    isReady,
    instruments,
  });
  return {
    listen: async () => {
      const { PORT: port, HOST: host } = config;
      await app.listen({ port, host, listenTextResolver: () => 'listening' });
      return app.server.address() as AddressInfo;
    },
    close: async () => {
      // In parallel: `chat.close()` ends pending messages, which in-flight requests wait for.
      await Promise.all([app.close(), chat.close(), pageFetcher.close(), signOn?.close()]);
      if (tracing) await tracing.flush();
    },
  };
}

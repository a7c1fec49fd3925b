import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Instruments } from '../http/instruments.ts';
import { allowancesOf } from '../limits/allowances/allowances.ts';
import { createChatService } from '../features/chat/chat-service.ts';
import { DEFAULT_WEBHOOK_HOSTS } from '../features/chat/chat-client.ts';
import { createCustomDomainsFromConfig } from '../features/domains/custom-domains.ts';
import type { Config } from '../settings/config.ts';
import type { OpenDatabase } from '../database.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { createOutbox } from '../mail/outbox.ts';
import { findEncryptionKey, secretBox } from '../secret-box.ts';
import { createPageSource } from '../features/page-import/page-source.ts';
import type { ForwardingService } from '../features/forwarding/forwarding.ts';
import { Authentication } from '../features/sessions/authentication.ts';
import { createSignOn } from '../features/sign-on/sign-on.ts';
import { createReservedNameCheck } from '../features/names/reserved-names.ts';
import { buildApp } from '../app.ts';
import { registerJobs } from './register-jobs.ts';

/** Server that answers requests: this process, or workers of it. */
export interface Serving {
  /** Takes connections, before the database can be used as well; returns where. */
  listen: () => Promise<AddressInfo>;
  /** Is ready from here on; the database must be migrated. */
  begin: () => Promise<void>;
  /** Is not ready any more, and goes on answering. */
  drain: () => void;
  /** Lets what is under way be answered, and ends. */
  close: () => Promise<void>;
}

/** A program that sends a burst waits a moment; CHAT_MESSAGES_PER_MINUTE is the limit that it meets. */
const CHAT_MESSAGES_PER_SECOND = 10;
/** Different addresses that an account may choose in a day: each costs a mail and a rule of the provider. */
const FORWARDING_ADDRESSES_PER_DAY = 3;
/** Refused logins, or requested login links, of one network before it has to wait. */
const REFUSED_LOGINS_PER_10_MINUTES = 10;
/** Single sign-ons that one network may begin: many people can share its address. */
const SIGN_ONS_PER_MINUTE = 60;
/** Missing pages that one network may ask for, so that names are not found by trying. */
const UNKNOWN_PAGES_PER_MINUTE = 200;
/** Clicks that are counted of one network; a class of pupils is one, too. */
const CLICKS_PER_MINUTE = 300;
/** Names that one network may check to sign up: a person who types quickly. */
const NAME_CHECKS_PER_MINUTE = 60;
/** Reports of pages that one network may send. */
const REPORTS_PER_HOUR = 10;
/** Reports of one page from one network: enough for a correction, too few to bury those of others. */
const PAGE_REPORTS_PER_DAY = 3;
/** Views of one page from one network that are counted. */
const PAGE_VIEWS_PER_HOUR = 30;
/** Days in which the page of a new account is not listed, so that spam pages are not worth making. */
const NOINDEX_DAYS = 7;

/** Where an OpenTelemetry SDK registers itself, which whoever runs the server loads before it. */
const OPENTELEMETRY = Symbol.for('opentelemetry.js.api.1');

/** Answers requests in this process, and registers the jobs that it does. */
export async function serveHere({
  config,
  database,
  jobs,
  forwarding,
  logger,
  instruments,
}: {
  config: Config;
  database: OpenDatabase;
  jobs: JobQueue;
  forwarding: ForwardingService;
  logger: Logger;
  instruments?: Instruments | undefined;
}): Promise<Serving> {
  const { db, reads, queues } = database;
  const tracing = OPENTELEMETRY in globalThis && (await import('./tracing.ts')).startTracing();
  const outbox = createOutbox(jobs, config);
  // A server without mail does not wait for the SMTP client.
  if (outbox.isAvailable)
    (await import('../mail/send-mail.ts')).workMail(jobs, { config, db, logger });
  const isTrusting = config.TRUST_ACCOUNTS === 'true';
  let ready = false;
  const webhookHosts = config.CHAT_WEBHOOK_HOSTS ?? DEFAULT_WEBHOOK_HOSTS;
  const chat = createChatService({
    logger,
    hosts: webhookHosts,
    sendLimits: {
      perSecond: config.CHAT_MESSAGES_PER_MINUTE === 0 ? 0 : CHAT_MESSAGES_PER_SECOND,
      perMinute: config.CHAT_MESSAGES_PER_MINUTE,
    },
  });
  const encryptionKey = await findEncryptionKey(config, database.folder);
  const secrets =
    encryptionKey === undefined ? undefined : secretBox(Buffer.from(encryptionKey, 'hex'));
  const allowances = allowancesOf(config);
  const pageSource = createPageSource();
  const signOn = createSignOn(config);
  const authentication = new Authentication(database, (error) => logger.error(error));
  const customDomains = createCustomDomainsFromConfig(config, { db, reads, allowances });
  registerJobs({
    config,
    db,
    metricReads: queues.metricReads,
    jobs,
    forwarding,
    outbox,
    chat,
    webhookHosts,
    secrets,
    customDomains,
    eventLimit: allowances.events,
    logger,
  });
  const app = await buildApp({
    db,
    reads,
    queues,
    authentication,
    logger,
    jobs,
    forwarding,
    outbox,
    chat,
    webhookHosts,
    secrets,
    pageSource,
    signOn,
    customDomains,
    isReserved: createReservedNameCheck(config),
    mailDomain: config.MAIL_DOMAIN,
    refusedDomains: config.FORWARDING_REFUSED_DOMAINS,
    destinationsPerDay: isTrusting ? 0 : FORWARDING_ADDRESSES_PER_DAY,
    quarantineDays: config.NAME_QUARANTINE_DAYS,
    registration: config.REGISTRATION,
    signUpRefusedDomains: config.REGISTRATION_REFUSED_DOMAINS,
    allowances,
    limits: {
      requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
      refusedLogins: REFUSED_LOGINS_PER_10_MINUTES,
      unknownPagesPerMinute: UNKNOWN_PAGES_PER_MINUTE,
      clicksPerMinute: CLICKS_PER_MINUTE,
      signOnsPerMinute: SIGN_ONS_PER_MINUTE,
      nameChecksPerMinute: NAME_CHECKS_PER_MINUTE,
      registrationsPerDay: config.REGISTRATIONS_PER_DAY,
      reportsPerHour: REPORTS_PER_HOUR,
      pageReportsPerDay: PAGE_REPORTS_PER_DAY,
      pageViewsPerHour: PAGE_VIEWS_PER_HOUR,
    },
    trustProxy: config.TRUST_PROXY,
    corsOrigins: config.CORS_ORIGINS,
    publicUrl: config.PUBLIC_URL,
    pagesUrl: config.PAGES_URL,
    host: config.HOST,
    homeUrl: config.HOME_URL,
    abuseContact: config.ABUSE_CONTACT,
    noindexDays: isTrusting ? 0 : NOINDEX_DAYS,
    pageCacheSeconds: config.PAGE_CACHE_SECONDS,
    countryHeader: config.COUNTRY_HEADER,
    visitorDays: config.VISITOR_DAYS,
    isReady: () => ready,
    instruments,
  });
  return {
    listen: async () => {
      const { PORT: port, HOST: host } = config;
      await app.listen({ port, host, listenTextResolver: () => 'listening' });
      return app.server.address() as AddressInfo;
    },
    begin: async () => {
      ready = true;
    },
    drain: () => {
      ready = false;
    },
    close: async () => {
      ready = false;
      // All at once: a message on its way ends when the platform is closed, and requests go on meanwhile.
      await Promise.all([app.close(), chat.close(), pageSource.close(), signOn?.close()]);
      if (tracing) await tracing.flush();
    },
  };
}

import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Instruments } from '../http/instruments.ts';
import { allowancesOf } from '../service/allowances/allowances.ts';
import { createChatPlatform } from '../service/chat-relay/chat-platform.ts';
import { DEFAULT_WEBHOOK_HOSTS } from '../service/chat-relay/webhook-url.ts';
import type { Config } from '../service/config.ts';
import type { OpenDatabase } from '../service/database.ts';
import type { Forwarding } from '../service/forwarding/service.ts';
import { Authentication } from '../service/keys/authentication.ts';
import { hearRevocations } from '../service/keys/revocations.ts';
import { reservedNames } from '../service/names/reserved-names.ts';
import { buildApp } from './app.ts';

/** What answers requests: this process, or workers of it. */
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

/** Where an OpenTelemetry SDK registers itself, which whoever runs the server loads before it. */
const OPENTELEMETRY = Symbol.for('opentelemetry.js.api.1');

/** Answers requests in this process. */
export async function serveHere({
  config,
  database,
  forwarding,
  logger,
  instruments,
}: {
  config: Config;
  database: OpenDatabase;
  forwarding: Forwarding;
  logger: Logger;
  instruments?: Instruments | undefined;
}): Promise<Serving> {
  const { db, reads, aggregates, metricReads, shares, url } = database;
  const tracing = OPENTELEMETRY in globalThis && (await import('./tracing.ts')).startTracing();
  let ready = false;
  let stopHearing = () => Promise.resolve();
  const webhookHosts = config.CHAT_WEBHOOK_HOSTS ?? DEFAULT_WEBHOOK_HOSTS;
  const chatPlatform = createChatPlatform({
    logger,
    hosts: webhookHosts,
    sends: {
      perSecond: config.CHAT_MESSAGES_PER_SECOND,
      perMinute: config.CHAT_MESSAGES_PER_MINUTE,
    },
  });
  const authentication = new Authentication(database, (error) => logger.error(error));
  const app = await buildApp({
    db,
    reads,
    aggregates,
    metricReads,
    shares,
    authentication,
    logger,
    forwarding,
    chatPlatform,
    webhookHosts,
    isReserved: reservedNames(config),
    mailDomain: config.MAIL_DOMAIN,
    refusedDomains: config.FORWARDING_REFUSED_DOMAINS,
    destinationsPerDay: config.FORWARDING_ADDRESSES_PER_DAY,
    quarantineDays: config.NAME_QUARANTINE_DAYS,
    registrationOpen: config.REGISTRATION === 'invite',
    allowances: allowancesOf(config),
    limits: {
      requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
      refusedLogins: config.REFUSED_LOGINS_PER_10_MINUTES,
      unknownPagesPerMinute: config.UNKNOWN_PAGES_PER_MINUTE,
    },
    trustProxy: config.TRUST_PROXY,
    corsOrigins: config.CORS_ORIGINS,
    publicUrl: config.PUBLIC_URL,
    pagesUrl: config.PAGES_URL,
    host: config.HOST,
    homeUrl: config.HOME_URL,
    abuseContact: config.ABUSE_CONTACT,
    noindexDays: config.NOINDEX_DAYS,
    pageCacheSeconds: config.PAGE_CACHE_SECONDS,
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
      stopHearing = hearRevocations({ url, authentication, logger });
      ready = true;
    },
    drain: () => {
      ready = false;
    },
    close: async () => {
      ready = false;
      await stopHearing();
      await Promise.all([app.close(), chatPlatform.close()]);
      if (tracing) await tracing.flush();
    },
  };
}

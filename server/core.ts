import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import type { RateLimits } from './platform/http/access/rate-limits.ts';
import type { TokenCookie } from './platform/http/access/session-cookie.ts';
import type { FinishedRequest } from './platform/http/connection/request-log.ts';
import type { Instruments } from './platform/http/instruments.ts';
import type { InstanceStore } from './platform/instance-store.ts';
import type { JobQueue } from './platform/jobs/job-queue.ts';
import type { Allowances } from './platform/limits/allowances/allowances.ts';
import type { DailyUsageTracker } from './platform/limits/allowances/daily-usage-tracker.ts';
import type { DatabaseQueues } from './platform/limits/database-queues.ts';
import type { MailServerStore } from './platform/mail/mail-server-store.ts';
import type { Outbox } from './platform/mail/outbox.ts';
import type { SecretBox } from './platform/secrets/secret-box.ts';
import type { Config } from './platform/settings/config.ts';

/**
 * What lives as long as the process and knows no feature. Functions take what they need:
 * `Pick<Core, 'config' | 'outbox'>`.
 */
export interface Core {
  config: Config;
  log: FastifyBaseLogger;
  db: Database;
  /** For single SELECT statements, so that slow writes do not delay them. */
  readDb: ReadDatabase;
  /** Like `readDb`, but all visitors together get no more connections than one account. */
  pageReadDb: ReadDatabase;
  queues: DatabaseQueues;
  databaseUrl: string;
  /** The folder of the embedded database. Undefined if `DATABASE_URL` is set. */
  dataDir: string | undefined;
  /** Changed by `main.ts` when the server listens, has started, and begins to stop. */
  lifecycle: { isReady: boolean; isFirstKeyPending?: boolean; address?: string };
  allowances: Allowances;
  /** Undefined if the encryption key is missing: then only connections by email can be stored. */
  secretBox: SecretBox | undefined;
  /** The identity of the installation. */
  instanceStore: InstanceStore;
  jobs: JobQueue;
  mailServers: MailServerStore;
  outbox: Outbox;
  dailyUsage: DailyUsageTracker;
  /** Undefined without Prometheus. */
  instruments: Instruments | undefined;
  server: FastifyInstance;
  /** Called after every request. */
  requestListeners: ((finished: FinishedRequest) => void)[];
  rateLimits: RateLimits;
  sessionCookie: TokenCookie;
  signOnCookie: TokenCookie;
  /** `PUBLIC_URL`, or the address that the server listens on. */
  origin: () => string;
  /** `PAGES_URL`, `PUBLIC_URL`, or the address that the server listens on. */
  pagesOrigin: () => string;
}

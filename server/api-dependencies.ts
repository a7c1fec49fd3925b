import type { ReadDatabase } from '#db/connections/read-database.ts';
import type { Kysely } from 'kysely';
import type { DatabaseQueues } from './limits/database-queues.ts';
import type { Database } from '#db/schema.ts';
import type { Allowances } from './limits/allowances/allowances.ts';
import type { DailyUsageTracker } from '#server/limits/allowances/daily-usage-tracker.ts';
import type { ChatService } from './features/chat/chat-service.ts';
import type { ForwardingDeps } from './features/forwarding/change-forwarding.ts';
import type { GuardDeps } from './http/access/guard.ts';
import type { PageSettings } from './http/responses/page.ts';
import type { HostOptions } from './http/access/hosts.ts';
import type { ServerOptions } from './http/server.ts';

export interface ApiDependencies
  extends ForwardingDeps, ServerOptions, GuardDeps, HostOptions, PageSettings {
  db: Kysely<Database>;
  /** For single SELECT statements. May be the same as `db`. */
  readDb: ReadDatabase;
  queues: DatabaseQueues;
  chat: ChatService;
  /** Hosts whose webhooks may be called, as `host` or `host:port`. */
  webhookHosts: readonly string[];
  quarantineDays: number;
  allowances: Allowances;
  dailyUsage: DailyUsageTracker;
  corsOrigins: readonly string[];
}

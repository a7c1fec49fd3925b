import type { Reads } from '#db/connections/databases.ts';
import type { Kysely } from 'kysely';
import type { DatabaseQueues } from './limits/database-queues.ts';
import type { Database } from '#db/schema.ts';
import type { Allowances } from './limits/allowances/allowances.ts';
import type { StoredVolumes } from './limits/allowances/stored-volumes.ts';
import type { ChatService } from './features/chat/chat-service.ts';
import type { ForwardingRules } from './features/forwarding/change-forwarding.ts';
import type { Guarding } from './http/access/guard.ts';
import type { PageFrame } from './http/answers/page.ts';
import type { Whereabouts } from './http/access/own-host.ts';
import type { ServerOptions } from './http/server.ts';

/** Everything outside the application that it works with. */
export interface Dependencies
  extends ForwardingRules, ServerOptions, Guarding, Whereabouts, PageFrame {
  db: Kysely<Database>;
  /** Where single reading statements run; may be the same. */
  reads: Reads;
  queues: DatabaseQueues;
  chat: ChatService;
  /** Hosts that webhooks may be called on, each `host` or `host:port`. */
  webhookHosts: readonly string[];
  quarantineDays: number;
  allowances: Allowances;
  volumes: StoredVolumes;
  /** Origins that may call the API from a browser. */
  corsOrigins: readonly string[];
}

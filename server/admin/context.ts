import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { ForwardingService } from '../service/forwarding/service.ts';

/** What the commands work with. */
export interface AdminDependencies {
  db: Kysely<Database>;
  forwarding: ForwardingService;
  isReserved: (name: string) => boolean;
  quarantineDays: number;
  /** Called after a key became invalid, so that nobody believes it any longer. */
  forgetKeys: () => void;
  /** Brings the schema up to date; returns the names of the migrations that ran. */
  migrate: () => Promise<string[]>;
}

/** What a handler of a command gets besides what was sent. */
export interface AdminContext extends AdminDependencies {
  /** Aborted when the process is about to stop. */
  stopping: AbortSignal;
}

import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { Runner } from '../http/adapter.ts';
import type { Rates } from '../http/rate-limits.ts';
import { RefusalError } from '../service/refusal.ts';

/** For whom a handler works that nobody is asked for a key at. */
export interface VisitorContext {
  db: Kysely<Database>;
  /** What the browser calls itself. */
  agent: string | undefined;
}

/** Runs handlers by which one gets in; those who are refused are counted by their address. */
export function runOpen({
  db,
  rates,
}: {
  db: Kysely<Database>;
  rates: Rates;
}): Runner<VisitorContext> {
  return async (request, _reply, { handle }) => {
    try {
      return await handle({ db, agent: request.headers['user-agent'] });
    } catch (error) {
      const isRefused = error instanceof RefusalError && error.status === 401;
      throw (isRefused && (await rates.countRefused(request))) || error;
    }
  };
}

import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { Runner } from '../http/adapter.ts';
import type { Rates } from '../http/rate-limits.ts';
import type { Allowances } from '../service/allowances/allowances.ts';
import { RefusalError } from '../service/refusal.ts';
import type { Visitor } from '../service/sessions/begin-session.ts';

/** For whom a handler works that nobody is asked for a key at. */
export interface VisitorContext {
  db: Kysely<Database>;
  visitor: Visitor;
}

/** Runs handlers by which one gets in; those who are refused are counted by their address. */
export function runOpen({
  db,
  rates,
  allowances,
}: {
  db: Kysely<Database>;
  rates: Rates;
  allowances: Pick<Allowances, 'events'>;
}): Runner<VisitorContext> {
  return async (request, _reply, { handle }) => {
    try {
      const visitor = { agent: request.headers['user-agent'], mostEvents: allowances.events };
      return await handle({ db, visitor });
    } catch (error) {
      const isRefused = error instanceof RefusalError && error.status === 401;
      if (!isRefused) throw error;
      throw (
        (await rates.countRefused(request)) ?? (await rates.countRefusedLogin(request)) ?? error
      );
    }
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { Runner } from '../contract/adapter.ts';
import { networkOf } from './address.ts';
import type { Rates } from './rate-limits.ts';
import type { Allowances } from '#server/limits/allowances/allowances.ts';
import { networkQueue } from '#server/limits/fair-queue.ts';
import { OverloadedError } from '#server/limits/overloaded-error.ts';
import { RefusalError } from '#server/refusal.ts';
import type { LoginClient } from '#server/features/sessions/start-session.ts';

/**
 * Pause before a network that asks too often is refused, in milliseconds: a flood then waits for its
 * answers instead of keeping the server busy with them.
 */
const PAUSE_MS = 1_000;

/** For whom a handler works that nobody is asked for a key at. */
export interface VisitorContext {
  db: Kysely<Database>;
  visitor: LoginClient;
  request: FastifyRequest;
}

/**
 * Runs handlers by which one gets in, in a queue that is fair between networks. Refused logins count
 * against their network; one with too many of them is asked for one login at a time, because whoever
 * may log in is let in from there, too.
 */
export function runUnauthenticated({
  db,
  rates,
  allowances,
}: {
  db: Kysely<Database>;
  rates: Rates;
  allowances: Pick<Allowances, 'events'>;
}): Runner<VisitorContext> {
  const queue = networkQueue('logins');
  return async (request, _reply, handle) => {
    const network = networkOf(request);
    const limited = await rates.refusedLogins.check(request);
    const agent = request.headers['user-agent'];
    const visitor = { agent, network, eventLimit: allowances.events };
    try {
      if (limited && queue.isBusy(network)) throw limited;
      return await queue.run(network, () => handle({ db, visitor, request }));
    } catch (error) {
      const tooMany = statusOf(error) === 401 ? await countRefused(request) : undefined;
      if (tooMany || statusOf(error) === 429 || error instanceof OverloadedError)
        await sleep(PAUSE_MS);
      throw tooMany ?? error;
    }
  };
  async function countRefused(request: FastifyRequest): Promise<RefusalError | undefined> {
    return (await rates.refused.count(request)) ?? (await rates.refusedLogins.count(request));
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof RefusalError ? error.status : undefined;
}

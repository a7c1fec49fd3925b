import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Core } from '#server/core.ts';
import type { LoginContext } from '#server/platform/caller.ts';
import { createPerNetworkQueue } from '#server/platform/limits/fair-queue.ts';
import { OverloadedError } from '#server/platform/limits/overloaded-error.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import { preferredLanguage } from '#server/platform/text/language.ts';
import { clientNetwork } from '../access/client-address.ts';
import type { HandlerRunner } from './register-contract.ts';

/** Slows down floods of refused requests. */
const REFUSAL_DELAY_MS = 1_000;

export function createLoginContext(
  request: FastifyRequest,
  { allowances }: Pick<Core, 'allowances'>,
): LoginContext {
  return {
    network: clientNetwork(request),
    userAgent: request.headers['user-agent'],
    language: preferredLanguage(request),
    allowances,
  };
}

/**
 * Runs login and sign-up handlers in a queue that is fair between networks. Refused logins count
 * against the network. After too many, the network may send one request at a time instead of being
 * banned, because other people may share it.
 */
export function createUnauthenticatedRunner(
  app: Pick<Core, 'db' | 'rateLimits' | 'allowances'>,
): HandlerRunner {
  const { db, rateLimits } = app;
  const queue = createPerNetworkQueue('logins');
  return async (request, _route, handler) => {
    const network = clientNetwork(request);
    const rateLimitError = await rateLimits.refusedLogins.check(request);
    const loginClient = createLoginContext(request, app);
    try {
      if (rateLimitError && queue.isBusy(network)) throw rateLimitError;
      return await queue.run(network, () => handler({ db, loginClient, request }));
    } catch (error) {
      const refusedLoginError = statusOf(error) === 401 ? await countRefused(request) : undefined;
      if (refusedLoginError || statusOf(error) === 429 || error instanceof OverloadedError)
        await sleep(REFUSAL_DELAY_MS);
      throw refusedLoginError ?? error;
    }
  };
  async function countRefused(request: FastifyRequest): Promise<RefusalError | undefined> {
    return (
      (await rateLimits.rejectedCredentials.count(request)) ??
      (await rateLimits.refusedLogins.count(request))
    );
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof RefusalError ? error.status : undefined;
}

import type { FastifyBaseLogger } from 'fastify';
import { listen } from '../../../db/connections/listen.ts';
import { parseRevocation, REVOCATIONS } from '../../../db/revocations.ts';
import type { Authentication } from '../sessions/authentication.ts';

/**
 * Keeps listening for keys and accounts that lose their access, and makes the authentication forget
 * them at once; returns how to stop. Where nothing can be heard, they are refused when the cache
 * expires.
 */
export function hearRevocations({
  url,
  authentication,
  logger,
}: {
  url: string;
  authentication: Authentication;
  logger: Pick<FastifyBaseLogger, 'warn'>;
}): () => Promise<void> {
  return listen({
    connectionString: url,
    channel: REVOCATIONS,
    onNotification: (payload) => authentication.forget(parseRevocation(payload)),
    onListening: () => authentication.forget(),
    onDeaf: (error) =>
      logger.warn({ err: error }, 'the connection that tells of revoked keys is made again'),
  });
}

import type { FastifyInstance } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';

/** `/healthz`: the process lives. `/readyz`: the database answers, migrations are done, no stop is near. */
export function health(
  app: FastifyInstance,
  { db, isReady }: { db: Kysely<Database>; isReady: () => boolean },
): void {
  let checking: Promise<unknown> | undefined;
  /** Asks once for all who want to know at the same time: nobody needs a key for it. */
  function databaseAnswers(): Promise<unknown> {
    checking ??= sql`SELECT 1`.execute(db).finally(() => {
      checking = undefined;
    });
    return checking;
  }

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    try {
      if (!isReady()) throw new Error('starting or stopping');
      await databaseAnswers();
      return { status: 'ready' };
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      return reply
        .status(503)
        .header('retry-after', '1')
        .send({ error: 'The service is not ready.' });
    }
  });
}

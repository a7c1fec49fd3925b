import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import packageJson from '../../package.json' with { type: 'json' };
import { assertServable } from '#db/migrating/migrate.ts';
import type { Database } from '#db/schema.ts';
import { assertWritable } from '#db/connections/writable.ts';
import { FOR_PROBES } from '../http/access/own-host.ts';
import { refusalHeaders } from '../http/answers/headers.ts';
import { BELOW_ENDPOINTS } from '../http/answers/refusals.ts';
import { RETRY_SOON, refuserOf } from '../refusal.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

/**
 * `/healthz`: the process lives, and its version. `/readyz`: the database takes writes, migrations are
 * done, none of them needs a newer version, and no stop is near.
 */
export function health(
  app: FastifyInstance,
  { db, isReady }: { db: Kysely<Database>; isReady: () => boolean },
): void {
  let checking: Promise<void> | undefined;
  /** Asks once for all who want to know at the same time: nobody needs a key for it. */
  function databaseServes(): Promise<void> {
    checking ??= checkDatabase(db).finally(() => {
      checking = undefined;
    });
    return checking;
  }

  app.get('/healthz', FOR_PROBES, async () => ({ status: 'ok', version: packageJson.version }));
  app.get('/readyz', FOR_PROBES, async (request, reply) => {
    try {
      if (!isReady()) throw new Error('starting or stopping');
      if (app.fullDisk.isRecent) throw new Error('the disk of the database is full');
      await databaseServes();
      return { status: 'ready' };
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      request.refused = { reason: 'notReady' };
      const refusal = refuse('notReady', { headers: RETRY_SOON });
      return reply
        .status(refusal.status)
        .headers(refusalHeaders(refusal))
        .send({ error: refusal.message });
    }
  });
}

async function checkDatabase(db: Kysely<Database>): Promise<void> {
  await assertWritable(db);
  await assertServable(db);
}

import type { FastifyInstance } from 'fastify';
import type { Executor } from '#db/connections/handles.ts';
import { assertWritable } from '#db/connections/writable.ts';
import { assertServable } from '#db/migrating/migrate.ts';
import type { Core } from '#server/core.ts';
import { PROBE_ROUTE } from '#server/platform/http/access/hosts.ts';
import { refusalHeaders } from '#server/platform/http/responses/headers.ts';
import { NON_ENDPOINT_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { RETRY_SOON, createRefuser } from '#server/platform/refusal.ts';
import packageJson from '../../../package.json' with { type: 'json' };

const refuse = createRefuser(NON_ENDPOINT_REFUSALS);

/**
 * `/healthz` checks only that the process runs. `/readyz` checks that the server is neither
 * starting nor stopping, and that the database accepts writes, has a compatible schema, and was not
 * out of disk space recently.
 */
export function registerHealthChecks(
  server: FastifyInstance,
  { db, lifecycle }: Pick<Core, 'db' | 'lifecycle'>,
): void {
  let pendingCheck: Promise<void> | undefined;
  /** Concurrent requests share one check, because the routes need no credentials. */
  function requireWorkingDatabase(): Promise<void> {
    pendingCheck ??= checkDatabase(db).finally(() => {
      pendingCheck = undefined;
    });
    return pendingCheck;
  }

  server.get('/healthz', PROBE_ROUTE, async () => {
    // Scripts wait for this response before they read the file with the first key.
    if (lifecycle.isFirstKeyPending) throw refuse('notReady', { headers: RETRY_SOON });
    return { status: 'ok', version: packageJson.version };
  });
  server.get('/readyz', PROBE_ROUTE, async (request, reply) => {
    try {
      if (!lifecycle.isReady) throw new Error('starting or stopping');
      if (server.diskFullTracker.wasFullRecently)
        throw new Error('the disk of the database is full');
      await requireWorkingDatabase();
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

async function checkDatabase(db: Executor): Promise<void> {
  await assertWritable(db);
  await assertServable(db);
}

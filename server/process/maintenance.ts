import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { createMetricPartitions } from '../../db/partitions.ts';
import { deleteExpiredChatStops } from '../../db/queries/chat-relay.ts';
import { deleteExpiredAnswers } from '../../db/queries/idempotency.ts';
import type { OpenDatabase } from '../service/database.ts';

const FIRST_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * A minute after the start and once an hour from then on makes metric partitions ahead and deletes
 * what has expired; returns how to stop.
 */
export function startMaintenance(database: OpenDatabase, logger: FastifyBaseLogger): () => void {
  let timer = setTimeout(run, FIRST_MS).unref();
  function run(): void {
    void maintain(database, logger);
    timer = setTimeout(run, HOUR_MS).unref();
  }
  return () => clearTimeout(timer);
}

/** Does all that is due. What fails keeps nothing else from being done. */
export async function maintain(
  { db, embedded }: Pick<OpenDatabase, 'db' | 'embedded'>,
  logger: Pick<FastifyBaseLogger, 'error'>,
): Promise<void> {
  const tasks = [
    () => createMetricPartitions(db, new Date()),
    () => deleteExpiredAnswers(db),
    () => deleteExpiredChatStops(db),
    // A PostgreSQL server does this by itself; the embedded one has no background of its own.
    ...(embedded ? [() => sql`VACUUM (ANALYZE)`.execute(db)] : []),
  ];
  for (const task of tasks)
    try {
      await task();
    } catch (error) {
      logger.error({ err: error }, 'maintenance failed and is tried again in an hour');
    }
}

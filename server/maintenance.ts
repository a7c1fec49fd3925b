import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { maintainMetricPartitions } from '../db/partitions.ts';
import { deleteExpiredChatStops } from '../db/queries/chat-relay.ts';
import { deleteExpiredAnswers } from '../db/queries/idempotency.ts';
import type { OpenDatabase } from './database.ts';

const HOUR_MS = 3_600_000;

/** Once an hour makes metric partitions ahead and deletes what has expired; returns how to stop. */
export function startMaintenance(database: OpenDatabase, logger: FastifyBaseLogger): () => void {
  const timer = setInterval(() => void maintain(database, logger), HOUR_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function maintain({ db, embedded }: OpenDatabase, logger: FastifyBaseLogger): Promise<void> {
  try {
    await maintainMetricPartitions(db, new Date());
    await deleteExpiredAnswers(db);
    await deleteExpiredChatStops(db);
    // A PostgreSQL server does this by itself; the embedded one has no background of its own.
    if (embedded) await sql`ANALYZE`.execute(db);
  } catch (error) {
    logger.error({ err: error }, 'maintenance failed and is tried again in an hour');
  }
}

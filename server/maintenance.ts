import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { maintainMetricPartitions } from '../db/partitions.ts';
import { deleteExpiredChatStops } from '../db/queries/chat-relay.ts';
import { deleteExpiredAnswers } from '../db/queries/idempotency.ts';
import type { Database } from '../db/schema.ts';

const HOUR_MS = 3_600_000;

/** Once an hour makes metric partitions ahead and deletes what has expired; returns how to stop. */
export function startMaintenance(db: Kysely<Database>, logger: FastifyBaseLogger): () => void {
  const timer = setInterval(() => void maintain(db, logger), HOUR_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function maintain(db: Kysely<Database>, logger: FastifyBaseLogger): Promise<void> {
  try {
    await maintainMetricPartitions(db, new Date());
    await deleteExpiredAnswers(db);
    await deleteExpiredChatStops(db);
  } catch (error) {
    logger.error({ err: error }, 'maintenance failed and is tried again in an hour');
  }
}

import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { createMetricPartitions } from '#db/partitions.ts';
import { deleteOldAuditEntries } from '#db/queries/audit-log.ts';
import { deleteOldDailyUsage } from '#db/queries/daily-usage.ts';
import { deleteOldChatRejections } from '#db/queries/chat/chat-rejections.ts';
import { deleteOldChatSendCounts } from '#db/queries/chat/chat-send-counts.ts';
import { deleteExpiredChatStops } from '#db/queries/chat/chat-stops.ts';
import { deleteOldDestinations } from '#db/queries/forwarding/forwarding-destinations.ts';
import { deleteExpiredLoginLinks } from '#db/queries/sessions/login-links.ts';
import { deleteOldReports } from '#db/queries/reports.ts';
import { deleteExpiredIdempotencyKeys } from '#db/queries/idempotency-keys.ts';
import { deleteExpiredInvitations } from '#db/queries/sessions/invitations.ts';
import { deleteExpiredSignUps } from '#db/queries/sessions/sign-ups.ts';
import { deleteOldOwnerMails } from '#db/queries/owner-mails.ts';
import { saveLastMaintenance } from '#db/queries/last-maintenance.ts';
import { deleteExpiredChallenges } from '#db/queries/sessions/challenges.ts';
import { deleteEndedSessions } from '#db/queries/sessions/sessions.ts';
import type { Database } from '#db/schema.ts';
import { today } from '#server/utc-date.ts';
import { sweepMetrics } from '../features/metrics/sweep-metrics.ts';
import { sweepPictures } from '../features/pictures/sweep-pictures.ts';
import { sweepProjects } from '../features/projects/projects.ts';

type Task = () => Promise<void>;

/**
 * Creates metric partitions in advance, deletes expired data, and runs the `extraTasks`. A failing
 * task does not stop the others.
 */
export async function runMaintenanceTasks(
  db: Kysely<Database>,
  logger: Pick<FastifyBaseLogger, 'error'>,
  { extraTasks = [], signal }: { extraTasks?: readonly Task[]; signal?: AbortSignal } = {},
): Promise<void> {
  const startedAt = performance.now();
  let failed = 0;
  const tasks: Task[] = [
    () => createMetricPartitions(db, new Date()),
    () => deleteExpiredIdempotencyKeys(db),
    () => deleteExpiredChatStops(db),
    () => deleteOldChatRejections(db),
    () => deleteOldChatSendCounts(db),
    () => deleteOldDestinations(db),
    () => deleteOldAuditEntries(db),
    () => deleteExpiredLoginLinks(db),
    () => deleteEndedSessions(db),
    () => deleteExpiredChallenges(db),
    () => deleteExpiredInvitations(db),
    () => deleteExpiredSignUps(db),
    () => deleteOldOwnerMails(db),
    () => deleteOldReports(db),
    () => deleteOldDailyUsage(db, today()),
    () => sweepProjects(db),
    () => sweepMetrics(db, signal),
    () => sweepPictures(db),
    ...extraTasks,
  ];
  for (const task of tasks) {
    signal?.throwIfAborted();
    try {
      await task();
    } catch (error) {
      signal?.throwIfAborted();
      failed += 1;
      logger.error({ err: error }, 'a maintenance task failed and is retried in an hour');
    }
  }
  await saveLastMaintenance(db, { seconds: (performance.now() - startedAt) / 1_000, failed });
}

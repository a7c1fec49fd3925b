import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { METRIC_READ_REFUSALS } from '#contract/metric-params.ts';
import type { Measure } from '#contract/metric-query.ts';
import type { metrics } from '#contract/owner/metrics.ts';
import { formatLimit, LIMITS } from '#contract/shared/limits.ts';
import { UUID_PATTERN } from '#contract/uuid.ts';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import { countMetricDeletions, insertMetricDeletion } from '#db/queries/metric-deletions.ts';
import { findMetrics, listMetrics, type MetricPosition } from '#db/queries/metrics.ts';
import { updateProject, findOwnProjects } from '#db/queries/projects.ts';
import { isTimeZoneUnknown, isTimeout } from '#db/sql-state.ts';
import type { Core } from '#server/core.ts';
import { requireRecentLogin } from '#server/platform/http/access/recent-login.ts';
import { type Handlers, WithHeaders } from '#server/platform/http/contract/register-contract.ts';
import type { DatabaseQueue } from '#server/platform/limits/database-queues.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { getMetricFields } from './describe-metrics.ts';
import { formatRecords, timeOf } from './format-records.ts';
import { chooseBucketUnit, exceedsBucketLimit, queryMetrics } from './query-metrics.ts';
import { metricSweepJob } from './sweep-metrics.ts';

/** Maximum size of a batch, unless its only metric is larger. */
const MAX_BATCH_BYTES = 1_048_576;

const CONTENT_TYPES = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

export function metricsRoutes({ queues, jobs }: Core): Handlers<typeof metrics> {
  const runMetricQuery = createMetricQueryRunner(queues.metricReads);
  return {
    getMetricFields: async ({ accountId, readDb, query }) => {
      const { project_id: projectId, ...range } = query;
      return runMetricQuery({ readDb, accountId, projectId }, (metricDb) =>
        getMetricFields(metricDb, { ...range, projectId }),
      );
    },

    queryMetrics: async ({ accountId, readDb, body: metricQuery, refuse }) => {
      const { project_id: projectId, time_zone: zone, group_by: groupBy } = metricQuery;
      const { since, until, measures, filters } = metricQuery;
      const rangeMs = Date.parse(until) - Date.parse(since);
      const bucket = metricQuery.bucket === 'auto' ? chooseBucketUnit(rangeMs) : metricQuery.bucket;
      if (exceedsBucketLimit(bucket, rangeMs))
        throw refuse('tooManyBuckets', { limit: formatLimit(LIMITS.buckets) });
      const [measure] = measures as [Measure];
      const timeZone = canonicalTimeZone(zone);
      const query = { since, until, timeZone, bucket, measure, filters, groupBy };
      const response = await runMetricQuery({ readDb, accountId, projectId }, (metricDb) =>
        queryMetrics(metricDb, { ...query, projectId }),
      ).catch((error: unknown) => {
        // PostgreSQL and Node may have different versions of the time zone database.
        throw isTimeZoneUnknown(error) ? refuse('timeZoneInvalid', { cause: error }) : error;
      });
      return { ...response, bucket };
    },

    listMetrics: async ({ accountId, readDb, query, refuse }) => {
      const { project_id: projectId, limit, after: cursor, ...range } = query;
      const after = cursor === undefined ? undefined : fromCursor(projectId, cursor);
      return runMetricQuery({ readDb, accountId, projectId }, async (metricDb) => {
        if (cursor !== undefined && !after) throw refuse('cursorInvalid');
        const batch = {
          projectId,
          ...range,
          after,
          limit,
          newestFirst: true,
          maxBytes: MAX_BATCH_BYTES,
        };
        const { metrics: metricRows, hasMore } = await findMetrics(metricDb, batch);
        const last = metricRows.at(-1);
        return {
          metrics: metricRows.map((metric) => ({
            id: metric.id,
            received_at: timeOf(metric),
            payload: JSON.parse(metric.payload) as Record<string, unknown>,
          })),
          next: hasMore && last ? toCursor(projectId, last) : null,
        };
      });
    },

    exportMetrics: async ({ accountId, readDb, query }) => {
      const { project_id: projectId, format, ...range } = query;
      await requireOwnProject(readDb, accountId, projectId);
      const batches = listMetrics(queues.slowReads.databaseFor(accountId), { ...range, projectId });
      return new WithHeaders(
        {
          'content-type': CONTENT_TYPES[format],
          'content-disposition': `attachment; filename="metrics.${format}"`,
        },
        Readable.from(refuseTimeouts(formatRecords(batches, format)), { highWaterMark: 0 }),
      );
    },

    ...retentionRoutes(jobs),
  };
}

function retentionRoutes(jobs: Core['jobs']) {
  return {
    deleteMetrics: async ({ accountId, db, body }) => {
      const { project_id: projectId, ...range } = body;
      await requireOwnProject(db, accountId, projectId);
      await insertMetricDeletion(db, { ...range, projectId });
      await jobs.add(db, metricSweepJob, {}, { key: 'all' });
    },

    getMetricRetention: async ({ accountId, readDb, query: { project_id: projectId } }) => {
      const project = await requireOwnProject(readDb, accountId, projectId);
      const deleting = (await countMetricDeletions(readDb, projectId)) > 0;
      return { days: project.metric_retention_days, deleting };
    },

    updateMetricRetention: async ({
      accountId,
      credential,
      db,
      body: { project_id: id, days },
      refuse,
    }) => {
      // With a retention period, older metrics are deleted. 0 keeps everything.
      if (days > 0) await requireRecentLogin(db, { credential });
      const change = { metric_retention_days: days };
      if (!UUID_PATTERN.test(id) || !(await updateProject(db, { accountId, id }, change)))
        throw refuse('projectForbidden');
      if (days > 0) await jobs.add(db, metricSweepJob, {}, { key: 'all' });
      return { days, deleting: (await countMetricDeletions(db, id)) > 0 };
    },
  } satisfies Partial<Handlers<typeof metrics>>;
}

/** The checksum of the project id makes the cursor invalid for other projects. */
function toCursor(projectId: string, { received_at, id }: MetricPosition): string {
  const positionText = `${received_at} ${id}`;
  return Buffer.from(`${positionText} ${checksumOf(projectId, positionText)}`).toString(
    'base64url',
  );
}

function fromCursor(projectId: string, cursor: string): MetricPosition | undefined {
  const [received_at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const position = { received_at, id };
  return toCursor(projectId, position) === cursor ? position : undefined;
}

/**
 * Not secret, because the caller can read all metrics of the project anyway. It only detects
 * mistakes.
 */
function checksumOf(projectId: string, positionText: string): string {
  return hash('sha256', `${projectId.toLowerCase()} ${positionText}`, 'base64url').slice(0, 16);
}

const refuse = createRefuser(METRIC_READ_REFUSALS);

type MetricQueryRunner = <T>(
  target: { readDb: ReadDatabase; accountId: string; projectId: string },
  work: (db: Database) => Promise<T>,
) => Promise<T>;

/** Uses separate connections, so that slow queries delay nothing else. */
function createMetricQueryRunner(queue: DatabaseQueue): MetricQueryRunner {
  return async ({ readDb, accountId, projectId }, work) => {
    await requireOwnProject(readDb, accountId, projectId);
    return work(queue.databaseFor(accountId)).catch(refuseTimeout);
  };
}

async function* refuseTimeouts<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    refuseTimeout(error);
  }
}

function refuseTimeout(error: unknown): never {
  throw isTimeout(error) ? refuse('queryTooExpensive', { cause: error }) : error;
}

async function requireOwnProject(db: ReadDatabase, accountId: string, projectId: string) {
  const ids = UUID_PATTERN.test(projectId) ? [projectId] : [];
  const [project] = await findOwnProjects(db, accountId, ids);
  if (!project) throw refuse('projectForbidden');
  return project;
}

/** To PostgreSQL, names such as CET are abbreviations without daylight saving time. */
function canonicalTimeZone(timeZone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
}

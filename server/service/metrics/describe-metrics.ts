import type { Kysely } from 'kysely';
import type { MetricField } from '../../../contract/metric-answers.ts';
import { findMetrics } from '../../../db/queries/metrics/metrics.ts';
import type { Database } from '../../../db/schema.ts';
import { fieldsOf } from './fields.ts';

/** How many of the newest metrics are looked at, and how many bytes of them. */
const NEWEST = { limit: 1_000, bytes: 1_048_576 };

/** The fields of the newest metrics of a project, and how many of them were looked at. */
export async function describeMetrics(
  db: Kysely<Database>,
  range: { projectId: string; since?: string | undefined; until?: string | undefined },
): Promise<{
  metrics: number;
  oldest_at: string | null;
  fields: MetricField[];
  cut: boolean;
}> {
  const { metrics } = await findMetrics(db, { ...range, ...NEWEST, newestFirst: true });
  const payloads = metrics.map(({ payload }) => JSON.parse(payload) as unknown);
  const oldest_at = metrics.at(-1)?.received_at ?? null;
  return { metrics: metrics.length, oldest_at, ...fieldsOf(payloads) };
}

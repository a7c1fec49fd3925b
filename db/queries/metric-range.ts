import { sql } from 'kysely';
import type { SqlFragment } from './metric-values.ts';

/** Times as text that PostgreSQL accepts, including `-infinity`. `until` is exclusive. */
export interface MetricRange {
  projectId: string;
  since?: string | undefined;
  until?: string | undefined;
}

export function isInRange({
  projectId,
  since = '-infinity',
  until = 'infinity',
}: MetricRange): SqlFragment {
  return sql`project_id = ${projectId}::uuid
    AND received_at >= ${since}::timestamptz AND received_at < ${until}::timestamptz`;
}

import type {
  Event as AccountEvent,
  ListAuditEntriesResponse,
  ListRequestsResponse,
} from '#client/generated/owner-operations.ts';
import { eventKey } from './group-by-day.ts';

export type AuditEntry = ListAuditEntriesResponse['entries'][number];
export type KeyRequest = ListRequestsResponse['requests'][number];

export type Entry =
  | ({ source: 'events' } & AccountEvent)
  | ({ source: 'requests' } & KeyRequest)
  | ({ source: 'audit' } & AuditEntry);

export type Run<Row> = readonly [Row, ...Row[]];

export interface Source {
  name: Entry['source'];
  load: (
    after: string | undefined,
  ) => Promise<{ rows: readonly Entry[]; next: string | null; leftOut?: number }>;
}

interface Batch {
  rows: Entry[];
  next: string | null;
  /** Number of requests that were not recorded. */
  leftOut: number;
}

/**
 * Merges the next batches of the sources, newest first. `after` has the id of the last merged row of
 * each source. Rows older than what another source has not loaded yet are left to the next batch.
 */
export async function loadActivity(sources: readonly Source[], after = '{}'): Promise<Batch> {
  const cursors = JSON.parse(after) as Partial<Record<Entry['source'], string>>;
  const batches = await Promise.all(sources.map(({ name, load }) => load(cursors[name])));
  const unfinished = batches.filter(({ next }) => next !== null);
  const oldest =
    unfinished
      .map(({ rows }) => rows.at(-1)!.created_at)
      .toSorted()
      .at(-1) ?? '';
  const rows = batches
    .flatMap((batch) => batch.rows)
    .filter(({ created_at }) => created_at >= oldest)
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  for (const { source, id } of rows) cursors[source] = id;
  const count = batches.reduce((sum, batch) => sum + batch.rows.length, 0);
  return {
    rows: rows.filter((row) => !isAudited(row, rows)),
    next: unfinished.length > 0 || rows.length < count ? JSON.stringify(cursors) : null,
    leftOut: batches.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0),
  };
}

/** Whether the audit trail has the same change of a member, and says who made it. */
function isAudited(row: Entry, rows: readonly Entry[]): boolean {
  if (row.source !== 'events') return false;
  const { created_at, detail } = row;
  return rows.some(
    (other) =>
      other.source === 'audit' &&
      other.created_at === created_at &&
      other.account_id === detail['account_id'],
  );
}

/** Neighbors with the same key are one row. Each failed request has a row, because it has details. */
export function runKey(entry: Entry): unknown[] {
  switch (entry.source) {
    case 'events':
      return ['events', ...eventKey(entry)];
    case 'audit':
      return ['audit', entry.action, entry.who, entry.via, entry.detail];
    case 'requests':
      return entry.status < 400 && entry.left_out === 0
        ? ['requests', entry.operation, entry.key_id, entry.status]
        : ['requests', entry.id];
  }
}

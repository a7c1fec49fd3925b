import { sql } from 'kysely';
import type { Executor, ReadDatabase } from '#db/connections/handles.ts';
import type { Row } from '#db/schema.ts';
import { countRows, exists } from './rows.ts';

const columns = [
  'id',
  'project_id',
  'connection_id',
  'path',
  'aggregate',
  'minutes',
  'comparison',
  'threshold',
  'pause_minutes',
  'notify_no_data',
  'created_at',
  'state',
  'value',
  'changed_at',
  'evaluated_at',
  'sent_at',
  'last_error',
] as const;

/** Null if no message that it fires would have to wait now. */
const pausedUntil = sql<Date | null>`nullif(
  greatest(firing_notified_at + pause_minutes * interval '1 minute', now()), now())`.as(
  'paused_until',
);

export type AlertRow = Row<'alerts', (typeof columns)[number]> & { paused_until: Date | null };

export interface AlertSettings extends Pick<
  AlertRow,
  'aggregate' | 'minutes' | 'comparison' | 'pause_minutes'
> {
  path: readonly string[];
  threshold?: number | null | undefined;
  connection_id?: string | null | undefined;
  notify_no_data?: boolean | undefined;
}

export async function listAlerts(
  db: ReadDatabase,
  accountId: string,
  projectId?: string,
): Promise<AlertRow[]> {
  let alerts = db
    .selectFrom('alerts')
    .select([...columns, pausedUntil])
    .where('account_id', '=', accountId);
  if (projectId !== undefined) alerts = alerts.where('project_id', '=', projectId);
  return alerts.orderBy('created_at').orderBy('id').execute();
}

type FiringAlert = Pick<
  AlertRow,
  'id' | 'project_id' | 'path' | 'aggregate' | 'minutes' | 'comparison' | 'threshold' | 'value'
> & { project: string };

export async function listFiringAlerts(
  db: ReadDatabase,
  accountId: string,
): Promise<FiringAlert[]> {
  return db
    .selectFrom('alerts')
    .innerJoin('projects', 'projects.id', 'alerts.project_id')
    .select(['alerts.id', 'project_id', 'path', 'aggregate', 'minutes', 'comparison'])
    .select(['threshold', 'value', 'projects.name as project'])
    .where('alerts.account_id', '=', accountId)
    .where('state', '=', 'firing')
    .orderBy('changed_at', 'desc')
    .execute();
}

export async function countAlerts(db: ReadDatabase, accountId: string): Promise<number> {
  return countRows(db, sql`alerts WHERE account_id = ${accountId}`);
}

export async function insertAlert(
  db: Executor,
  { accountId, projectId, ...settings }: AlertSettings & { accountId: string; projectId: string },
): Promise<AlertRow> {
  return db
    .insertInto('alerts')
    .values({ account_id: accountId, project_id: projectId, ...toColumns(settings) })
    .returning([...columns, pausedUntil])
    .executeTakeFirstOrThrow();
}

/**
 * Changes the settings and resets the alert's state, so that the alert is due at once. Returns
 * undefined if the account has no such alert.
 */
export async function updateAlert(
  db: Executor,
  { accountId, id, ...settings }: AlertSettings & { accountId: string; id: string },
): Promise<AlertRow | undefined> {
  return db
    .updateTable('alerts')
    .set({
      ...toColumns(settings),
      state: 'new',
      value: null,
      changed_at: null,
      evaluated_at: null,
      revision: sql<number>`revision + 1`,
      notified_state: 'fine',
      firing_notified_at: null,
      had_value: false,
      no_data_notified_at: null,
      last_error: null,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning([...columns, pausedUntil])
    .executeTakeFirst();
}

function toColumns({ path, threshold = null, connection_id = null, ...settings }: AlertSettings) {
  const { aggregate, minutes, comparison, pause_minutes, notify_no_data } = settings;
  const condition = { path: JSON.stringify(path), aggregate, minutes, comparison, threshold };
  const isSet = notify_no_data !== undefined;
  return {
    ...condition,
    pause_minutes,
    connection_id,
    ...(isSet && { notify_no_data }),
  };
}

export async function hasAlert(db: ReadDatabase, accountId: string, id: string): Promise<boolean> {
  return exists(db, sql`alerts WHERE account_id = ${accountId} AND id = ${id}`);
}

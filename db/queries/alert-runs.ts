import { sql } from 'kysely';
import type { AlertState } from '#contract/alert-condition.ts';
import type { StoredMessage } from '#contract/refusal.ts';
import type { Executor, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { AlertRow } from './alerts.ts';

/**
 * Minimum time between two evaluations. Less than a minute, because the delay of the once-a-minute
 * job varies.
 */
const MIN_EVALUATION_INTERVAL_S = 45;
/**
 * Wait 20 times as long as the last evaluation took, so that one alert keeps a connection busy at
 * most 5% of the time.
 */
const EVALUATION_BACKOFF_FACTOR = 20;

export interface DueAlert extends Pick<
  AlertRow,
  | 'id'
  | 'project_id'
  | 'connection_id'
  | 'path'
  | 'aggregate'
  | 'minutes'
  | 'comparison'
  | 'threshold'
> {
  account_id: string;
  revision: number;
  project: string;
  /** The evaluated window, by the database's clock. */
  since: Date;
  until: Date;
}

/** A state that connections get a message about. */
export type NotifiedState = Exclude<AlertState, 'new'>;

/** The least recently evaluated ones, slow ones last. Skips suspended accounts and closed projects. */
export async function listDueAlerts(
  db: ReadDatabase,
  { limit, excludedIds = [] }: { limit: number; excludedIds?: string[] },
): Promise<DueAlert[]> {
  const { rows } = await sql<DueAlert>`
    SELECT id, account_id, project_id, connection_id, path, aggregate, minutes, comparison, threshold,
      revision, (SELECT name FROM projects WHERE projects.id = project_id) AS project,
      now() - minutes * interval '1 minute' AS since, now() AS until
    FROM (
      SELECT * FROM alerts
      WHERE (evaluated_at IS NULL OR evaluated_at <= now()
          - greatest(${MIN_EVALUATION_INTERVAL_S}, ${EVALUATION_BACKOFF_FACTOR} * evaluation_seconds) * interval '1 second')
        AND (SELECT suspended_at IS NULL FROM accounts WHERE accounts.id = account_id)
        AND id <> ALL (${excludedIds}::uuid[])
        AND (SELECT closed_at IS NULL FROM projects WHERE projects.id = project_id)
      ORDER BY evaluated_at NULLS FIRST LIMIT ${limit}
    ) AS alerts
    ORDER BY evaluation_seconds > 1, evaluated_at NULLS FIRST`.execute(db);
  return rows;
}

/**
 * Saves the result, unless the alert was changed or a later evaluation was saved. Returns the state to
 * notify about. `fine` and `firing`: it differs from that in the last message; `firing` also after a
 * message about missing data. `no_data`: there was a value since the last message about that. `firing`
 * and `no_data` wait for the end of the pause.
 */
export async function saveEvaluation(
  db: Executor,
  { id, revision, until }: Pick<DueAlert, 'id' | 'revision' | 'until'>,
  { state, value, seconds }: { state: NotifiedState; value: number | null; seconds: number },
): Promise<NotifiedState | undefined> {
  const isPauseOver = (since: 'firing_notified_at' | 'no_data_notified_at') =>
    sql`coalesce(${sql.ref(since)} <= now() - pause_minutes * interval '1 minute', true)`;
  const { rows } = await sql<{ notify: boolean }>`
    UPDATE alerts SET state = ${state}, value = ${value}, evaluated_at = now(),
      changed_at = CASE WHEN state = ${state} THEN changed_at ELSE now() END,
      had_value = had_value OR ${value !== null}, evaluation_seconds = ${seconds}, last_error = NULL
    WHERE id = ${id} AND revision = ${revision}
      AND (evaluated_at IS NULL OR evaluated_at <= ${until})
    RETURNING CASE ${state}
      WHEN 'no_data' THEN notify_no_data AND had_value AND ${isPauseOver('no_data_notified_at')}
      WHEN 'firing' THEN ${isPauseOver('firing_notified_at')} AND
        (notified_state <> 'firing' OR coalesce(no_data_notified_at > firing_notified_at, false))
      ELSE notified_state <> 'fine' END AS notify`.execute(db);
  return rows[0]?.notify ? state : undefined;
}

/**
 * Locks the alert. Returns false if it was deleted or changed, has another state, or another server
 * notified first.
 */
export async function lockAlertInState(
  trx: Transaction,
  { id, revision }: Pick<DueAlert, 'id' | 'revision'>,
  state: AlertState,
): Promise<boolean> {
  const alert = await trx
    .selectFrom('alerts')
    .select('id')
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('state', '=', state)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return alert !== undefined;
}

export async function markNotified(
  trx: Transaction,
  id: string,
  state: NotifiedState,
): Promise<void> {
  await trx
    .updateTable('alerts')
    .set({
      revision: sql<number>`revision + 1`,
      sent_at: sql<Date>`now()`,
      ...(state === 'no_data'
        ? { had_value: false, no_data_notified_at: sql<Date>`now()` }
        : { notified_state: state }),
      ...(state === 'firing' && { firing_notified_at: sql<Date>`now()` }),
    })
    .where('id', '=', id)
    .execute();
}

/** Keeps the state and value. Without `seconds`, the alert is due again at once. */
export async function saveEvaluationError(
  db: Executor,
  { id, revision }: Pick<DueAlert, 'id' | 'revision'>,
  { error, seconds }: { error: StoredMessage; seconds?: number },
): Promise<void> {
  await db
    .updateTable('alerts')
    .set({
      last_error: error,
      ...(seconds !== undefined && {
        evaluated_at: sql<Date>`now()`,
        evaluation_seconds: seconds,
      }),
    })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .execute();
}

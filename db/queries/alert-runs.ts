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

/** Least recently evaluated first. Skips suspended accounts and closed projects. */
export async function listDueAlerts(
  db: ReadDatabase,
  { limit, excludedIds = [] }: { limit: number; excludedIds?: string[] },
): Promise<DueAlert[]> {
  const { rows } = await sql<DueAlert>`
    SELECT id, account_id, project_id, connection_id, path, aggregate, minutes, comparison, threshold,
      revision, (SELECT name FROM projects WHERE projects.id = project_id) AS project,
      now() - minutes * interval '1 minute' AS since, now() AS until
    FROM alerts
    WHERE (evaluated_at IS NULL OR evaluated_at <= now()
        - greatest(${MIN_EVALUATION_INTERVAL_S}, ${EVALUATION_BACKOFF_FACTOR} * evaluation_seconds) * interval '1 second')
      AND (SELECT suspended_at IS NULL FROM accounts WHERE accounts.id = account_id)
      AND id <> ALL (${excludedIds}::uuid[])
      AND (SELECT closed_at IS NULL FROM projects WHERE projects.id = project_id)
    ORDER BY evaluated_at NULLS FIRST LIMIT ${limit}`.execute(db);
  return rows;
}

/**
 * Saves the result, unless the alert was changed or a later evaluation was saved. Returns whether to notify: the state is `fine` or
 * `firing`, differs from that in the last message and, if it is `firing`, the pause is over.
 */
export async function saveEvaluation(
  db: Executor,
  { id, revision, until }: Pick<DueAlert, 'id' | 'revision' | 'until'>,
  { state, value, seconds }: { state: AlertState; value: number | null; seconds: number },
): Promise<boolean> {
  const { rows } = await sql<{ notify: boolean }>`
    UPDATE alerts SET state = ${state}, value = ${value}, evaluated_at = now(),
      changed_at = CASE WHEN state = ${state} THEN changed_at ELSE now() END,
      evaluation_seconds = ${seconds}, last_error = NULL
    WHERE id = ${id} AND revision = ${revision}
      AND (evaluated_at IS NULL OR evaluated_at <= ${until})
    RETURNING ${state} <> notified_state AND (${state} = 'fine' OR (${state} = 'firing' AND
      (firing_notified_at IS NULL OR firing_notified_at <= now() - pause_minutes * interval '1 minute'))) AS notify`.execute(
    db,
  );
  return rows[0]?.notify ?? false;
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
  state: 'fine' | 'firing',
): Promise<void> {
  await trx
    .updateTable('alerts')
    .set({
      notified_state: state,
      revision: sql<number>`revision + 1`,
      sent_at: sql<Date>`now()`,
      ...(state === 'firing' && { firing_notified_at: sql<Date>`now()` }),
    })
    .where('id', '=', id)
    .execute();
}

export async function saveEvaluationError(
  db: Executor,
  id: string,
  error: StoredMessage,
): Promise<void> {
  await db.updateTable('alerts').set({ last_error: error }).where('id', '=', id).execute();
}

import { type Kysely, type Transaction, sql } from 'kysely';
import type { AlertState } from '#contract/alert-condition.ts';
import type { Database } from '#db/schema.ts';
import type { AlertRow } from './alerts.ts';

/** Minimum age of an evaluation before the next: less than a minute, because the job starts with some delay. */
const MIN_AGE_S = 45;
/** After an evaluation an alert rests this many times as long as it took, so that it uses at most a twentieth of a connection. */
const REST_FACTOR = 20;

/** An alert to evaluate. */
export interface DueAlert extends Pick<
  AlertRow,
  'id' | 'project_id' | 'webhook_id' | 'path' | 'aggregate' | 'minutes' | 'comparison' | 'threshold'
> {
  account_id: string;
  revision: number;
  /** The name of its project. */
  project: string;
  /** The window by the database's clock. */
  since: Date;
  until: Date;
}

/** Lists the alerts that are due, the oldest evaluation first. Accounts and projects must be in use. */
export async function listDueAlerts(db: Kysely<Database>, limit: number): Promise<DueAlert[]> {
  const { rows } = await sql<DueAlert>`
    SELECT id, account_id, project_id, webhook_id, path, aggregate, minutes, comparison, threshold,
      revision, (SELECT name FROM projects WHERE projects.id = project_id) AS project,
      now() - minutes * interval '1 minute' AS since, now() AS until
    FROM alerts
    WHERE (evaluated_at IS NULL OR evaluated_at <= now()
        - greatest(${MIN_AGE_S}, ${REST_FACTOR} * evaluation_seconds) * interval '1 second')
      AND (SELECT suspended_at IS NULL FROM accounts WHERE accounts.id = account_id)
      AND (SELECT closed_at IS NULL FROM projects WHERE projects.id = project_id)
    ORDER BY evaluated_at NULLS FIRST LIMIT ${limit}`.execute(db);
  return rows;
}

/**
 * Saves the result of an evaluation, unless the owner has changed the alert or a later evaluation was
 * saved. Returns whether to send a message: the recipient knows another state and, if the alert fires,
 * the pause is over.
 */
export async function saveEvaluation(
  db: Kysely<Database>,
  { id, revision, until }: Pick<DueAlert, 'id' | 'revision' | 'until'>,
  { state, value, seconds }: { state: AlertState; value: number | null; seconds: number },
): Promise<boolean> {
  const { rows } = await sql<{ notify: boolean }>`
    UPDATE alerts SET state = ${state}, value = ${value}, evaluated_at = now(),
      changed_at = CASE WHEN state = ${state} THEN changed_at ELSE now() END,
      evaluation_seconds = ${seconds}
    WHERE id = ${id} AND revision = ${revision}
      AND (evaluated_at IS NULL OR evaluated_at <= ${until})
    RETURNING ${state} <> notified_state AND (${state} = 'fine' OR (${state} = 'firing' AND
      (firing_notified_at IS NULL OR firing_notified_at <= now() - pause_minutes * interval '1 minute'))) AS notify`.execute(
    db,
  );
  return rows[0]?.notify ?? false;
}

/** Makes an alert whose evaluation failed wait like the others. */
export async function postponeEvaluation(
  db: Kysely<Database>,
  { id }: Pick<DueAlert, 'id'>,
): Promise<void> {
  await db
    .updateTable('alerts')
    .set({ evaluated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Locks an alert; false if it is gone, was changed, has another state by now, or if another server was first. */
export async function lockAlertInState(
  trx: Transaction<Database>,
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

/** Notes that the recipient knows a state; returns the revision that the message gives the alert. */
export async function markNotified(
  trx: Transaction<Database>,
  id: string,
  { state, isMailed }: { state: 'fine' | 'firing'; isMailed: boolean },
): Promise<number> {
  const { revision } = await trx
    .updateTable('alerts')
    .set({
      notified_state: state,
      revision: sql<number>`revision + 1`,
      ...(state === 'firing' && { firing_notified_at: sql<Date>`now()` }),
      ...(isMailed && { sent_at: sql<Date>`now()`, last_error: null }),
    })
    .where('id', '=', id)
    .returning('revision')
    .executeTakeFirstOrThrow();
  return revision;
}

/** Notes why nothing was told. */
export async function saveNotificationError(
  trx: Transaction<Database>,
  id: string,
  error: string,
): Promise<void> {
  await trx.updateTable('alerts').set({ last_error: error }).where('id', '=', id).execute();
}

/** A message to send through a webhook, with the revision that it gave its alert. */
export interface AlertMessageId {
  alertId: string;
  revision: number;
}

/** Where a message goes. */
export interface AlertTarget {
  account_id: string;
  webhook_id: string;
  encrypted_url: Uint8Array;
  /** Whether the account may send anything. */
  is_open: boolean;
}

/**
 * Begins to send a message. Until `noteMessage`, `unknown` is its error: if this server ends, the message
 * may have arrived. Undefined if there is a newer message, or if the alert is gone or was changed.
 */
export async function beginAlertMessage(
  db: Kysely<Database>,
  { alertId, revision }: AlertMessageId,
  unknown: string,
): Promise<AlertTarget | undefined> {
  const { rows } = await sql<AlertTarget>`
    UPDATE alerts SET last_error = ${unknown}
    FROM chat_webhooks, accounts
    WHERE alerts.id = ${alertId} AND revision = ${revision}
      AND chat_webhooks.id = alerts.webhook_id AND accounts.id = alerts.account_id
    RETURNING alerts.account_id, webhook_id, encrypted_url, suspended_at IS NULL AS is_open`.execute(
    db,
  );
  return rows[0];
}

/**
 * Notes the error of a message, or null if it was sent. Returns false if there is a newer message, or if
 * the alert is gone or was changed.
 */
export async function saveMessageResult(
  db: Kysely<Database>,
  { alertId, revision }: AlertMessageId,
  error: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alerts')
    .set({ last_error: error, ...(error === null && { sent_at: sql<Date>`now()` }) })
    .where('id', '=', alertId)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

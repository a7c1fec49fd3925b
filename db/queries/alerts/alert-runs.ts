import { type Kysely, type Transaction, sql } from 'kysely';
import type { AlertState } from '../../../contract/alert-condition.ts';
import type { Database } from '../../schema.ts';
import type { AlertRow } from './alerts.ts';

/** Seconds between two evaluations, in which no other server evaluates the alert. */
const EVERY_S = 60;

/** An alert to evaluate. */
export interface DueAlert extends Pick<
  AlertRow,
  'id' | 'project_id' | 'webhook_id' | 'path' | 'aggregate' | 'minutes' | 'comparison' | 'threshold'
> {
  account_id: string;
  lease: number;
  /** The name of its project. */
  project: string;
  /** Whether its account and its project are in use. */
  is_open: boolean;
  /** The window by the database's clock. */
  since: Date;
  until: Date;
}

/** Takes the alerts that wait longest, each for one server at a time. */
export async function takeDueAlerts(db: Kysely<Database>, limit: number): Promise<DueAlert[]> {
  const { rows } = await sql<DueAlert>`
    WITH due AS MATERIALIZED (
      SELECT id FROM alerts WHERE evaluate_at <= now()
      ORDER BY evaluate_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE alerts SET lease = lease + 1, evaluate_at = now() + ${EVERY_S} * interval '1 second'
    FROM due, projects, accounts
    WHERE alerts.id = due.id AND projects.id = alerts.project_id AND accounts.id = alerts.account_id
    RETURNING alerts.id, alerts.account_id, project_id, webhook_id, path, aggregate, minutes,
      comparison, threshold, lease, projects.name AS project,
      accounts.suspended_at IS NULL AND projects.closed_at IS NULL AS is_open,
      now() - minutes * interval '1 minute' AS since, now() AS until`.execute(db);
  return rows;
}

/**
 * Notes what an evaluation found, unless a later one has begun. Returns whether the recipient is to be
 * told: the state is another than they know, and when it fires, the pause is over.
 */
export async function noteEvaluation(
  db: Kysely<Database>,
  { id, lease }: Pick<DueAlert, 'id' | 'lease'>,
  { state, value, seconds }: { state: AlertState; value: number | null; seconds: number },
): Promise<boolean> {
  const { rows } = await sql<{ tell: boolean }>`
    UPDATE alerts SET state = ${state}, value = ${value}, evaluated_at = now(),
      changed_at = CASE WHEN state = ${state} THEN changed_at ELSE now() END,
      evaluate_at = greatest(evaluate_at, now() + ${seconds}::float8 * interval '1 second')
    WHERE id = ${id} AND lease = ${lease}
    RETURNING ${state} <> told AND (${state} = 'fine' OR (${state} = 'firing' AND
      (fired_at IS NULL OR fired_at <= now() - pause_minutes * interval '1 minute'))) AS tell`.execute(
    db,
  );
  return rows[0]?.tell ?? false;
}

/** Keeps an alert until the end of the transaction; false if a later evaluation has begun, or it is gone. */
export async function lockEvaluated(
  trx: Transaction<Database>,
  { id, lease }: Pick<DueAlert, 'id' | 'lease'>,
): Promise<boolean> {
  const alert = await trx
    .selectFrom('alerts')
    .select('id')
    .where('id', '=', id)
    .where('lease', '=', lease)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return alert !== undefined;
}

/** Notes that the recipient is told of a state, with the message that is sent if it is for a webhook. */
export async function noteTold(
  trx: Transaction<Database>,
  id: string,
  { told, message }: { told: 'fine' | 'firing'; message: string | null },
): Promise<void> {
  const isMailed = message === null;
  await trx
    .updateTable('alerts')
    .set({
      told,
      message,
      message_at: isMailed ? null : sql<Date>`now()`,
      attempts: 0,
      ...(told === 'firing' && { fired_at: sql<Date>`now()` }),
      ...(isMailed && { sent_at: sql<Date>`now()`, last_error: null }),
    })
    .where('id', '=', id)
    .execute();
}

/** Notes why nothing was told. */
export async function noteUntold(
  trx: Transaction<Database>,
  id: string,
  error: string,
): Promise<void> {
  await trx.updateTable('alerts').set({ last_error: error }).where('id', '=', id).execute();
}

/** A message that is to be sent through a webhook. */
export interface AlertMessage {
  id: string;
  account_id: string;
  message: string;
  attempts: number;
  webhook_id: string;
  encrypted_url: Uint8Array;
  /** Whether the account may send anything. */
  is_open: boolean;
}

/**
 * Takes the messages that wait longest. Whoever takes one alone sends it: if that server ends
 * meanwhile, `unknown` remains, because the message may have arrived.
 */
export async function takeAlertMessages(
  db: Kysely<Database>,
  limit: number,
  unknown: string,
): Promise<AlertMessage[]> {
  const { rows } = await sql<AlertMessage>`
    WITH due AS MATERIALIZED (
      SELECT id, message FROM alerts
      WHERE message IS NOT NULL AND message_at <= now() AND webhook_id IS NOT NULL
      ORDER BY message_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE alerts SET message = NULL, message_at = NULL, attempts = attempts + 1,
      last_error = ${unknown}
    FROM due, chat_webhooks, accounts
    WHERE alerts.id = due.id AND chat_webhooks.id = alerts.webhook_id
      AND accounts.id = alerts.account_id
    RETURNING alerts.id, alerts.account_id, due.message, attempts, webhook_id, encrypted_url,
      suspended_at IS NULL AS is_open`.execute(db);
  return rows;
}

/** Which message was taken: a later one begins at no attempts, and so does a changed alert. */
type TakenMessage = Pick<AlertMessage, 'id' | 'webhook_id' | 'attempts'>;

/** Notes that a message was sent (`error` is null) or never will be, unless the alert was changed meanwhile. */
export async function noteMessage(
  db: Kysely<Database>,
  taken: TakenMessage,
  error: string | null,
): Promise<void> {
  await updateTaken(db, taken)
    .set({ last_error: error, ...(error === null && { sent_at: sql<Date>`now()` }) })
    .execute();
}

/** Puts a message back that was not sent, unless there is a newer one or the alert was changed meanwhile. */
export async function putMessageBack(
  db: Kysely<Database>,
  taken: TakenMessage,
  { message, seconds, error }: { message: string; seconds: number; error: string },
): Promise<void> {
  await updateTaken(db, taken)
    .set({
      message,
      message_at: sql<Date>`now() + ${seconds}::float8 * interval '1 second'`,
      last_error: error,
    })
    .where('message', 'is', null)
    .execute();
}

function updateTaken(db: Kysely<Database>, { id, webhook_id, attempts }: TakenMessage) {
  return db
    .updateTable('alerts')
    .where('id', '=', id)
    .where('webhook_id', '=', webhook_id)
    .where('attempts', '=', attempts);
}

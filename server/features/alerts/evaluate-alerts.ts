import { alertStateFor } from '#contract/shared/alert-state.ts';
import { describeCondition } from '#contract/shared/alert-text.ts';
import type { Database, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { findAccountLanguage, lockAccount } from '#db/queries/accounts.ts';
import {
  type DueAlert,
  listDueAlerts,
  lockAlertInState,
  markNotified,
  type NotifiedState,
  saveEvaluation,
  saveEvaluationError,
} from '#db/queries/alert-runs.ts';
import { isTimeout } from '#db/sql-state.ts';
import type { Core } from '#server/core.ts';
import { defineJob, NO_DATA, abortBeforeNextMinute } from '#server/platform/jobs/define-job.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { logEvent } from '../events/log-event.ts';
import { queryMetrics } from '../metrics/query-metrics.ts';
import { describeChange } from './alert-message.ts';

const BATCH_SIZE = 5_000;
/**
 * Stored as the duration of an evaluation that timed out. The next one waits 20 times as long, ten
 * minutes (`EVALUATION_BACKOFF_FACTOR`).
 */
const TIMED_OUT_SECONDS = 30;

export const alertEvaluationJob = defineJob({
  kind: 'alert-evaluation',
  whenOff: 'drop',
  schema: NO_DATA,
  cron: '* * * * *',
  pollSeconds: 10,
  expireSeconds: 120,
  noRetry: true,
  run: (app: Core, _data, { signal }) => evaluateDueAlerts(app, abortBeforeNextMinute(signal)),
});

const EVENT_TYPES_BY_STATE = {
  firing: 'alert_firing',
  fine: 'alert_recovered',
  no_data: 'alert_no_data',
} as const;

export async function evaluateDueAlerts(app: Core, signal?: AbortSignal): Promise<void> {
  const doneIds: string[] = [];
  while (!signal?.aborted) {
    const due = await listDueAlerts(app.db, { limit: BATCH_SIZE, excludedIds: doneIds });
    await Promise.all(due.map((alert) => evaluateInTurn(app, alert, signal)));
    if (due.length < BATCH_SIZE) return;
    doneIds.push(...due.map(({ id }) => id));
  }
}

/** The queue decides which account is next. */
async function evaluateInTurn(app: Core, alert: DueAlert, signal?: AbortSignal): Promise<void> {
  try {
    const connection = app.queues.slowReads.databaseFor(alert.account_id).connection();
    await connection.execute(async (metricDb) => {
      if (!signal?.aborted) await evaluateAlert(app, alert, metricDb as Database);
    });
  } catch (error) {
    await logFailure(app, alert, error);
  }
}

/** An alert that failed must not stop the others, even if the database fails. */
async function logFailure({ db, log }: Core, alert: DueAlert, error: unknown): Promise<void> {
  log.error({ err: error, accountId: alert.account_id }, 'an alert could not be evaluated');
  await saveEvaluationError(db, alert, { error: { code: 'notEvaluated' } }).catch(() => {});
}

async function evaluateAlert(app: Core, alert: DueAlert, metricDb: Database): Promise<void> {
  const startedAt = performance.now();
  const value = await queryAlertValue(metricDb, alert);
  if (value === TIMED_OUT) {
    const error = { code: TIMED_OUT };
    return saveEvaluationError(app.db, alert, { error, seconds: TIMED_OUT_SECONDS });
  }
  const state = alertStateFor(alert, value);
  const evaluation = { state, value, seconds: secondsSince(startedAt) };
  const newState = await saveEvaluation(app.db, alert, evaluation);
  if (!newState) return;
  await inTransaction(app.db, (trx) => logStateChange(app, trx, { alert, value, newState }));
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}

async function logStateChange(
  app: Core,
  trx: Transaction,
  { alert, value, newState }: { alert: DueAlert; value: number | null; newState: NotifiedState },
): Promise<void> {
  const { account_id: accountId, id: alertId } = alert;
  await lockAccount(trx, accountId);
  if (!(await lockAlertInState(trx, alert, newState))) return;
  const t = translatorFor(await findAccountLanguage(trx, accountId));
  await markNotified(trx, alertId, newState);
  const { project_id, project, connection_id: connectionId } = alert;
  const { path, aggregate, minutes, comparison, threshold } = alert;
  const detail = {
    alert_id: alertId,
    ...{ project_id, project, path, aggregate, minutes, comparison, threshold },
    state: newState,
    value,
    alert: `${project} · ${describeCondition(alert, t)}`,
    text: describeChange(newState, { ...alert, value }, t),
  };
  const type = EVENT_TYPES_BY_STATE[newState];
  await logEvent(trx, app, { accountId, type, detail, connectionId });
}

/** The state stays as it is, because there may be a value that was not found. */
const TIMED_OUT = 'timedOut';

async function queryAlertValue(
  db: Database,
  { project_id: projectId, path, aggregate, comparison, since, until }: DueAlert,
): Promise<number | null | typeof TIMED_OUT> {
  try {
    const { totals } = await queryMetrics(db, {
      projectId,
      since: since.toISOString(),
      until: until.toISOString(),
      timeZone: 'UTC',
      bucket: 'month',
      measure: { path, aggregate: comparison === 'absent' ? 'count' : aggregate },
      filters: [],
    });
    return totals[0] ?? null;
  } catch (error) {
    if (isTimeout(error)) return TIMED_OUT;
    throw error;
  }
}

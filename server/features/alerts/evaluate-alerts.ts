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
import type { Database, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { isTimeout } from '#db/sql-state.ts';
import { hasMetricWith } from '#db/queries/metric-series.ts';
import { describeCondition } from '#contract/shared/alert-text.ts';
import { defineJob, NO_DATA, abortBeforeNextMinute } from '#server/platform/jobs/define-job.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { logEvent } from '../events/log-event.ts';
import { queryMetrics } from '../metrics/query-metrics.ts';
import { describeChange } from './alert-message.ts';
import { alertStateFor } from '#contract/shared/alert-state.ts';
import type { Core } from '#server/core.ts';

const BATCH_SIZE = 5_000;
/**
 * Stored as the duration of an evaluation that timed out. The next one waits 20 times as long, ten
 * minutes (`EVALUATION_BACKOFF_FACTOR`).
 */
const TIMED_OUT_SECONDS = 30;
/** The count of metrics that exist, but are not in the sample. */
const AT_LEAST_ONE = 1;

export const alertEvaluationJob = defineJob({
  kind: 'alert-evaluation',
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
  const result = await queryAlertValue(metricDb, alert);
  if ('problem' in result) {
    const error = { code: result.problem };
    const seconds = result.problem === 'timedOut' ? TIMED_OUT_SECONDS : secondsSince(startedAt);
    return saveEvaluationError(app.db, alert, { error, seconds });
  }
  const { value } = result;
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

/** A problem: there may be a value that was not found, so the state stays as it is. */
type AlertValue = { value: number | null } | { problem: 'timedOut' | 'notInSample' };

async function queryAlertValue(
  db: Database,
  { project_id: projectId, path, aggregate, comparison, since, until }: DueAlert,
): Promise<AlertValue> {
  const range = { projectId, since: since.toISOString(), until: until.toISOString() };
  try {
    const { totals, sampled } = await queryMetrics(db, {
      ...range,
      timeZone: 'UTC',
      bucket: 'month',
      measures: [{ path, aggregate: comparison === 'absent' ? 'count' : aggregate }],
      filters: [],
      compare: false,
    });
    const [value = null] = totals;
    // An empty sample does not prove that there are no metrics, so search all of them.
    const isEmptySample = sampled !== null && (value === null || value === 0);
    const needsFullSearch = isEmptySample && (comparison === 'absent' || value === null);
    if (!needsFullSearch || !(await hasMetricWith(db, range, path))) return { value };
    return comparison === 'absent' ? { value: AT_LEAST_ONE } : { problem: 'notInSample' };
  } catch (error) {
    if (isTimeout(error)) return { problem: 'timedOut' };
    throw error;
  }
}

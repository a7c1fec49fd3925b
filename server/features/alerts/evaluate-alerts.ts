import type { FastifyBaseLogger } from 'fastify';
import type { Kysely, Transaction } from 'kysely';
import { findAccountLanguage, lockAccount } from '#db/queries/accounts.ts';
import {
  type DueAlert,
  listDueAlerts,
  lockAlertInState,
  markNotified,
  saveAlertError,
  saveEvaluation,
} from '#db/queries/alerts/alert-runs.ts';
import type { Database } from '#db/schema.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { isTimeout } from '#db/sql-state.ts';
import { hasMetricWith } from '#db/queries/metrics/metric-series.ts';
import { describeCondition } from '#contract/alert-text.ts';
import { translatorFor } from '#server/language.ts';
import type { DatabaseQueue } from '#server/limits/database-queues.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import { logEvent } from '../events/log-event.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { queryMetrics } from '../metrics/query-metrics.ts';
import { createAlertMessage } from './alert-message.ts';
import { NOT_EVALUATED_MESSAGE, NOT_MAILED_MESSAGE } from './send-alert.ts';
import { alertStateFor } from '#contract/alert-state.ts';

const BATCH_SIZE = 16;
/**
 * Stored as the duration of an evaluation that timed out. It delays the next one by ten minutes.
 */
const TIMED_OUT_SECONDS = 30;

export interface EvaluateAlertsDeps {
  db: Kysely<Database>;
  metricReadQueue: Pick<DatabaseQueue, 'databaseFor'>;
  outbox: Outbox;
  jobs: Pick<JobQueue, 'add'>;
  eventLimit: number;
  logger: Pick<FastifyBaseLogger, 'error'>;
}

export async function evaluateAlerts(
  deps: EvaluateAlertsDeps,
  signal?: AbortSignal,
): Promise<void> {
  const doneIds: string[] = [];
  while (!signal?.aborted) {
    const due = await listDueAlerts(deps.db, { limit: BATCH_SIZE, excludedIds: doneIds });
    const byAccount = Map.groupBy(due, ({ account_id }) => account_id);
    await Promise.all([...byAccount.values()].map((alerts) => evaluateInTurn(deps, alerts)));
    if (due.length < BATCH_SIZE) return;
    doneIds.push(...due.map(({ id }) => id));
  }
}

/** One at a time, because an account's share of the metric queue is small. */
async function evaluateInTurn(deps: EvaluateAlertsDeps, alerts: DueAlert[]): Promise<void> {
  for (const alert of alerts) await evaluateAlert(deps, alert);
}

async function evaluateAlert(deps: EvaluateAlertsDeps, alert: DueAlert): Promise<void> {
  const startedAt = performance.now();
  let result;
  try {
    result = await queryAlertValue(deps, alert);
  } catch (error) {
    const accountId = alert.account_id;
    deps.logger.error({ err: error, accountId }, 'an alert could not be evaluated');
    return saveAlertError(deps.db, alert.id, NOT_EVALUATED_MESSAGE);
  }
  const { value, isTimedOut } = result;
  const seconds = isTimedOut ? TIMED_OUT_SECONDS : (performance.now() - startedAt) / 1_000;
  const state = isTimedOut ? 'no_data' : alertStateFor(alert, value);
  const needsMessage = await saveEvaluation(deps.db, alert, {
    ...{ state, value, seconds },
    resolvedError: NOT_EVALUATED_MESSAGE,
  });
  if (needsMessage)
    await inTransaction(deps.db, (trx) =>
      sendStateChange(deps, trx, {
        alert,
        value,
        newState: state === 'firing' ? 'firing' : 'fine',
      }),
    );
}

async function sendStateChange(
  { outbox, jobs, eventLimit }: EvaluateAlertsDeps,
  trx: Transaction<Database>,
  {
    alert,
    value,
    newState,
  }: { alert: DueAlert; value: number | null; newState: 'fine' | 'firing' },
): Promise<void> {
  const { account_id: accountId, id: alertId } = alert;
  await lockAccount(trx, accountId);
  if (!(await lockAlertInState(trx, alert, newState))) return;
  const t = translatorFor(await findAccountLanguage(trx, accountId));
  const kind = newState === 'firing' ? 'firing' : 'recovered';
  const message = createAlertMessage(kind, { ...alert, value }, t);
  const isMailed = alert.webhook_id === null;
  if (isMailed) {
    const detail = JSON.stringify(message);
    const isSent = await outbox.enqueue(trx, { kind: 'alert', accountId, detail });
    if (!isSent) return saveAlertError(trx, alertId, NOT_MAILED_MESSAGE);
  }
  const revision = await markNotified(trx, alertId, { state: newState, isMailed });
  // Because of the key, this message replaces an earlier one that is still queued.
  if (!isMailed)
    await jobs.add(
      trx,
      'alert-message',
      { alertId, revision, attempt: 1, message },
      { key: alertId },
    );
  const type = newState === 'firing' ? 'alert_firing' : 'alert_recovered';
  const detail = {
    alert_id: alertId,
    alert: `${alert.project}: ${describeCondition(alert, t)}`,
    value,
  };
  await logEvent(trx, { accountId, type, detail }, eventLimit);
}

async function queryAlertValue(
  { metricReadQueue }: EvaluateAlertsDeps,
  { account_id, project_id: projectId, path, aggregate, comparison, since, until }: DueAlert,
): Promise<{ value: number | null; isTimedOut: boolean }> {
  const range = { projectId, since: since.toISOString(), until: until.toISOString() };
  try {
    const db = metricReadQueue.databaseFor(account_id);
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
    const isEmptySample = comparison === 'absent' && sampled !== null && value === 0;
    if (isEmptySample && (await hasMetricWith(db, range, path)))
      return { value: 1, isTimedOut: false };
    return { value, isTimedOut: false };
  } catch (error) {
    if (isTimeout(error)) return { value: null, isTimedOut: true };
    throw error;
  }
}

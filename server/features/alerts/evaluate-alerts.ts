import type { FastifyBaseLogger } from 'fastify';
import type { Kysely, Transaction } from 'kysely';
import { lockAccount } from '#db/queries/accounts.ts';
import {
  type DueAlert,
  listDueAlerts,
  lockAlertInState,
  markNotified,
  saveNotificationError,
  postponeEvaluation,
  saveEvaluation,
} from '#db/queries/alerts/alert-runs.ts';
import type { Database } from '#db/schema.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { isHeldUp } from '#db/sql-state.ts';
import { hasMetricWith } from '#db/queries/metrics/metric-series.ts';
import { describeCondition } from '#contract/alert-text.ts';
import type { DatabaseQueue } from '#server/limits/database-queues.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import { logEvent } from '../events/log-event.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { queryMetrics } from '../metrics/query-metrics.ts';
import { alertMessage } from './alert-message.ts';
import { alertStateFor } from '#contract/alert-state.ts';

/** Alerts that are evaluated at the same time. */
const BATCH_SIZE = 16;
/** An evaluation that exceeded the time limit of statements counts as this long, in seconds: the alert then rests for ten minutes. */
const TOO_SLOW_S = 30;

const NO_ADDRESS = 'There is no confirmed address to mail to, or it got too many alerts this hour.';

/** Dependencies of the evaluation. */
export interface Evaluation {
  db: Kysely<Database>;
  /** Takes turns between accounts. */
  metricReads: Pick<DatabaseQueue, 'of'>;
  outbox: Outbox;
  jobs: Pick<JobQueue, 'add'>;
  /** Events that an account keeps. */
  eventLimit: number;
  logger: Pick<FastifyBaseLogger, 'error'>;
}

/** Evaluates the alerts that are due, until there are no more, or `signal` is aborted. */
export async function evaluateAlerts(on: Evaluation, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const due = await listDueAlerts(on.db, BATCH_SIZE);
    // The queue bounds how many are read at a time, and lets accounts take turns.
    await Promise.all(due.map((alert) => evaluateAlert(on, alert)));
    if (due.length < BATCH_SIZE) return;
  }
}

async function evaluateAlert(on: Evaluation, alert: DueAlert): Promise<void> {
  const begun = performance.now();
  let found;
  try {
    found = await readValue(on, alert);
  } catch (error) {
    const accountId = alert.account_id;
    on.logger.error({ err: error, accountId }, 'an alert could not be evaluated');
    return postponeEvaluation(on.db, alert);
  }
  const { value, isTooSlow } = found;
  const seconds = isTooSlow ? TOO_SLOW_S : (performance.now() - begun) / 1_000;
  const state = isTooSlow ? 'no_data' : alertStateFor(alert, value);
  const isToTell = await saveEvaluation(on.db, alert, { state, value, seconds });
  if (isToTell)
    await inTransaction(on.db, (trx) =>
      tell(on, trx, { alert, value, told: state === 'firing' ? 'firing' : 'fine' }),
    );
}

/** Adds the message about a state, together with the note that the recipient knows it. */
async function tell(
  { outbox, jobs, eventLimit }: Evaluation,
  trx: Transaction<Database>,
  { alert, value, told }: { alert: DueAlert; value: number | null; told: 'fine' | 'firing' },
): Promise<void> {
  const { account_id: accountId, id: alertId } = alert;
  await lockAccount(trx, accountId);
  if (!(await lockAlertInState(trx, alert, told))) return;
  const message = alertMessage(told === 'firing' ? 'firing' : 'recovered', { ...alert, value });
  const isMailed = alert.webhook_id === null;
  if (isMailed) {
    const about = JSON.stringify(message);
    const isSent = await outbox.send(trx, { kind: 'alert', accountId, about });
    if (!isSent) return saveNotificationError(trx, alertId, NO_ADDRESS);
  }
  const revision = await markNotified(trx, alertId, { state: told, isMailed });
  // It replaces an earlier message that is still waiting.
  if (!isMailed)
    await jobs.add(
      trx,
      'alert-message',
      { alertId, revision, tries: 1, message },
      { key: alertId },
    );
  const type = told === 'firing' ? 'alert_firing' : 'alert_recovered';
  const detail = {
    alert_id: alertId,
    alert: `${alert.project}: ${describeCondition(alert)}`,
    value,
  };
  await logEvent(trx, { accountId, type, detail }, eventLimit);
}

/**
 * The value of an alert now; of very many metrics it is that of a sample, scaled up. A sample that holds
 * nothing is no proof of silence: then one metric is searched for among all, and counts as 1.
 */
async function readValue(
  { metricReads }: Evaluation,
  { account_id, project_id: projectId, path, aggregate, comparison, since, until }: DueAlert,
): Promise<{ value: number | null; isTooSlow: boolean }> {
  const range = { projectId, since: since.toISOString(), until: until.toISOString() };
  try {
    const db = metricReads.of(account_id);
    const { totals, sampled } = await queryMetrics(db, {
      ...range,
      timeZone: 'UTC',
      bucket: 'month',
      measures: [{ path, aggregate: comparison === 'absent' ? 'count' : aggregate }],
      filters: [],
      compare: false,
    });
    const [value = null] = totals;
    const isInDoubt = comparison === 'absent' && sampled !== null && value === 0;
    if (isInDoubt && (await hasMetricWith(db, range, path))) return { value: 1, isTooSlow: false };
    return { value, isTooSlow: false };
  } catch (error) {
    if (isHeldUp(error)) return { value: null, isTooSlow: true };
    throw error;
  }
}

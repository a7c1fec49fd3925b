import type { Kysely, Transaction } from 'kysely';
import { lockAccount } from '../../../db/queries/accounts.ts';
import {
  type DueAlert,
  lockEvaluated,
  noteEvaluation,
  noteTold,
  noteUntold,
  takeDueAlerts,
} from '../../../db/queries/alerts/alert-runs.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import { isHeldUp } from '../../../db/sql-state.ts';
import { hasMetricWith } from '../../../db/queries/metrics/metric-series.ts';
import { alertWords } from '../../../contract/alert-words.ts';
import type { FairQueue } from '../../load/fair-queue.ts';
import { logEvent } from '../events/log-event.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { queryMetrics } from '../metrics/query-metrics.ts';
import { alertText } from './alert-message.ts';
import { judgeAlert } from '../../../contract/judge-alert.ts';

/** Alerts that are taken with one statement. */
const BATCH = 16;
/** An alert is evaluated so much less often as it takes: it never keeps a connection busy for more than a twentieth of the time. */
const REST = 20;
/** Pause after an evaluation that was too slow to end, in seconds. */
const TOO_SLOW_S = 600;

const NO_ADDRESS = 'There is no confirmed address to mail to, or it got too many alerts this hour.';

/** Dependencies of the evaluation. */
export interface Evaluation {
  db: Kysely<Database>;
  /** Where metrics are read: nothing else waits for these connections. */
  metricReads: Kysely<Database>;
  /** Takes turns between accounts. */
  queue: Pick<FairQueue, 'of'>;
  outbox: Outbox;
  /** Events that an account keeps. */
  eventLimit: number;
  onError: (error: unknown) => void;
}

/** Evaluates the alerts that are due, until there is none or `isOver`. */
export async function evaluateAlerts(on: Evaluation, isOver = () => false): Promise<void> {
  while (!isOver()) {
    const due = await takeDueAlerts(on.db, BATCH);
    const open = due.filter(({ is_open }) => is_open);
    // The queue bounds how many are read at a time, and lets accounts take turns.
    await Promise.all(open.map((alert) => evaluateAlert(on, alert).catch(on.onError)));
    if (due.length < BATCH) return;
  }
}

async function evaluateAlert(on: Evaluation, alert: DueAlert): Promise<void> {
  const begun = performance.now();
  const found = await readValue(on, alert);
  const seconds = found.isTooSlow ? TOO_SLOW_S : ((performance.now() - begun) / 1_000) * REST;
  const { value } = found;
  const state = found.isTooSlow ? 'no_data' : judgeAlert(alert, value);
  const isToTell = await noteEvaluation(on.db, alert, { state, value, seconds });
  if (isToTell)
    await inTransaction(on.db, (trx) =>
      tell(on, trx, { alert, value, told: state === 'firing' ? 'firing' : 'fine' }),
    );
}

/** Enqueues the message about a state, together with the note that the recipient knows it. */
async function tell(
  { outbox, eventLimit }: Evaluation,
  trx: Transaction<Database>,
  { alert, value, told }: { alert: DueAlert; value: number | null; told: 'fine' | 'firing' },
): Promise<void> {
  const { account_id: accountId, id } = alert;
  await lockAccount(trx, accountId);
  if (!(await lockEvaluated(trx, alert))) return;
  const text = alertText(told === 'firing' ? 'firing' : 'recovered', { ...alert, value });
  const isMailed = alert.webhook_id === null;
  if (isMailed && !(await outbox.send(trx, { kind: 'alert', accountId, about: text })))
    return noteUntold(trx, id, NO_ADDRESS);
  await noteTold(trx, id, { told, message: isMailed ? null : text });
  const type = told === 'firing' ? 'alert_firing' : 'alert_recovered';
  const detail = { alert_id: id, alert: `${alert.project}: ${alertWords(alert)}`, value };
  await logEvent(trx, { accountId, type, detail }, eventLimit);
}

/**
 * The value of an alert now; of very many metrics it is that of a sample, scaled up. A sample that holds
 * nothing is no proof of silence: then one metric is searched for among all, and counts as 1.
 */
async function readValue(
  { metricReads, queue }: Evaluation,
  { account_id, project_id: projectId, path, aggregate, comparison, since, until }: DueAlert,
): Promise<{ value: number | null; isTooSlow: boolean }> {
  const range = { projectId, since: since.toISOString(), until: until.toISOString() };
  try {
    const db = queue.of(account_id, metricReads);
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

import { WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { METRIC_LIMIT_REFUSALS } from '#contract/stats.ts';
import { UUID_PATTERN } from '#contract/uuid.ts';
import type { Database, Executor } from '#db/connections/handles.ts';
import type { IdempotencyKey } from '#db/queries/idempotency-keys.ts';
import { findMetricWithKey, hashMetricKey, METRIC_KEY_BYTES } from '#db/queries/metric-keys.ts';
import { insertMetrics, METRIC_OVERHEAD_BYTES, type NewMetric } from '#db/queries/metrics.ts';
import type { Core } from '#server/core.ts';
import { retryAfterMidnight } from '#server/platform/limits/allowances/retry-after.ts';
import type { FairQueue } from '#server/platform/limits/fair-queue.ts';
import { GroupCommit, type GroupedWrite } from '#server/platform/limits/group-commit.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser({ ...METRIC_LIMIT_REFUSALS, ...WRITE_REFUSALS });

/**
 * | Result | Meaning | Counts for the day |
 * | --- | --- | --- |
 * | `stored` | The INSERT of its group stored it and claimed its key. | yes |
 * | `replayed` | An earlier metric with the key has the same body. | no |
 * | `keyReused` | An earlier metric with the key has another body. | no |
 * | `forbidden` | The account has no such project. | no |
 */
type MetricWriteResult = 'stored' | 'replayed' | 'forbidden' | 'keyReused';

type MetricWrite = NewMetric & GroupedWrite;

type IngestedMetric = Pick<NewMetric, 'accountId' | 'projectId'> & {
  payload: Record<string, unknown>;
};

export function createMetricGroupCommit(db: Executor, queue: FairQueue) {
  return new GroupCommit<MetricWrite>((metrics) => insertMetrics(db, metrics), {
    queueKey: 'metrics',
    queue,
  });
}

export class MetricWriter {
  readonly #dailyUsage: Core['dailyUsage'];
  readonly #groupCommit: ReturnType<typeof createMetricGroupCommit>;

  constructor({ db, queues, dailyUsage }: Pick<Core, 'db' | 'queues' | 'dailyUsage'>) {
    this.#dailyUsage = dailyUsage;
    this.#groupCommit = createMetricGroupCommit(db, queues.writes);
  }

  /**
   * Resolves after the commit. Throws a refusal if the account has used up a daily limit, but not
   * for a repeat of a stored metric.
   */
  async write(
    db: Database,
    metric: IngestedMetric,
    key?: IdempotencyKey,
  ): Promise<MetricWriteResult> {
    const limitError = this.#findReachedLimit(metric.accountId, key);
    const isUuid = UUID_PATTERN.test(metric.projectId);
    if (isUuid && !limitError && (await this.#store(metric, key))) return 'stored';
    const earlier = key && (await findMetricWithKey(db, hashMetricKey(key)));
    if (earlier) return earlier.isSameBody ? 'replayed' : 'keyReused';
    if (limitError) throw limitError;
    // Since the INSERT, the key may have reached its age of 24 hours.
    if (isUuid && key && (await this.#store(metric, key))) return 'stored';
    return 'forbidden';
  }

  #findReachedLimit(accountId: string, key?: IdempotencyKey) {
    if (!this.#dailyUsage.isBelowLimit(accountId, 'metrics'))
      return refuse('metricLimitReached', retryAfterMidnight());
    if (key && !this.#dailyUsage.isBelowLimit(accountId, 'responses'))
      return refuse('storedResponseLimitReached', retryAfterMidnight());
    return undefined;
  }

  async #store(metric: IngestedMetric, key?: IdempotencyKey): Promise<boolean> {
    const { accountId } = metric;
    const payload = JSON.stringify(metric.payload);
    const idempotencyClaim = key && hashMetricKey(key);
    const keyed = { idempotencyClaim, lockKey: idempotencyClaim };
    const write = { ...metric, payload, characters: payload.length, ...keyed };
    let isStored = false;
    // Counted before the write, so that concurrent writes cannot all pass the check above.
    const bytes = METRIC_OVERHEAD_BYTES + Buffer.byteLength(payload);
    const undoUsage = this.#dailyUsage.add(accountId, 'metrics', bytes);
    try {
      isStored = await this.#groupCommit.write(write);
    } finally {
      if (!isStored) undoUsage();
    }
    if (isStored && key) this.#dailyUsage.add(accountId, 'responses', METRIC_KEY_BYTES);
    return isStored;
  }
}

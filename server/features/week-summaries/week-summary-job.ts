import { utcDay } from '#contract/shared/durations.ts';
import { inAccountTransaction } from '#db/queries/accounts.ts';
import { isOperator } from '#db/queries/operators.ts';
import {
  claimWeekSummary,
  listSummarySubscribers,
  type SummarySubscriber,
} from '#db/queries/week-summaries.ts';
import type { Core } from '#server/core.ts';
import { defineJob, NO_DATA } from '#server/platform/jobs/define-job.ts';
import { latestWeek } from '../events/latest-week.ts';
import { logEvent } from '../events/log-event.ts';
import { summarizeServerWeek, summarizeWeek } from '../events/summarize-week.ts';

type SummaryServices = Pick<Core, 'allowances' | 'db' | 'jobs' | 'log'>;

const BATCH_SIZE = 500;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

export const weekSummaryJob = defineJob({
  kind: 'week-summary',
  whenOff: 'drop',
  schema: NO_DATA,
  // Time zones differ by quarters of an hour. After a minute, the visits of the last day are stored.
  cron: '1,16,31,46 * * * *',
  pollSeconds: 10,
  expireSeconds: 600,
  // The next job continues.
  noRetry: true,
  run: (app: SummaryServices, _data, { signal }) => sendWeekSummaries(app, new Date(), signal),
});

export async function sendWeekSummaries(
  app: SummaryServices,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  let after = LOWEST_ID;
  for (;;) {
    const subscribers = await listSummarySubscribers(app.db, { after, limit: BATCH_SIZE });
    for (const subscriber of subscribers) {
      if (signal?.aborted) return;
      await sendIfDue(app, now, subscriber).catch((error: unknown) =>
        app.log.error(
          { err: error, accountId: subscriber.account_id },
          'a weekly summary could not be sent',
        ),
      );
    }
    const last = subscribers.at(-1);
    if (!last || subscribers.length < BATCH_SIZE) return;
    after = last.account_id;
  }
}

async function sendIfDue(
  app: SummaryServices,
  now: Date,
  { account_id: accountId, account_created_at, time_zone, sent_on, types }: SummarySubscriber,
): Promise<void> {
  const { monday, ...days } = latestWeek(now, time_zone);
  // A new subscriber gets the last week at once. A new time zone may be a day behind.
  if (sent_on !== null && sent_on >= monday) return;
  // Zeros of a week before the account would read as a fault.
  if (utcDay(account_created_at.getTime()) > days.until) return;
  await inAccountTransaction(app.db, accountId, async (trx) => {
    if (!(await claimWeekSummary(trx, accountId, monday))) return;
    if (types.includes('week_summary')) {
      const detail = { ...(await summarizeWeek(trx, accountId, days)) };
      await logEvent(trx, app, { accountId, type: 'week_summary', detail });
    }
    if (types.includes('server_week_summary') && (await isOperator(trx, accountId))) {
      const detail = { ...(await summarizeServerWeek(trx, accountId, days)) };
      await logEvent(trx, app, { accountId, type: 'server_week_summary', detail });
    }
  });
}

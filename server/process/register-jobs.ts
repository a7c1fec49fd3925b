import { deleteOldEvents } from '#db/queries/events.ts';
import { deleteOldPageVisits } from '#db/queries/sites/page-visits.ts';
import {
  finishAccountDeletion,
  resumeAccountDeletions,
} from '../features/accounts/delete-account.ts';
import { evaluateAlerts } from '../features/alerts/evaluate-alerts.ts';
import { sendAlert } from '../features/alerts/send-alert.ts';
import { today } from '#server/utc-date.ts';
import { sweepMetrics } from '../features/metrics/sweep-metrics.ts';
import type { App } from '../app.ts';
import { runMaintenanceTasks } from './maintenance.ts';

/** Time limit for jobs that run every minute. */
const MAX_RUN_MS = 50_000;

export async function registerJobs(app: App): Promise<void> {
  const { config, db, forwarding, jobs, customDomains, log } = app;
  // Loads the SMTP client only if mail is configured.
  if (app.outbox.isAvailable) (await import('../mail/send-mail.ts')).registerMailJob(app);
  forwarding.registerJobHandler();

  jobs.work('alert-evaluation', (_data, { signal }) => evaluateAlerts(app, withinMinute(signal)));
  jobs.schedule('alert-evaluation', '* * * * *');
  jobs.work('alert-message', (data) => sendAlert(app, data));

  if (customDomains) {
    jobs.work('domain-check', (_data, { signal }) =>
      customDomains.checker.checkDue(withinMinute(signal)),
    );
    jobs.schedule('domain-check', '* * * * *');
  }

  jobs.work('account-deletion', ({ accountId }, { signal }) =>
    finishAccountDeletion(db, forwarding, { accountId, signal }),
  );
  jobs.work('metric-sweep', (_data, { signal }) => sweepMetrics(db, signal));

  const extraTasks = [
    forwarding.deleteUnusedDestinations,
    () => deleteOldEvents(db, config.EVENT_DAYS),
    () => deleteOldPageVisits(db, { today: today(), days: config.VISITOR_DAYS }),
    () => resumeAccountDeletions(db, jobs),
  ];
  jobs.work('maintenance', (_data, { signal }) =>
    runMaintenanceTasks(db, log, { extraTasks, signal }),
  );
  jobs.schedule('maintenance', '0 * * * *');
}

/** Ends a job before the next one starts. The next one continues with the most overdue work. */
function withinMinute(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(MAX_RUN_MS)]);
}

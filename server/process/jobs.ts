import { accountDeletionJob } from '../features/accounts/delete-account.ts';
import { alertEvaluationJob } from '../features/alerts/evaluate-alerts.ts';
import { backupJob } from '../features/backups/backup-job.ts';
import { deliveryJob } from '#server/features/connections/delivery-job.ts';
import { domainCheckJob } from '../features/domains/custom-domains.ts';
import { forwardingJob } from '../features/forwarding/reconcile.ts';
import { metricSweepJob } from '../features/metrics/sweep-metrics.ts';
import type { Job } from '../platform/jobs/define-job.ts';
import { mailJob } from '../features/mails/mail-job.ts';
import { linkRequestJob } from '#server/features/sign-up/link-request-job.ts';
import { maintenanceJob } from './maintenance.ts';
import type { Services } from '#server/features/services.ts';

export const JOBS: readonly Job<any, Services>[] = [
  accountDeletionJob,
  alertEvaluationJob,
  backupJob,
  deliveryJob,
  domainCheckJob,
  forwardingJob,
  linkRequestJob,
  mailJob,
  maintenanceJob,
  metricSweepJob,
];

export function registerJobs(app: Services, jobs = JOBS): void {
  for (const job of jobs) {
    const isNeeded = job.isNeeded?.(app) ?? true;
    app.jobs.register(job, isNeeded ? (data, running) => job.run(app, data, running) : undefined);
  }
  const waiting = jobs.filter((job) => job.isNeeded?.(app) === false);
  if (waiting.length > 0) app.mailServers.onAvailable ??= () => registerJobs(app, waiting);
}

import type { AllServices, Services } from '#server/features/services.ts';
import type { AllFeatures } from '../features/define-feature.ts';
import type { Job } from '../platform/jobs/define-job.ts';
import { maintenanceJob } from './maintenance.ts';

export const listJobs = (features: AllFeatures['list']): readonly Job<any, AllServices>[] => [
  ...features.flatMap(({ jobs = [] }) => jobs),
  maintenanceJob,
];

export function registerJobs(services: Services, jobs = listJobs(services.features.list)): void {
  // A feature that runs has the services that it needs.
  const app = services as AllServices;
  for (const job of jobs) {
    const isNeeded = job.isNeeded?.(app) ?? true;
    app.jobs.register(job, isNeeded ? (data, running) => job.run(app, data, running) : undefined);
  }
  const waiting = jobs.filter((job) => job.isNeeded?.(app) === false);
  if (waiting.length > 0) app.mailServers.onAvailable ??= () => registerJobs(app, waiting);
}

import { defineJob } from '#server/platform/jobs/define-job.ts';
import { linkRequestJob } from '../sessions/link-request-job.ts';
import { applicationRequests } from '../sessions/link-request.ts';

export const applicationRequestJob = defineJob({
  ...linkRequestJob,
  ...applicationRequests,
  whenOff: 'drop',
});

import type { Core } from '#server/core.ts';
import { defineJob, NO_DATA } from '#server/platform/jobs/define-job.ts';
import { endGrantsOfEndedSessions } from './grants.ts';
import type { OAuth } from './oauth.ts';

type LogoutServices = Pick<Core, 'db' | 'jobs'> & { oauth: OAuth };

/** Whatever ended a session: its websites are told within a minute. */
export const endedSessionsJob = defineJob({
  kind: 'oauth-ended-sessions',
  whenOff: 'drop',
  schema: NO_DATA,
  cron: '* * * * *',
  pollSeconds: 5,
  expireSeconds: 60,
  noRetry: true,
  isNeeded: ({ oauth }: LogoutServices) => oauth.issuer !== undefined,
  run: ({ db, jobs }: LogoutServices) => endGrantsOfEndedSessions({ db, jobs }),
});

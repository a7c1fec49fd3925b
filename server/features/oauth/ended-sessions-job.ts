import { inTransaction } from '#db/connections/transaction.ts';
import type { Core } from '#server/core.ts';
import { defineJob, NO_DATA } from '#server/platform/jobs/define-job.ts';
import { endSessionGrants } from './grants.ts';
import type { OAuth } from './oauth.ts';

type LogoutServices = Pick<Core, 'db' | 'jobs'> & { oauth: OAuth };

/**
 * Sessions also end by their time, or with a passkey, a key or a linked login. Their websites are told
 * within a minute.
 */
export const endedSessionsJob = defineJob({
  kind: 'oauth-ended-sessions',
  whenOff: 'drop',
  schema: NO_DATA,
  cron: '* * * * *',
  pollSeconds: 5,
  expireSeconds: 60,
  noRetry: true,
  isNeeded: ({ oauth }: LogoutServices) => oauth.issuer !== undefined,
  run: ({ db, jobs }: LogoutServices) =>
    inTransaction(db, (trx) => endSessionGrants(trx, { jobs })),
});

import { listSessions } from '#db/queries/sessions.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { createAuthentication } from './authentication.ts';
import { linkRequestJob } from './link-request-job.ts';
import { loginMail } from './login-mail.ts';
import { loginRoutes } from './login-routes.ts';
import { sessionRoutes } from './owner-routes.ts';

export const sessions = defineFeature({
  name: 'sessions',
  service: createAuthentication,
  routes: { unauthenticated: { sessions: loginRoutes }, owner: { sessions: sessionRoutes } },
  jobs: [linkRequestJob],
  mails: [loginMail],
  expiring: ['login_links', 'sessions'],
  accountTables: {
    login_links: 'not exported: hashes of secrets that expire after ten minutes',
    sessions: 'exported',
  },
  exportFiles: (db, { accountId }) => [
    jsonFile('sessions.json', 'The open sessions, without their secrets.', () =>
      listSessions(db, accountId),
    ),
  ],
});

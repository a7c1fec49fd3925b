import { loginLinkMail } from './login-link-mail.ts';
import { operatorMail } from './operator-mail.ts';
import { reportMail } from './report-mail.ts';
import { memberRoutes } from './member-routes.ts';
import { reportRoutes } from './owner-routes.ts';
import { serverRoutes } from './server-routes.ts';
import { defineFeature } from '../define-feature.ts';

export const operators = defineFeature({
  routes: { operator: { members: memberRoutes, reports: reportRoutes, server: serverRoutes } },
  mails: [loginLinkMail, operatorMail, reportMail],
  expiring: ['audit_log', 'reports'],
  accountTables: {
    audit_log: 'not exported: actions of operators and commands',
    operators: 'not exported: granted by administrators',
    reports: 'not exported: messages from visitors to operators',
  },
});

import { defineFeature } from '../define-feature.ts';
import { reportRoutes } from './owner-routes.ts';
import { findOpenReports } from './report-finding.ts';
import { reportMail } from './report-mail.ts';

export const reports = defineFeature({
  name: 'reports',
  optional: true,
  toDo: [findOpenReports],
  routes: { operator: { reports: reportRoutes } },
  mails: [reportMail],
  links: ['/dashboard/operator/reports'],
  expiring: ['reports'],
  accountTables: { reports: 'not exported: messages from visitors to operators' },
});

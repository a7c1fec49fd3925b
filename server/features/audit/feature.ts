import { defineFeature } from '../define-feature.ts';
import { auditRoutes } from './owner-routes.ts';

export const audit = defineFeature({
  name: 'audit',
  optional: true,
  routes: { operator: { server: auditRoutes } },
  expiring: ['audit_log'],
  accountTables: { audit_log: 'not exported: actions of operators and commands' },
});

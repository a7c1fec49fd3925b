import { accounts } from '../accounts/feature.ts';
import { defineFeature } from '../define-feature.ts';
import { forwarding } from '../forwarding/feature.ts';
import { findLeavers } from './leavers-finding.ts';
import { loginLinkMail } from './login-link-mail.ts';
import { operatorMail } from './operator-mail.ts';
import { memberRoutes } from './owner-routes.ts';

export const members = defineFeature({
  name: 'members',
  needs: [accounts, forwarding],
  toDo: [findLeavers],
  routes: { operator: { members: memberRoutes } },
  mails: [loginLinkMail, operatorMail],
  accountTables: { operators: 'not exported: granted by administrators' },
});

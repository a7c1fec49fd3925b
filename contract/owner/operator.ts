import { operatorAccounts } from './operator-accounts.ts';
import { operatorAudit } from './operator-audit.ts';
import { operatorInvitations } from './operator-invitations.ts';
import { operatorMembers } from './operator-members.ts';
import { operatorInstance } from './operator-instance.ts';
import { operatorReports } from './operator-reports.ts';
import { operatorServer } from './operator-server.ts';

export const operator = {
  ...operatorServer,
  ...operatorAccounts,
  ...operatorReports,
  ...operatorInvitations,
  ...operatorMembers,
  ...operatorAudit,
  ...operatorInstance,
};

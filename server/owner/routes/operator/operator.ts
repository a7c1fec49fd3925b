import type { operator } from '../../../../contract/owner/operator.ts';
import type { Handlers } from '../../../http/contract/adapter.ts';
import type { Registration } from '../../../service/settings/registration.ts';
import { type OperatorDependencies, operatorAccountsRoutes } from './accounts.ts';
import { operatorAuditRoutes } from './audit.ts';
import { operatorInvitationsRoutes } from './invitations.ts';
import { operatorReportsRoutes } from './reports.ts';

/** Handlers of operators; `origin` finds where links begin. */
export function operatorRoutes(
  dependencies: OperatorDependencies & { registration: Registration },
  origin: () => string,
): Handlers<typeof operator> {
  return {
    ...operatorAccountsRoutes(dependencies, origin),
    ...operatorReportsRoutes,
    ...operatorInvitationsRoutes(origin, dependencies.registration !== 'closed'),
    ...operatorAuditRoutes,
  };
}

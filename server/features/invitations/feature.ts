import { defineFeature } from '../define-feature.ts';
import { names } from '../names/feature.ts';
import { signUp } from '../sign-up/feature.ts';
import { invitationMail } from './invitation-mail.ts';
import { findMissingMembers } from './invite-finding.ts';
import { invitationsRoutes, operatorInvitationsRoutes } from './owner-routes.ts';

export const invitations = defineFeature({
  name: 'invitations',
  optional: true,
  needs: [names, signUp],
  findings: [findMissingMembers],
  routes: {
    unauthenticated: { invitations: invitationsRoutes },
    operator: { invitations: operatorInvitationsRoutes },
  },
  mails: [invitationMail],
  links: ['/dashboard/invitation'],
  expiring: ['invitations'],
  accountTables: {
    invitations: 'not exported: entered by operators, and deleted 30 days after they expire',
  },
});
